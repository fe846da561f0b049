"""The text of a document part, block by block: paragraphs, and tables of them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import groupby

from lacuna.corpus.formats.docx.blocks import Block, Paragraph, Table, TableCell, TableRow
from lacuna.corpus.formats.docx.package import parse_xml
from lacuna.corpus.pages.table import Run

DROPPED = frozenset(("del", "moveFrom", "Fallback", "rt", "rPrChange", "pPrChange", "sectPr"))
"""What was deleted, what only old programs show, readings above words, how it looked before."""
SPACES = {"tab": " ", "br": "\n", "cr": "\n", "noBreakHyphen": "-", "ptab": " "}
HYPERLINK = re.compile(r'\s*HYPERLINK\s+(\\l\s+)?"([^"]+)"(?:\s+\\l\s+"([^"]+)")?')
OFF = ("0", "false", "off")
DEEPEST = 100
"""Tables and text boxes inside each other."""


@dataclass(slots=True)
class _Field:
    code: str = ""
    shown: bool = False  # after its code comes what it shows


class Body:
    """Reads one part; afterwards ``blocks`` holds its text, and ``notes`` that of its notes."""

    def __init__(self, content: bytes, targets: Mapping[str, str]) -> None:
        self.blocks: list[Block] = []
        self.notes: dict[str, list[Block]] = {}
        self._targets = targets
        self._into = [self.blocks]
        self._paragraphs: list[Paragraph] = []
        self._tables: list[Table] = []
        self._fields: list[_Field] = []
        self._links: list[str] = []
        self._dropped = 0
        self._hidden = False
        self._in_run = False
        self._reading = ""
        parse_xml(content, self._start, self._end, self._characters)

    def _start(self, name: str, attributes: Mapping[str, str]) -> None:
        if self._dropped or name in DROPPED or len(self._into) > DEEPEST:
            self._dropped += 1
            return
        if handler := STARTS.get(name):
            handler(self, attributes)
        elif name in SPACES:
            if attributes.get("type") not in ("page", "column") and self._in_run:
                self._add(SPACES[name])
        elif name in ("t", "instrText"):
            self._reading = name
        elif name in ("footnoteReference", "endnoteReference"):
            if self._paragraphs:
                kind = name.removesuffix("Reference")
                self._paragraphs[-1].notes.append((kind, attributes.get("id", "")))
        elif name in ("footnote", "endnote"):
            into: list[Block] = []
            if attributes.get("type", "normal") == "normal":
                self.notes[attributes.get("id", "")] = into
            self._into.append(into)

    def _end(self, name: str) -> None:
        if self._dropped:
            self._dropped -= 1
            return
        if name in ("t", "instrText"):
            self._reading = ""
        elif name == "r":
            self._in_run = self._hidden = False
        elif name == "p" and self._paragraphs:
            paragraph = self._paragraphs.pop()
            paragraph.runs = _merged(paragraph.runs)
            self._put(paragraph)
        elif name == "tbl" and self._tables:
            self._into[-1].append(self._tables.pop())
        elif name in ("tc", "txbxContent", "footnote", "endnote") and len(self._into) > 1:
            self._into.pop()
        elif name == "hyperlink" and self._links:
            self._links.pop()
        elif name == "fldSimple" and self._fields:
            self._fields.pop()

    def _put(self, paragraph: Paragraph) -> None:
        into = self._into[-1]
        before = into[-1] if into else None
        if isinstance(before, Paragraph) and before.is_initial:
            paragraph.runs = before.runs + paragraph.runs
            into.pop()
        into.append(paragraph)
        into += paragraph.boxes

    def _characters(self, text: str) -> None:
        if self._dropped or not self._reading:
            return
        if self._reading == "instrText":
            if self._fields and len(self._fields[-1].code) < 5000:
                self._fields[-1].code += text
        else:
            self._add(text)

    def _add(self, text: str) -> None:
        if self._paragraphs and not self._hidden:
            self._paragraphs[-1].runs.append(Run(text, self._target()))

    def _target(self) -> str:
        if self._links:
            return self._links[-1]
        for one in reversed(self._fields):
            if one.shown and (found := HYPERLINK.match(one.code)):
                anchor = found[2] if found[1] else found[3]
                return ("" if found[1] else found[2]) + (f"#{anchor}" if anchor else "")
        return ""

    def _start_paragraph(self, _: Mapping[str, str]) -> None:
        self._paragraphs.append(Paragraph())

    def _start_run(self, _: Mapping[str, str]) -> None:
        self._in_run = True

    def _style(self, attributes: Mapping[str, str]) -> None:
        if self._paragraphs:
            self._paragraphs[-1].style = attributes.get("val", "")

    def _level(self, attributes: Mapping[str, str]) -> None:
        if self._paragraphs and (value := attributes.get("val", "")) in tuple("012345678"):
            self._paragraphs[-1].level = int(value) + 1

    def _number(self, attributes: Mapping[str, str]) -> None:
        if self._paragraphs:
            self._paragraphs[-1].numbered = attributes.get("val") != "0"

    def _vanish(self, attributes: Mapping[str, str]) -> None:
        self._hidden = self._in_run and attributes.get("val") not in OFF

    def _frame(self, attributes: Mapping[str, str]) -> None:
        if self._paragraphs:
            self._paragraphs[-1].is_initial = attributes.get("dropCap") in ("drop", "margin")

    def _hyperlink(self, attributes: Mapping[str, str]) -> None:
        target = self._targets.get(attributes.get("id", ""), "")
        anchor = attributes.get("anchor", "")
        self._links.append(target + (f"#{anchor}" if anchor else ""))

    def _bookmark(self, attributes: Mapping[str, str]) -> None:
        name = attributes.get("name", "")
        if self._paragraphs and name and name != "_GoBack":
            self._paragraphs[-1].bookmarks.append(name)

    def _simple_field(self, attributes: Mapping[str, str]) -> None:
        self._fields.append(_Field(attributes.get("instr", ""), shown=True))

    def _field(self, attributes: Mapping[str, str]) -> None:
        kind = attributes.get("fldCharType")
        if kind == "begin":
            self._fields.append(_Field())
        elif kind == "separate" and self._fields:
            self._fields[-1].shown = True
        elif kind == "end" and self._fields:
            self._fields.pop()

    def _picture(self, attributes: Mapping[str, str]) -> None:
        if (words := attributes.get("descr", "").strip()) and self._paragraphs:
            self._paragraphs[-1].runs.append(Run(f" {words} "))

    def _box(self, _: Mapping[str, str]) -> None:
        self._into.append(self._paragraphs[-1].boxes if self._paragraphs else [])

    def _table(self, _: Mapping[str, str]) -> None:
        self._tables.append(Table())

    def _look(self, attributes: Mapping[str, str]) -> None:
        try:
            first = bool(int(attributes.get("val", "0"), 16) & 0x20)
        except ValueError:
            first = False
        if self._tables:
            told = attributes.get("firstRow")
            self._tables[-1].first_is_heading = first if told is None else told not in OFF

    def _row(self, _: Mapping[str, str]) -> None:
        if self._tables:
            self._tables[-1].rows.append(TableRow())

    def _heading_row(self, attributes: Mapping[str, str]) -> None:
        if self._tables and self._tables[-1].rows:
            self._tables[-1].rows[-1].heading = attributes.get("val") not in OFF

    def _columns_before(self, attributes: Mapping[str, str]) -> None:
        if self._tables and self._tables[-1].rows:
            self._tables[-1].rows[-1].cells.append(TableCell())
            self._span(attributes)

    def _cell(self, _: Mapping[str, str]) -> None:
        cell = TableCell()
        if self._tables and self._tables[-1].rows:
            self._tables[-1].rows[-1].cells.append(cell)
        self._into.append(cell.blocks)

    def _last_cell(self) -> TableCell | None:
        if self._tables and self._tables[-1].rows and self._tables[-1].rows[-1].cells:
            return self._tables[-1].rows[-1].cells[-1]
        return None

    def _span(self, attributes: Mapping[str, str]) -> None:
        value = attributes.get("val", "")
        if (cell := self._last_cell()) and value.isdecimal() and len(value) < 5:
            cell.across = max(1, int(value))

    def _merge(self, attributes: Mapping[str, str]) -> None:
        if cell := self._last_cell():
            cell.merge = attributes.get("val", "continue")


def _merged(runs: list[Run]) -> list[Run]:
    """A link is one run, however its letters are set."""
    return [
        Run("".join(run.text for run in group), target)
        for target, group in groupby(runs, key=lambda run: run.target)
    ]


STARTS = {
    "p": Body._start_paragraph,
    "r": Body._start_run,
    "pStyle": Body._style,
    "outlineLvl": Body._level,
    "numId": Body._number,
    "framePr": Body._frame,
    "vanish": Body._vanish,
    "hyperlink": Body._hyperlink,
    "bookmarkStart": Body._bookmark,
    "fldSimple": Body._simple_field,
    "fldChar": Body._field,
    "docPr": Body._picture,
    "txbxContent": Body._box,
    "tbl": Body._table,
    "tblLook": Body._look,
    "tr": Body._row,
    "tblHeader": Body._heading_row,
    "gridBefore": Body._columns_before,
    "tc": Body._cell,
    "gridSpan": Body._span,
    "vMerge": Body._merge,
}
"""What the start of an element does, by its name."""
