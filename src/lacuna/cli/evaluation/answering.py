"""What the verbs that answer the questions of a file share."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from lacuna.cli.console import counting_bar, notify, report_bad_items
from lacuna.errors import ItemError, LacunaError

if TYPE_CHECKING:
    from lacuna.systems.assignment import Assignment
    from lacuna.systems.registry import NamedSystem
    from lacuna.systems.unfinished import UnfinishedWork

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


def check_answer_files(assignment: Assignment, *outputs: Path | None) -> None:
    """Refuse to write over the questions, or into what the systems read."""
    from lacuna.cli.outputs import check_outputs
    from lacuna.models.model_folder import is_shipped

    named = (getattr(system, "model", None) for system in assignment.systems)
    models = [model for model in named if model and not is_shipped(model)]
    knowledge = assignment.resources.knowledge
    check_outputs(outputs, reads=[assignment.file, *assignment.corpora, knowledge, *models])


@contextmanager
def keeping(assignment: Assignment, *, resume: bool) -> Iterator[UnfinishedWork]:
    """Keep what is answered until the block has written it; say how to go on if it does not."""
    from lacuna.systems.unfinished import UnfinishedWork

    with UnfinishedWork(assignment, resume=resume) as work:
        if resume:
            notify(f"{work.count:,} answers are there from the run before.", "Going on")
        try:
            yield work
        except BaseException:
            if work.problem is not None:
                notify(f"The answers could not all be kept: {work.problem.strerror}.")
            if work.count:
                again = "Give the same command with --resume to go on."
                notify(f"{work.count:,} answers are kept. {again}", "Stopped")
            raise


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
