"""What the verbs print with: results to standard output, everything else to standard error.

Text from questions and documents is made safe for a terminal first.
"""

from __future__ import annotations

import json
import re
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from pathlib import Path

    from lacuna.errors import ItemError
    from lacuna.files.opening import TextSource
    from lacuna.metrics.score_tables import ScoreTable

T = TypeVar("T")
PATIENCE = 1.0
"""Seconds of work before a progress bar appears."""
SHOWN_BAD_ITEMS = 20
CONTROLS = re.compile("[\x7f-\x9f]")
"""Controls that JSON leaves as they are."""
UNSAFE = re.compile(
    "[\x00-\x1f\x7f-\x9f"  # controls: they move the cursor, colour, or rename the window
    "\u200e\u200f\u202a-\u202e\u2066-\u2069"  # these turn the reading direction of what follows
    "\ud800-\udfff]"  # half surrogates cannot be written at all
)


def safe(text: str) -> str:
    r"""One line without anything that a terminal would obey; each such character becomes "�".

    >>> safe("two\nlines"), safe("a\x1b[31mred")
    ('two lines', 'a�[31mred')
    """
    return UNSAFE.sub("�", " ".join(text.split()))


def safe_same_length(text: str) -> str:
    """The same, but every character keeps its place, so that marks still fit."""
    return UNSAFE.sub("�", re.sub(r"\s", " ", text))


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
    if not sys.stderr.isatty():
        print(f"{label}: {message}", file=sys.stderr)
        return
    from rich.console import Console
    from rich.text import Text

    Console(stderr=True).print(Text.assemble((f"{label}: ", style), message))


def print_json(value: Any) -> None:
    """One JSON object on standard output, with nothing in it that a terminal would obey."""
    text = json.dumps(value, ensure_ascii=False, indent=1, allow_nan=False)
    print(CONTROLS.sub(lambda control: f"\\u{ord(control[0]):04x}", text))


def print_table(title: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """A table: the first column is text, the others are numbers."""
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from lacuna.metrics.score_tables import cell

    table = Table(box=box.SIMPLE_HEAD)
    for index, column in enumerate(columns):
        table.add_column(column, justify="right" if index else "left", no_wrap=not index)
    for row in rows:
        table.add_row(*(Text(cell(value)) for value in row))  # a Text: brackets are no markup
    # A pipe gets as much width as the table needs.
    console = Console(width=None if sys.stdout.isatty() else 160, highlight=False)
    console.print(Text(title, "bold"), soft_wrap=True)
    console.print(table)


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
                    line = bar.add_task(label, total=source.size)
                bar.update(line, completed=source.bytes_read)
    finally:
        if bar is not None:
            bar.stop()


def print_or_write(records: Iterable[Any], output: Path | None) -> None:
    """Records as JSON lines: into a file, or on standard output."""
    from lacuna.files.json_stream import Shape
    from lacuna.files.json_write import dump, write_items
    from lacuna.files.writing import replace_text

    if output is None:
        for record in records:
            print(dump(record))
        return
    count = 0

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
    from rich.console import Console
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
        *((TimeElapsedColumn(),) if total is None else (BarColumn(), TimeRemainingColumn())),
        console=Console(stderr=True),
        transient=True,
        disable=not sys.stderr.isatty(),
    ) as bar:
        line = bar.add_task(label, total=total, completed=done, rate=0.0)

        def update(count: int) -> None:
            rate = (count - done) / max(time.monotonic() - start, 0.001)
            bar.update(line, completed=count, rate=rate)

        yield update


@contextmanager
def bytes_bar(label: str) -> Iterator[Callable[[int, int | None], None]]:
    """A progress bar to call with the bytes done so far, and with their total."""
    with _bar() as bar:
        line = bar.add_task(label, total=None)
        yield lambda done, total: bar.update(line, completed=done, total=total)


def _bar() -> Any:
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

    return Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        DownloadColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    )
