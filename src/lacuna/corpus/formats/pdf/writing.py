"""Blocks to text: words parted at line ends are put together, links keep their words."""

from __future__ import annotations

import re
from collections.abc import Iterable

from lacuna.corpus.formats.pdf.lines import Line, Word
from lacuna.corpus.formats.pdf.paragraphs import Kind, TextBlock
from lacuna.corpus.pages.page_builder import PageBuilder
from lacuna.corpus.pages.table import BETWEEN_CELLS

PARTED = re.compile(r"\w-$")
UNSPACED = re.compile(r"[\u3000-\u30ff\u3400-\u9fff\uf900-\ufaff\uff00-\uff60]")
"""Chinese and Japanese, which are written without spaces."""
ADDRESS = re.compile(r"://|^www\.")
AFTER_HYPHEN = ("and", "or", "und", "oder", "et", "ou", "y", "e")
EDGES = re.compile(r"^\W+|\W+$")


def write_blocks(builder: PageBuilder, blocks: list[TextBlock]) -> None:
    """Add them all to a page."""
    known = _vocabulary(line for block in blocks for line in block.lines)
    for before, block in zip([None, *blocks], blocks, strict=False):
        if before is not None and not (before.kind is Kind.ITEM is block.kind):
            builder.end_list()
        if block.level:
            builder.open_heading(block.level)
        if block.kind is Kind.CODE and not block.level:
            _write_code(builder, block.lines)
        else:
            in_table = len(block.lines) == 1 and (
                block.kind is Kind.ITEM or len(block.lines[0].cells()) > 2
            )
            for at, line in enumerate(block.lines):
                following = block.lines[at + 1] if at + 1 < len(block.lines) else None
                _write_line(builder, line, following, known, in_table)
        if block.kind is Kind.ITEM and not block.level:
            builder.end_item()
        else:
            builder.end_block()
    builder.end_list()


def _vocabulary(lines: Iterable[Line]) -> set[str]:
    return {
        _bare(word.text)
        for line in lines
        for word in line.words[:-1]  # the last one may be half a word
    }


def _write_line(
    builder: PageBuilder, line: Line, following: Line | None, known: set[str], in_table: bool
) -> None:
    builder.mark(line.page)
    target = ""
    cells = line.cells() if in_table else [line.words]
    for number, cell in enumerate(cells):
        if number:
            builder.add(BETWEEN_CELLS if len(cells) > 2 or len(cells[0][0].text) > 3 else " ")
        for at, word in enumerate(cell):
            if word.target != target:
                builder.close_link()
                if word.target:
                    builder.open_written(word.target)
                target = word.target
            last = number == len(cells) - 1 and at == len(cell) - 1
            builder.add(_at_line_end(word, following, known) if last else word.text + " ")
    builder.close_link()


def _at_line_end(word: Word, following: Line | None, known: set[str]) -> str:
    """The last word of a line, and whether a space goes between it and the next one."""
    rest = following.words[0].text if following else ""
    if following and _is_address(word, following.words[0]):
        return word.text
    if UNSPACED.match(word.text[-1]) and UNSPACED.match(rest):
        return word.text
    if not rest or not PARTED.search(word.text):
        return word.text + " "
    if rest in AFTER_HYPHEN:  # "pre- and postwar"
        return word.text + " "
    return word.text if _keeps_hyphen(word.text, rest, known) else word.text[:-1]


def _is_address(word: Word, rest: Word) -> bool:
    """Whether an address goes on in the next line."""
    if not ADDRESS.search(word.text):
        return False
    return (word.target != "" and word.target == rest.target) or word.text[-1] in "/=&_?-"


def _keeps_hyphen(word: str, rest: str, known: set[str]) -> bool:
    """Whether the hyphen belongs to the word, as the rest of the text has it."""
    first, second = _bare(word), _bare(rest)
    if first + second in known:
        return False
    if not rest[:1].islower() or "-" in word[1:-1]:
        return True  # a name, a number, a chain: "Navier-Stokes", "1914-1918", "up-to-date"
    both_are_words = min(len(first), len(second)) > 3 and {first, second} <= known
    return both_are_words or f"{first}-{second}" in known


def _bare(word: str) -> str:
    return EDGES.sub("", word).casefold()


def _write_code(builder: PageBuilder, lines: list[Line]) -> None:
    left = min(line.left for line in lines)
    for line in lines:
        builder.mark(line.page)
        width = max(1.0, (line.right - line.left) / max(1, len(line.text)))
        indent = min(40, round((line.left - left) / width))
        builder.add_verbatim(" " * indent + _code_text(line, width) + "\n")


def _code_text(line: Line, width: float) -> str:
    text, before = "", line.left
    for word in line.words:
        spaces = round((word.left - before) / width)
        text += " " * max(1, min(spaces, 40)) * bool(text) + word.text
        before = word.right
    return text
