"""What the verbs that answer the questions of a file share."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from lacuna.cli.console import counting_bar, notify, report_bad_items
from lacuna.errors import ItemError, LacunaError

if TYPE_CHECKING:
    from lacuna.systems.assignment import Assignment
    from lacuna.systems.registry import NamedSystem

show_progress = counting_bar
"""One bar for each system."""


def named_systems(
    names: Sequence[str] | None, *, reader: str | None = None, model: str | None = None
) -> list[NamedSystem]:
    """The systems of --system; --reader and --model say what the only one reads with."""
    from lacuna.cli.opening import reader_name
    from lacuna.systems.registry import NamedSystem

    names = names or ["reader"]
    if reader is None and model is None:
        return [NamedSystem.parse(name) for name in names]
    if len(names) > 1:
        raise LacunaError(
            "--reader and --model belong to one system. Name the model of each system instead: "
            "--system reader:DIR"
        )
    if reader is not None and names != ["reader"]:
        raise LacunaError(f"--reader belongs to --system reader. Leave it out for {names[0]}.")
    return [NamedSystem.parse(names[0], reader_name(reader, model))]


def check_outputs(file: Path, *outputs: Path | None) -> None:
    """Refuse files that cannot be written, or that would be written twice."""
    from lacuna.files.writing import check_writable

    taken = {file.resolve()}
    for output in filter(None, outputs):
        if output.resolve() in taken:
            raise LacunaError(f"{output} is named twice. Give each file that is written its own.")
        taken.add(output.resolve())
        check_writable(output)


def print_notes(assignment: Assignment) -> None:
    """Say which demo is asked where nobody has said what to ask."""
    for note in assignment.notes:
        notify(note)


def exit_if_left_out(bad: Iterable[ItemError]) -> None:
    """Say which broken items of a file were left out; then the exit code is 1."""
    left_out = list(bad)
    if left_out:
        report_bad_items(left_out)
        raise typer.Exit(1)
