"""What the verbs print with: results to standard output, everything else to standard error.

Nothing else in this folder prints, so that all text is made safe for a terminal here.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

from lacuna.cli.cleaning import safe_json, safe_lines, safe_same_length

if TYPE_CHECKING:
    from pathlib import Path

    from lacuna.cli.clean_console import CleanConsole
    from lacuna.errors import ItemError
    from lacuna.files.opening import TextSource
    from lacuna.metrics.score_tables import ScoreTable

T = TypeVar("T")
PATIENCE = 1.0
"""Seconds of work before a progress bar appears."""
SHOWN_BAD_ITEMS = 20
PIPE_WIDTH = 160
"""Columns that a table gets in a pipe, where its words fit."""


def say(text: str = "") -> None:
    """Lines on standard output."""
    print(safe_lines(text))


def console_for_results(**options: Any) -> CleanConsole:
    """What prints colours and layout on standard output."""
    from lacuna.cli.clean_console import CleanConsole

    return CleanConsole(highlight=False, **options)


def notify(message: str, label: str = "Note") -> None:
    """One paragraph on standard error; its label is coloured on a terminal."""
    _print_message(label, message, "bold yellow")


def warn(message: str) -> None:
    """What a reader of the results must know before believing them."""
    notify(message, "Warning")


def print_error(message: str) -> None:
    """Why a command ends without a result."""
    _print_message("Error", message, "bold red")


def _print_message(label: str, message: str, style: str) -> None:
    message = safe_same_length(message)
    if not sys.stderr.isatty():
        print(f"{label}: {message}", file=sys.stderr)
        return
    from rich.text import Text

    console_for_messages().print(Text.assemble((f"{label}: ", style), message))


def console_for_messages() -> CleanConsole:
    """What prints colours and layout on standard error."""
    from lacuna.cli.clean_console import CleanConsole

    return CleanConsole(stderr=True)


def print_json(value: Any) -> None:
    """One JSON object on standard output, with nothing in it that a terminal would obey."""
    print(safe_json(json.dumps(value, ensure_ascii=False, indent=1, allow_nan=False)))


def print_table(title: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """A table: the first column is text, the others are numbers.

    On a terminal that is too narrow for it, its rows are told one cell a line.
    """
    from rich.text import Text

    from lacuna.cli.terminal.tables import records_of, table_of
    from lacuna.metrics.score_tables import cell

    # Cleaned before it is measured.
    cells = [[safe_same_length(cell(value)) for value in row] for row in rows]
    piped = not sys.stdout.isatty()
    console = console_for_results(width=PIPE_WIDTH if piped else None)
    console.print(Text(safe_same_length(title), "bold"), soft_wrap=piped)
    table = table_of(columns, cells, console.width)
    if table is not None:
        console.print(table)
        return
    for name, value in records_of(columns, cells):
        console.print(Text.assemble((f"  {name}  " if name else "", "dim"), value), soft_wrap=piped)


def print_tables(tables: Iterable[ScoreTable]) -> None:
    """Several tables, one below the other."""
    for table in tables:
        print_table(table.title, table.columns, table.rows)


def report_bad_items(bad: Sequence[ItemError]) -> None:
    """Say which items were left out."""
    for error in bad[:SHOWN_BAD_ITEMS]:
        notify(
            str(error).removesuffix(" Mend it, or pass --skip-bad to leave such items out."),
            "Left out",
        )
    if bad:
        more = (
            f", {len(bad) - SHOWN_BAD_ITEMS:,} of them not shown"
            if len(bad) > SHOWN_BAD_ITEMS
            else ""
        )
        warn(f"{len(bad):,} broken items were left out{more}.")


def with_progress(items: Iterable[T], source: TextSource, label: str) -> Iterator[T]:
    """Pass items on, with a progress bar on a terminal once it takes over a second."""
    if not sys.stderr.isatty():
        yield from items
        return
    bar = None
    shown = time.monotonic() + PATIENCE
    try:
        for item in items:
            yield item
            if (now := time.monotonic()) > shown:
                shown = now + 0.1
                if bar is None:
                    bar = _bar()
                    bar.start()
                    line = bar.add_task(safe_same_length(label), total=source.size)
                bar.update(line, completed=source.bytes_read)
    finally:
        if bar is not None:
            bar.stop()


def print_or_write(records: Iterable[Any], output: Path | None) -> None:
    """Records as JSON lines: into a file, or on standard output."""
    from lacuna.files.json_stream import Shape
    from lacuna.files.json_write import dump, write_items
    from lacuna.files.writing import replace_text

    count = 0
    if output is None:
        for record in records:
            print(safe_json(dump(record)))
            count += 1
        if not count:
            told = "Nothing in the corpus passes these bounds; --help tells how to set others."
            notify(told, "Note")
        return

    def counted() -> Iterator[tuple[None, Any]]:
        nonlocal count
        for record in records:
            count += 1
            yield None, record

    with replace_text(output) as out:
        write_items(out, counted(), Shape.LINES, {})
    notify(f"{count:,} written to {output}.", "Done")


@contextmanager
def counting_bar(label: str, total: int | None, done: int = 0) -> Iterator[Callable[[int], None]]:
    """A progress line to call with the count so far; it shows the rate and, with a total, the time
    left.

    ``done`` items were done before, and do not count for the rate.
    """
    with _counting(label, total, done, with_end=total is not None) as update:
        yield update


@contextmanager
def estimating_bar(label: str) -> Iterator[Callable[[int, float], None]]:
    """A progress line to call with the count so far and what share of all that is, from 0 to 1; it
    shows the rate and the time left."""
    with _counting(label, None, 0, with_end=True) as update:
        yield lambda count, share: update(count, round(count / share) if share > 0 else None)


@contextmanager
def _counting(
    label: str, total: int | None, done: int, *, with_end: bool
) -> Iterator[Callable[..., None]]:
    from rich.progress import (
        BarColumn,
        Progress,
        SpinnerColumn,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    start = time.monotonic()
    with Progress(
        SpinnerColumn(),
        TextColumn(
            "{task.description}: {task.completed:,} ({task.fields[rate]:,.0f} a second)",
            markup=False,
        ),
        *((BarColumn(), TimeRemainingColumn()) if with_end else (TimeElapsedColumn(),)),
        console=console_for_messages(),
        transient=True,
        disable=not sys.stderr.isatty(),
    ) as bar:
        line = bar.add_task(safe_same_length(label), total=total, completed=done, rate=0.0)

        def update(count: int, expected: int | None = None) -> None:
            rate = (count - done) / max(time.monotonic() - start, 0.001)
            bar.update(line, completed=count, rate=rate, total=expected)

        yield update


@contextmanager
def bytes_bar(label: str) -> Iterator[Callable[[int, int | None], None]]:
    """A progress bar to call with the bytes done so far, and with their total."""
    with _bar() as bar:
        line = bar.add_task(safe_same_length(label), total=None)
        yield lambda done, total: bar.update(line, completed=done, total=total)


def _bar() -> Any:
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

    return Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        DownloadColumn(),
        TimeRemainingColumn(),
        console=console_for_messages(),
        transient=True,
    )
