"""Runs of text in a builder, line by line."""

from __future__ import annotations

from collections.abc import Iterable

from lacuna.corpus.pages.page_builder import PageBuilder
from lacuna.corpus.pages.table import Run


def add_runs(builder: PageBuilder, runs: Iterable[Run], line: int) -> int:
    """Running text that begins on a line of the file; gives the line that it ends on.

    >>> builder = PageBuilder("Setup")
    >>> add_runs(builder, [Run("Read the\\n"), Run("guide", "guide.adoc"), Run(" first.")], 3)
    4
    >>> builder.page("setup.adoc").document.origin.marks
    ((0, 3), (9, 4))
    """
    for run in runs:
        if run.target:
            builder.open_written(run.target, run.kind)
        if run.picture:
            builder.open_picture(run.picture)
        for at, piece in enumerate(run.text.split("\n")):
            if at:
                builder.add(" ")
                line += 1
            builder.mark(line)
            builder.add(piece)
        if run.picture:
            builder.close_picture()
        if run.target:
            builder.close_link()
    return line


def add_lines(builder: PageBuilder, lines: Iterable[str], line: int) -> int:
    """Lines as they are, such as code; gives the line after the last of them."""
    for text in lines:
        if text.strip():
            builder.markup.code(True)
        builder.mark(line)
        builder.add_verbatim(text + "\n")
        line += 1
    return line


def runs_text(runs: Iterable[Run]) -> str:
    """Their words in one line."""
    return " ".join("".join(run.text for run in runs).split())
