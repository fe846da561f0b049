"""What the commands print with: results to standard output, everything else to standard error."""

from __future__ import annotations

import json
import re
import shlex
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any, TypeVar

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

from lacuna.pipeline.result import Stage

if TYPE_CHECKING:
    from rich.table import Table
    from rich.text import Text

    from lacuna.corpus.store import Skipped, Store
    from lacuna.errors import ItemError
    from lacuna.files.opening import TextSource
    from lacuna.metrics.report import ScoreTable
    from lacuna.pipeline.result import OnStep, Step


UNSAFE = re.compile(
    "[\x00-\x1f\x7f-\x9f"  # controls: they move the cursor, colour, or rename the window
    "\u200e\u200f\u202a-\u202e\u2066-\u2069"  # these turn the reading direction of what follows
    "\ud800-\udfff]"  # half surrogates cannot be written at all
)
STAND_IN = "�"
LINE_ENDS = re.compile("\r\n?")
KEPT = "\n\t"


def safe(text: str) -> str:
    r"""One line without anything that a terminal would obey; each such character becomes "�".

    >>> safe("two\nlines"), safe("a\x1b[31mred")
    ('two lines', 'a�[31mred')
    """
    return UNSAFE.sub(STAND_IN, " ".join(text.split()))


def safe_same_length(text: str) -> str:
    """The same, but every character keeps its place, so that marks still fit."""
    return UNSAFE.sub(STAND_IN, re.sub(r"\s", " ", text))


def safe_lines(text: str) -> str:
    r"""The same, but lines and tabs stay.

    >>> safe_lines("two\r\nlines\x07")
    'two\nlines�'
    """
    return UNSAFE.sub(_unless_kept, LINE_ENDS.sub("\n", text))


def safe_json(written: str) -> str:
    r"""JSON that says the same, with what a terminal would obey written as an escape.

    >>> safe_json('"a\x9b2J"')
    '"a\\u009b2J"'
    """
    return UNSAFE.sub(_escaped, written)


def _unless_kept(found: re.Match[str]) -> str:
    return found[0] if found[0] in KEPT else STAND_IN


def _escaped(found: re.Match[str]) -> str:
    # JSON itself has controls below this between its values only, as line ends.
    return found[0] if found[0] < "\x7f" else f"\\u{ord(found[0]):04x}"


class CleanConsole(Console):
    """Passes its own control codes on, and no others."""

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterable[Segment]:
        """What is printed, in pieces of one style."""
        for piece in super().render(renderable, options):
            if piece.control:
                yield piece
            else:
                yield Segment(safe_lines(piece.text), piece.style)


AROUND = 3
"""Columns of the terminal that each column of a table takes beside its text; the edge takes one."""


def fitting_widths(columns: Sequence[Sequence[str]], room: int) -> list[int] | None:
    """How wide each column, given as all its cells, is to be; None where the words do not fit.

    A column gets what its longest word needs, and what is left goes to those that want more, the
    narrowest first.

    >>> fitting_widths([["a long title"], ["12"]], 16)
    [7, 2]
    """
    from rich.cells import cell_len

    wanted = [max(map(cell_len, cells), default=0) for cells in columns]
    widths = [
        max((cell_len(word) for cell in cells for word in cell.split()), default=0)
        for cells in columns
    ]
    left = room - sum(widths) - AROUND * len(columns) - 1
    if left < 0:
        return None
    while left and (more := [i for i, width in enumerate(widths) if width < wanted[i]]):
        widths[min(more, key=widths.__getitem__)] += 1
        left -= 1
    return widths


def table_of(columns: Sequence[str], rows: Sequence[Sequence[str]], room: int) -> Table | None:
    """A table of so many columns of the terminal; None where the words do not fit in one.

    The first column is text, the others are numbers.
    """
    from rich import box
    from rich.table import Table
    from rich.text import Text

    cells = [[name, *(row[index] for row in rows)] for index, name in enumerate(columns)]
    widths = fitting_widths(cells, room)
    if widths is None:
        return None
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1))
    for index, (column, width) in enumerate(zip(columns, widths, strict=True)):
        table.add_column(column, justify="right" if index else "left", width=width)
    for row in rows:
        table.add_row(*map(Text, row))  # a Text, so that brackets are no markup
    return table


def records_of(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> list[tuple[str, str]]:
    """The same below each other: name and value of every cell, an empty pair between rows."""
    pairs: list[tuple[str, str]] = []
    for row in rows:
        pairs += [*zip(columns, row, strict=True), ("", "")]
    return pairs


# What the verbs print with: results to standard output, everything else to standard error.
#
# Nothing else in this folder prints, so that all text is made safe for a terminal here.


T = TypeVar("T")
PROGRESS_DELAY_SECONDS = 1.0
"""Seconds of work before a progress bar appears."""
SHOWN_BAD_ITEMS = 20
PIPE_WIDTH = 160
"""Columns that a table gets in a pipe, where its words fit."""


def say(text: str = "") -> None:
    """Lines on standard output."""
    print(safe_lines(text))


def console_for_results(**options: Any) -> CleanConsole:
    """What prints colours and layout on standard output."""

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

    return CleanConsole(stderr=True)


def print_json(value: Any) -> None:
    """One JSON object on standard output, with nothing in it that a terminal would obey."""
    print(safe_json(json.dumps(value, ensure_ascii=False, indent=1, allow_nan=False)))


def print_table(title: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """A table: the first column is text, the others are numbers.

    On a terminal that is too narrow for it, its rows are told one cell a line.
    """
    from rich.text import Text

    from lacuna.metrics.report import cell

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
            str(error).removesuffix(" Mend it, or set LACUNA_SKIP_BAD=1 to leave such items out."),
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
    shown = time.monotonic() + PROGRESS_DELAY_SECONDS
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
    from lacuna.files.json import Shape, dump, write_items
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


# Lines that break between words on a terminal, and go on below where they began.
#
# A pipe gets every line whole, as scripts expect it.


NARROWEST = 20
"""Columns that a text gets, however far in it stands."""


def say_hanging(lead: str, text: str) -> None:
    """``lead`` and a text; further lines begin below the text."""
    if not sys.stdout.isatty():
        say(lead + text)  # without what rich takes to load
        return
    from rich.text import Text

    print_hanging(console_for_results(), Text(lead), Text(text))


def say_document(text: str) -> None:
    """A text of many lines; a line that is too long goes on as far in as it began."""
    if not sys.stdout.isatty():
        say(text)
        return
    from rich.text import Text

    console = console_for_results()
    for line in safe_lines(text).expandtabs(4).split("\n"):
        inner = line.lstrip(" ")
        print_hanging(console, Text(line[: len(line) - len(inner)]), Text(inner))


def print_hanging(console: Console, lead: Text, text: Text) -> None:
    """The same in colours."""
    from rich.text import Text

    indent = lead.cell_len
    if not sys.stdout.isatty():
        console.print(Text.assemble(lead, text), soft_wrap=True)
        return
    if indent > console.width - NARROWEST:
        lead, text, indent = Text(), Text.assemble(lead, text), 0
    for number, line in enumerate(text.wrap(console, console.width - indent) or [Text()]):
        line.rstrip()
        before = Text(" " * indent) if number else lead
        console.print(Text.assemble(before, line), soft_wrap=True)


# A line that turns while a question is on its way, and says how far it is.
#
# It stands on standard error, on a terminal alone, and is gone when the work is done.


UNDER_WAY = {
    Stage.START: "searching the corpus",
    Stage.SPOT: "looking for what is missing",
    Stage.FIND: "finding where it may be",
    Stage.READ: "reading",
    Stage.ANSWER: "weighing the answers",
}
NEXT = {
    Stage.START: UNDER_WAY[Stage.SPOT],
    Stage.SPOT: UNDER_WAY[Stage.FIND],
    Stage.FIND: UNDER_WAY[Stage.READ],
    Stage.READ: UNDER_WAY[Stage.SPOT],
    Stage.ANSWER: "reading it in another way",
}
"""What takes time after each stage; where it is left out, the answer follows at once."""


@contextmanager
def spinner(label: str) -> Iterator[Callable[[str], None]]:
    """A line to call with what is done from now on; nothing where there is no terminal."""
    if not sys.stderr.isatty():
        yield lambda label: None
        return
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    console = console_for_messages()
    turning = "dots" if console.encoding.startswith("utf") else "line"
    columns = (
        SpinnerColumn(turning),
        TextColumn("{task.description} …", markup=False),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=console, transient=True) as line:
        task = line.add_task(label, total=None)
        yield lambda label: line.update(task, description=label)


@contextmanager
def stages_shown(first: Stage) -> Iterator[OnStep]:
    """The same for a question, to be called with each step when it is done."""
    with spinner(UNDER_WAY[first]) as show:
        yield lambda step: show(_next(step))


def _next(step: Step) -> str:
    if step.stage is Stage.START and not step.candidates:  # it only says how it was understood
        return UNDER_WAY[Stage.START]
    return NEXT[step.stage]


SHOWN_REASONS = 2
LONGEST_REASON = 90
"""Characters of a reason in the line; the list has them whole."""


def by_reason(skipped: Iterable[Skipped]) -> dict[str, list[str]]:
    """The files of each reason, the commonest reason first."""
    files: dict[str, list[str]] = {}
    for one in skipped:
        files.setdefault(one.reason, []).append(one.where)
    return dict(sorted(files.items(), key=lambda pair: -len(pair[1])))


def skipped_line(store: Store, corpora: Sequence[Path]) -> str:
    """One line about what was not read; "" where everything was."""
    reasons = by_reason(store.skipped())
    if not reasons:
        return ""
    count = sum(map(len, reasons.values()))
    parts = [_part(reason, files) for reason, files in list(reasons.items())[:SHOWN_REASONS]]
    if (more := len(reasons) - SHOWN_REASONS) > 0:
        parts.append(f"{more} more {'reason' if more == 1 else 'reasons'}")
    read = sum(source.files for source in store.sources())
    of_all = f"{count:,} of {read + count:,} files" if read else f"{count:,} pages"  # of a dump
    return f"{of_all} could not be read ({'; '.join(parts)}): {_command(corpora)} lists them."


def mostly_unread(store: Store) -> str:
    """A warning where more documents could not be read than could; "" elsewhere."""
    from lacuna.corpus.formats.detect import is_missed

    missed = sum(map(is_missed, store.skipped()))
    read = sum(source.files for source in store.sources()) or len(store)  # of a dump, its pages
    if missed <= read:
        return ""
    return (
        f"Most of these documents ({missed:,} of {read + missed:,}) could not be read. What "
        "follows rests on the others alone."
    )


def _part(reason: str, files: Sequence[str]) -> str:

    kinds = {PurePosixPath(file).suffix.lower() for file in files}
    kind = f" {kinds.pop()}" if len(kinds) == 1 and all(kinds) else ""
    short = reason if len(reason) <= LONGEST_REASON else reason[: LONGEST_REASON - 1] + "…"
    return safe(f"{len(files):,}{kind}: {short}")


def _command(corpora: Sequence[Path]) -> str:
    from lacuna.corpus.address import place_text

    named = [shlex.quote(place_text(corpus)) for corpus in corpora]
    return " ".join(["lacuna corpus info", *named, "--skipped"])
