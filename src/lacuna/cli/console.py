"""What the verbs print with: results to standard output, everything else to standard error."""

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

T = TypeVar("T")
PATIENCE = 1.0
"""Seconds of work before a progress bar appears."""
SHOWN_BAD_ITEMS = 20
CONTROLS = re.compile("[\x7f-\x9f]")
"""Controls that JSON leaves as they are."""


def complain(message: str, kind: str = "Error") -> None:
    """One paragraph on standard error; coloured on a terminal."""
    if not sys.stderr.isatty():
        print(f"{kind}: {message}", file=sys.stderr)
        return
    from rich.console import Console
    from rich.text import Text

    style = "bold red" if kind == "Error" else "bold yellow"
    Console(stderr=True).print(Text.assemble((f"{kind}: ", style), message))


def print_json(value: Any) -> None:
    """One JSON object on standard output, with nothing in it that a terminal would obey."""
    text = json.dumps(value, ensure_ascii=False, indent=1, allow_nan=False)
    print(CONTROLS.sub(lambda found: f"\\u{ord(found[0]):04x}", text))


def print_table(title: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """A table: the first column is text, the others are numbers."""
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD)
    for index, column in enumerate(columns):
        table.add_column(column, justify="right" if index else "left", no_wrap=not index)
    for row in rows:
        table.add_row(*(Text(cell(value)) for value in row))  # a Text: brackets are no markup
    # A pipe gets as much width as the table needs.
    console = Console(width=None if sys.stdout.isatty() else 160, highlight=False)
    console.print(Text(title, "bold"), soft_wrap=True)
    console.print(table)


def cell(value: Any) -> str:
    """A value as a table shows it."""
    if value is None:
        return "–"
    if isinstance(value, float):
        return f"{value:.1f}"
    return f"{value:,}" if isinstance(value, int) else str(value)


def report_bad_items(bad: Sequence[ItemError]) -> None:
    """Say which items were left out."""
    for error in bad[:SHOWN_BAD_ITEMS]:
        complain(
            str(error).removesuffix(" Mend it, or pass --skip-bad to leave such items out."),
            "Left out",
        )
    if bad:
        more = (
            f", {len(bad) - SHOWN_BAD_ITEMS:,} of them not shown"
            if len(bad) > SHOWN_BAD_ITEMS
            else ""
        )
        complain(f"{len(bad):,} broken items were left out{more}.", "Warning")


def watched(items: Iterable[T], source: TextSource, label: str) -> Iterator[T]:
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
    complain(f"{count:,} written to {output}.", "Done")


@contextmanager
def counting_bar(label: str, total: int | None, done: int = 0) -> Iterator[Callable[[int], None]]:
    """A line that is told how many are done; it shows the rate and, with a total, the time left.

    ``done`` were done before, and do not count for the rate.
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

        def seen(count: int) -> None:
            rate = (count - done) / max(time.monotonic() - start, 0.001)
            bar.update(line, completed=count, rate=rate)

        yield seen


@contextmanager
def bytes_bar(label: str) -> Iterator[Callable[[int, int | None], None]]:
    """A progress bar that is told how many bytes are done, of how many."""
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
