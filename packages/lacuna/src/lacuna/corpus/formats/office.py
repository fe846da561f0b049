"""PowerPoint, Excel and OpenDocument files: a page each, with its slides or sheets as sections."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import PurePosixPath

from lacuna.corpus.formats.delimited import (
    LOOKED_AT,
    MOST_COLUMNS,
    TableShape,
    add_row,
    find_header,
)
from lacuna.corpus.formats.docx import (
    DEEPEST_ELEMENT,
    NOT_A_TITLE,
    Block,
    DocxWriter,
    Package,
    Paragraph,
    Styles,
    Table,
    TableCell,
    TableRow,
    UnreadablePackageError,
    merged,
    parse_xml,
    read_properties,
    shown_properties,
)
from lacuna.corpus.formats.entries import Entry
from lacuna.corpus.page import Page
from lacuna.corpus.page_builder import PageBuilder, add_facts
from lacuna.corpus.store import Skipped
from lacuna.corpus.tables import Run
from lacuna.places import PlaceUnit

LARGEST_TEXT = 8_000_000
"""Characters and places of a workbook's cells: a word may be named in it without end."""
LONGEST_CELL = 1 << 15
"""Characters that Excel lets a cell have."""
Relations = Mapping[str, tuple[str, str]]
Notes = Mapping[tuple[str, str], list[Block]]


@dataclass(slots=True)
class Worksheet:
    """A sheet: its rows that hold something, each with its number."""

    name: str
    rows: list[tuple[int, list[str]]] = field(default_factory=list)


@dataclass(slots=True)
class Office:
    """What was read of a file: either sheets, or blocks, of which each slide is a list."""

    facts: dict[str, str]
    title: str = ""
    parts: list[list[Block]] = field(default_factory=list)
    sheets: list[Worksheet] = field(default_factory=list)
    footnotes: dict[tuple[str, str], list[Block]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    unit: PlaceUnit = PlaceUnit.LINE


def parse_office(entry: Entry) -> Iterator[Page | Skipped]:
    """The page that a file makes; where it calls itself nothing, its name is the title."""
    try:
        yield _page(entry)
    except UnreadablePackageError as error:
        yield Skipped(entry.name, str(error))


def _page(entry: Entry) -> Page | Skipped:
    path = PurePosixPath(entry.name)
    package = Package(entry.data, path.suffix.lower().lstrip("."))
    roots = dict(package.relations("").values())
    main = roots.get("officeDocument", "")
    if content := package.part("content.xml"):
        read = _open_document(package, content)
    elif main and (content := package.part(main)):
        properties = roots.get("core-properties", "docProps/core.xml")
        facts = read_properties(package, properties)
        read = (_workbook if main.startswith("xl/") else _slides)(package, main, content, facts)
    else:
        return Skipped(entry.name, f"it is no {path.suffix[1:].upper()} file: it has no text part")
    told = read.facts.pop("title", "")
    named = read.title or ("" if told.casefold() in NOT_A_TITLE else told)
    builder = PageBuilder(" ".join(named.split())[:300] or path.stem)
    for number, blocks in enumerate(read.parts, 1):
        if read.unit is PlaceUnit.PAGE:
            builder.mark(number)
        DocxWriter(builder, Styles({}), read.footnotes).write(blocks)
    for sheet in read.sheets:
        _write_sheet(builder, sheet)
    if not builder.has_paragraph:
        return Skipped(entry.name, "it has no text")
    add_facts(builder, shown_properties(read.facts))
    extra = {"note": "; ".join(read.notes)} if read.notes else {}
    return builder.page(entry.name, unit=read.unit, extra=extra)


def _write_sheet(builder: PageBuilder, sheet: Worksheet) -> None:
    rows = [row for _, row in sheet.rows]
    shape = TableShape("", width=max(map(len, rows)))
    find_header(rows[:LOOKED_AT], shape)
    builder.end_list()
    builder.mark(sheet.rows[0][0])
    builder.open_heading(1)
    builder.add(sheet.name)
    builder.end_block()
    for at, (number, row) in enumerate(sheet.rows, 1):
        if not (shape.header and at == shape.first - 1 and len(rows) > 1):
            builder.mark(number)
            row += [""] * (shape.width - len(row))  # so that empty cells at its end are said
            add_row(builder, row, shape if at >= shape.first else TableShape(""))
    builder.end_list()


def _heading(text: str) -> Paragraph:
    return Paragraph(level=1, runs=[Run(text)])


def _slide(number: int, title: str, blocks: Sequence[Block], told: Sequence[Block]) -> list[Block]:
    """The blocks of a slide under its number; what is told beside it follows."""
    name = f"Slide {number}: {title}" if title else f"Slide {number}"
    return [_heading(name), *blocks, *_noted(told)]


def _noted(told: Sequence[Block]) -> Iterator[Block]:
    first = True
    for block in told:
        if isinstance(block, Paragraph) and block.text:
            runs = [Run("Notes: "), *block.runs] if first else block.runs
            yield Paragraph(runs=runs)
            first = False


def _left_out(number: int, kind: str) -> list[str]:
    shown = f"1 {kind} was" if number == 1 else f"{number} {kind}s were"
    return [f"{shown} left out"] if number else []


class Blocks:
    """What reading slides and OpenDocument has in common: where the next block goes."""

    def __init__(self) -> None:
        self.blocks: list[Block] = []
        self.into = [self.blocks]
        self.paragraphs: list[Paragraph] = []
        self.tables: list[Table] = []
        self.dropped = 0

    def drops(self, name: str, names: frozenset[str]) -> bool:
        """Tell if an element that begins is not read, nor what is in it."""
        if self.dropped or name in names or len(self.into) > DEEPEST_ELEMENT:
            self.dropped += 1
        return self.dropped > 0

    def is_dropped(self) -> bool:
        """Tell if an element that ends was not read."""
        self.dropped = max(0, self.dropped - 1) if (was := self.dropped > 0) else 0
        return was

    def add(self, text: str, target: str = "") -> None:
        """Text of the paragraph that is being read."""
        if self.paragraphs:
            self.paragraphs[-1].runs.append(Run(text, target))

    def end_paragraph(self) -> None:
        """Put a paragraph where it belongs."""
        if self.paragraphs:
            paragraph = self.paragraphs.pop()
            paragraph.runs = merged(paragraph.runs)
            self.into[-1].append(paragraph)

    def begin_row(self) -> None:
        """A row of the table that is being read."""
        if self.tables:
            self.tables[-1].rows.append(TableRow())

    def begin_cell(self, cell: TableCell) -> None:
        """A cell of it, and what follows goes there."""
        if self.tables and self.tables[-1].rows:
            self.tables[-1].rows[-1].cells.append(cell)
        self.into.append(cell.blocks)

    def leave(self) -> None:
        """The end of a cell, or of a note."""
        if len(self.into) > 1:
            self.into.pop()

    def end_table(self) -> None:
        """Put a table where it belongs."""
        if self.tables:
            self.into[-1].append(self.tables.pop())


FALLBACK = frozenset(("Fallback",))
FURNITURE = frozenset(("sldNum", "dt", "ftr", "hdr", "sldImg"))
"""Placeholders for what stands on each slide."""
BODY = frozenset(("body", "obj", "subTitle"))
OFF = ("0", "false")


class _Slide(Blocks):
    """One slide, or the notes to it; afterwards ``blocks`` holds its text."""

    def __init__(self, content: bytes, relations: Relations) -> None:
        super().__init__()
        self.title = ""
        self.is_hidden = False
        self.body: list[Block] = []
        self._relations = relations
        self._shape = ""
        self._begun = 0  # blocks before the shape
        self._target = ""
        self._reads = False
        parse_xml(content, self._start, self._end, self._characters)

    def _start(self, name: str, attributes: Mapping[str, str]) -> None:
        if self.drops(name, FALLBACK):
            return
        match name:
            case "sld":
                self.is_hidden = attributes.get("show") in OFF
            case "sp":
                self._shape, self._begun = "", len(self.blocks)
            case "ph":
                self._shape = attributes.get("type", "obj")
            case "p":
                self.paragraphs.append(Paragraph())
            case "fld":
                self.dropped += attributes.get("type", "").startswith(("slidenum", "datetime"))
            case "t":
                self._reads = True
            case "br":
                self.add("\n")
            case "hlinkClick" if self.paragraphs:
                kind, target = self._relations.get(attributes.get("id", ""), ("", ""))
                self._target = target if kind == "hyperlink" else ""
            case "cNvPr" if attributes.get("descr", "").strip():
                self.blocks.append(Paragraph(runs=[Run(attributes["descr"])]))
            case "tbl":
                self.tables.append(Table())
            case "tblPr" if self.tables:
                self.tables[-1].first_is_heading = attributes.get("firstRow", "0") not in OFF
            case "tr":
                self.begin_row()
            case "tc":
                self._cell(attributes)

    def _cell(self, attributes: Mapping[str, str]) -> None:
        if attributes.get("hMerge", "0") not in OFF:
            self.into.append([])
            return
        merge = "restart" if _number(attributes.get("rowSpan")) > 1 else ""
        merge = "continue" if attributes.get("vMerge", "0") not in OFF else merge
        self.begin_cell(TableCell(across=_number(attributes.get("gridSpan")), merge=merge))

    def _end(self, name: str) -> None:
        if self.is_dropped():
            return
        match name:
            case "t":
                self._reads = False
            case "r":
                self._target = ""
            case "p":
                self.end_paragraph()
            case "tc":
                self.leave()
            case "tbl":
                self.end_table()
            case "sp":
                self._end_shape()

    def _end_shape(self) -> None:
        written, self.blocks[self._begun :] = self.blocks[self._begun :], []
        shown = [block for block in written if isinstance(block, Table) or block.text]
        if self._shape in ("title", "ctrTitle"):
            words = [block.text for block in shown if isinstance(block, Paragraph)]
            self.title = " ".join((self.title, *words)).strip()
        elif self._shape not in FURNITURE:
            for block in shown if self._shape in BODY and len(shown) > 1 else ():
                if isinstance(block, Paragraph):
                    block.numbered = True
            self.blocks += shown
            self.body += shown if self._shape == "body" else []
        self._shape, self._begun = "", len(self.blocks)

    def _characters(self, text: str) -> None:
        if self._reads and not self.dropped:
            self.add(text, self._target)


def _slides(package: Package, main: str, content: bytes, facts: dict[str, str]) -> Office:
    relations = package.relations(main)
    listed: list[str] = []

    def start(name: str, attributes: Mapping[str, str]) -> None:
        kind, target = relations.get(attributes.get("id", ""), ("", ""))
        if name == "sldId" and kind == "slide":
            listed.append(target)

    # The number of a slide is called "id" as well, in no namespace, and may come last.
    parse_xml(content, start)
    listed = listed or [target for kind, target in relations.values() if kind == "slide"]
    read = Office(facts, unit=PlaceUnit.PAGE)
    hidden = 0
    for number, part in enumerate(dict.fromkeys(listed), 1):
        inside = package.relations(part)
        slide = _Slide(package.part(part) or b"<none/>", inside)
        hidden += slide.is_hidden
        told: list[Block] = []
        for kind, target in () if slide.is_hidden else inside.values():
            if kind == "notesSlide" and (written := package.part(target)):
                told += _Slide(written, package.relations(target)).body
            elif kind == "diagramData" and (written := package.part(target)):
                slide.blocks += _Slide(written, {}).blocks
        has_text = slide.title or slide.blocks or told
        shown = has_text and not slide.is_hidden
        read.parts.append(_slide(number, slide.title, slide.blocks, told) if shown else [])
    read.notes += _left_out(hidden, "hidden slide")
    return read


def _number(written: str | None, most: int = MOST_COLUMNS) -> int:
    digits = (written or "").strip()
    if not digits.isascii() or not digits.isdigit():
        return 1
    return max(1, min(int(digits[:10]), most))


DATES = frozenset((*range(14, 18), 22, *range(27, 37), *range(50, 59)))
TIMES = frozenset((18, 19, 20, 21, 45, 46, 47))
PERCENTS = frozenset((9, 10))
NO_SIGN = re.compile(r'"[^"]*"|\\.|\[[^\]hms]*\]|_.|\*.')
"""Parts of a format that stand for themselves, or are a colour or a condition."""
LAST_DAY = 2_958_465
"""31 December 9999, as Excel counts."""


class _Formats:
    """How the numbers of a workbook are shown, by the look of a cell."""

    def __init__(self, content: bytes, *, is_1904: bool) -> None:
        year = (1904, 1, 1) if is_1904 else (1899, 12, 30)
        self._first = datetime(*year)  # noqa: DTZ001 - a workbook knows no zones
        self._codes: dict[str, str] = {}
        self._looks: list[str] = []
        self._reads = False
        parse_xml(content, self._start, self._end)

    def shown(self, value: str, look: int) -> str:
        """A number as a reader sees it; dates as the year, the month and the day."""
        try:
            number = float(value)
        except ValueError:
            return value
        kind = self._kind(self._looks[look]) if 0 <= look < len(self._looks) else ""
        if kind in ("date", "time") and 0 <= number <= LAST_DAY:
            seconds = timedelta(seconds=round(number * 86400))
            at = self._first + seconds
            clock = at.strftime("%H:%M:%S").removesuffix(":00")
            if kind == "time" and number < 1:
                return clock
            return f"{at:%Y-%m-%d}" + (f" {clock}" if seconds.seconds else "")
        return f"{number * 100:.10g}%" if kind == "percent" else f"{number:.15g}"

    def _kind(self, look: str) -> str:
        code = NO_SIGN.sub("", self._codes.get(look, "")).lower()
        known = int(look) if look.isascii() and look.isdigit() else 0
        if known in PERCENTS or code.endswith("%"):
            return "percent"
        if known in DATES or "y" in code or "d" in code:
            return "date"
        return "time" if known in TIMES or re.search(r"[hs]", code) else ""

    def _start(self, name: str, attributes: Mapping[str, str]) -> None:
        if name == "numFmt":
            code = attributes.get("formatCode", "")
            self._codes[attributes.get("numFmtId", "")] = code[:100].partition(";")[0]
        elif name == "cellXfs":
            self._reads = True
        elif name == "xf" and self._reads:
            self._looks.append(attributes.get("numFmtId", "0"))

    def _end(self, name: str) -> None:
        if name == "cellXfs":
            self._reads = False


def _shared_words(content: bytes) -> list[str]:
    """The words that cells name by their number, without how they are pronounced."""
    words: list[str] = []
    reads, aside = False, 0

    def start(name: str, _: Mapping[str, str]) -> None:
        nonlocal reads, aside
        if name == "si":
            words.append("")
        aside += name == "rPh"
        reads = name == "t" and not aside

    def end(name: str) -> None:
        nonlocal reads, aside
        aside -= name == "rPh"
        reads = False

    def characters(text: str) -> None:
        if reads and words and len(words[-1]) < LONGEST_CELL:
            words[-1] += text

    parse_xml(content, start, end, characters)
    return words


class _Room:
    """How much of a workbook is still to be read."""

    def __init__(self, notes: list[str]) -> None:
        self._left = LARGEST_TEXT
        self._notes = notes

    def takes(self, sheet: Worksheet, number: int, row: list[str]) -> None:
        """Add a row to a sheet, unless it is empty or there is no room."""
        while row and not row[-1].strip():
            row.pop()
        if not row or self._left < 0:
            return
        self._left -= len(row) + sum(map(len, row))
        if self._left < 0:
            last = sheet.rows[-1][0] if sheet.rows else 0
            told = f"rows of {sheet.name} after {last} were left out"
            self._notes.append(f"{told}: its text is too long; split it")
        else:
            sheet.rows.append((number, row))


class _SheetRows:
    """Reads the rows of one sheet of a workbook."""

    def __init__(
        self, content: bytes, sheet: Worksheet, words: Sequence[str], formats: _Formats, room: _Room
    ) -> None:
        self._sheet, self._words, self._formats, self._room = sheet, words, formats, room
        self._row: list[str] = []
        self._number = 0
        self._column = 0
        self._kind = self._value = ""
        self._look = 0
        self._reads = False
        parse_xml(content, self._start, self._end, self._characters)

    def _start(self, name: str, attributes: Mapping[str, str]) -> None:
        if name == "row":
            self._number = _number(attributes.get("r") or str(self._number + 1), 1 << 21)
            self._row, self._column = [], 0
        elif name == "c":
            self._column = _column(attributes.get("r", "")) or self._column + 1
            self._kind, self._value = attributes.get("t", "n"), ""
            look = attributes.get("s", "0")[:6]
            self._look = int(look) if look.isdecimal() else 0
        self._reads = name in ("v", "t")

    def _end(self, name: str) -> None:
        self._reads = False
        if name == "c" and self._value and self._column <= MOST_COLUMNS:
            missing = self._column - len(self._row)
            self._row += [""] * missing
            self._row[self._column - 1] = self._shown()
        elif name == "row":
            self._room.takes(self._sheet, self._number, self._row)
            self._row = []

    def _characters(self, text: str) -> None:
        if self._reads and len(self._value) < LONGEST_CELL:
            self._value += text

    def _shown(self) -> str:
        match self._kind:
            case "s":
                at = int(self._value[:10]) if self._value.isdecimal() else -1
                return self._words[at] if 0 <= at < len(self._words) else ""
            case "b":
                return "FALSE" if self._value == "0" else "TRUE"
            case "n":
                return self._formats.shown(self._value[:50], self._look)
        return self._value


def _column(reference: str) -> int:
    """The number of a column: 1 of ``A7``, 28 of ``AB7``; 0 where none is named."""
    number = 0
    for letter in reference[:3].upper():
        if "A" <= letter <= "Z":
            number = 26 * number + ord(letter) - 64
    return number


def _workbook(package: Package, main: str, content: bytes, facts: dict[str, str]) -> Office:
    relations = package.relations(main)
    parts = dict(relations.values())
    listed: dict[str, str] = {}
    hidden = 0
    is_1904 = False

    def start(name: str, attributes: Mapping[str, str]) -> None:
        nonlocal hidden, is_1904
        if name == "workbookPr":
            is_1904 = attributes.get("date1904", "0") not in OFF
        elif name == "sheet":
            kind, target = relations.get(attributes.get("id", ""), ("", ""))
            if attributes.get("state", "visible") != "visible":
                hidden += 1
            elif kind == "worksheet":
                listed.setdefault(target, attributes.get("name", ""))

    parse_xml(content, start)
    words = _shared_words(package.part(parts.get("sharedStrings", "")) or b"<none/>")
    looks = package.part(parts.get("styles", "")) or b"<none/>"
    formats = _Formats(looks, is_1904=is_1904)
    read = Office(facts, unit=PlaceUnit.ROW)
    room = _Room(read.notes)
    for part, name in listed.items():
        sheet = Worksheet(name)
        _SheetRows(package.part(part) or b"<none/>", sheet, words, formats, room)
        if sheet.rows:
            read.sheets.append(_without_margin(sheet))
    read.notes += _left_out(hidden, "hidden sheet")
    return read


def _without_margin(sheet: Worksheet) -> Worksheet:
    """The sheet without the empty columns on its left."""
    firsts = [next(at for at, cell in enumerate(row) if cell.strip()) for _, row in sheet.rows]
    margin = min(firsts)
    return Worksheet(sheet.name, [(number, row[margin:]) for number, row in sheet.rows])


NOT_READ = frozenset(
    (
        "tracked-changes",
        "annotation",
        "annotation-end",
        "table-of-content",
        "alphabetical-index",
        "illustration-index",
        "table-index",
        "object-index",
        "user-index",
        "automatic-styles",
        "forms",
        "note-citation",
        "sequence-decls",
        "variable-decls",
        "ruby-text",
    )
)
"""Deleted text, comments, what another program would make, and looks."""
ON_EACH_PAGE = frozenset(("footer", "header", "date-time", "page-number"))
OPEN_PROPERTIES = {
    "initial-creator": "author",
    "subject": "subject",
    "keyword": "keywords",
    "description": "description",
    "creation-date": "created",
    "date": "modified",
}


class _OpenDocument(Blocks):
    """Reads the content of a text, a spreadsheet or a presentation."""

    def __init__(self, content: bytes, read: Office) -> None:
        super().__init__()
        self._read = read
        self._room = _Room(read.notes)
        self._cells = LARGEST_TEXT  # that repeated ones may take
        self._is_sheet = False
        self._links: list[str] = []
        self._lists = 0
        self._in_title = False
        self._in_words = 0  # of a picture
        self._headings = 0
        self._title = ""
        self._told: list[Block] = []
        self._covered = 0
        self._repeat = 1
        self._row = 0
        self._row_repeat = 1
        parse_xml(content, self._start, self._end, self._characters)

    def _start(self, name: str, attributes: Mapping[str, str]) -> None:
        if self.drops(name, NOT_READ):
            return
        match name:
            case "spreadsheet":
                self._is_sheet, self._read.unit = True, PlaceUnit.ROW
            case "page":
                self._read.unit = PlaceUnit.PAGE
                self._title, self._told = "", []
                self.blocks.clear()
            case "frame" if (kind := attributes.get("class")) is not None:
                self._in_title = kind == "title"
                self.dropped += kind in ON_EACH_PAGE
            case "notes":
                self.into.append(self._told)
            case "p" | "h":
                self._paragraph(name, attributes)
            case "a":
                self._links.append(attributes.get("href", ""))
            case "s" | "tab":
                self.add(" ")
            case "line-break":
                self.add("\n")
            case "desc":
                self._in_words += 1
                self.paragraphs.append(Paragraph())
            case "list-item":
                self._lists += 1
            case "note":
                self._note()
            case "note-body":
                self.into.append(self._note_blocks())
            case "table":
                self._table(attributes)
            case "table-header-rows":
                self._headings += 1
            case "table-row":
                self.begin_row()
                self._covered = 0
                self._row_repeat = _number(attributes.get("number-rows-repeated"), 1 << 21)
                if self.tables and self.tables[-1].rows:
                    self.tables[-1].rows[-1].heading = self._headings > 0
            case "table-cell" | "covered-table-cell":
                self._cell(attributes, is_covered=name != "table-cell")

    def _end(self, name: str) -> None:
        if self.is_dropped():
            return
        match name:
            case "page":
                self._end_page()
            case "text":
                self._read.parts.append(self.blocks)
            case "frame":
                self._in_title = False
            case "notes":
                self.leave()
            case "p" | "h":
                self._end_paragraph()
            case "desc":
                self._in_words -= 1
                self.end_paragraph()
            case "a" if self._links:
                self._links.pop()
            case "list-item":
                self._lists -= 1
            case "note-body":
                self.leave()
            case "table-header-rows":
                self._headings -= 1
            case "table-cell" | "covered-table-cell":
                self.leave()
                self._repeat_cell()
            case "table-row":
                self._end_row()
            case "table":
                self._end_table()

    def _characters(self, text: str) -> None:
        if not self.dropped:
            self.add(" ".join(text.split("\n")), self._links[-1] if self._links else "")

    def _paragraph(self, name: str, attributes: Mapping[str, str]) -> None:
        level = _number(attributes.get("outline-level"), 9) if name == "h" else 0
        is_item = self._lists > 0 and not level
        style = attributes.get("style-name", "")
        self.paragraphs.append(Paragraph(style=style, level=level, numbered=is_item))

    def _end_paragraph(self) -> None:
        if not self.paragraphs:
            return
        paragraph = self.paragraphs[-1]
        is_title = paragraph.style == "Title" and not self._read.title and len(self.into) == 1
        paragraph.style = ""
        if self._in_title:
            self._title = f"{self._title} {paragraph.text}".strip()
            self.paragraphs.pop()
        elif is_title and paragraph.text:
            self._read.title = paragraph.text
            self.paragraphs.pop()
        else:
            self.end_paragraph()

    def _note(self) -> None:
        if self.paragraphs:
            self.paragraphs[-1].notes.append(("note", str(len(self._read.footnotes))))

    def _note_blocks(self) -> list[Block]:
        key = ("note", str(len(self._read.footnotes)))
        return self._read.footnotes.setdefault(key, [])

    def _end_page(self) -> None:
        number = len(self._read.parts) + 1
        has_text = self._title or self.blocks or self._told
        slide = _slide(number, self._title, self.blocks, self._told) if has_text else []
        self._read.parts.append(slide)
        self.blocks.clear()

    def _table(self, attributes: Mapping[str, str]) -> None:
        if self._is_sheet and not self.tables:
            self._read.sheets.append(Worksheet(attributes.get("name", "") or "Sheet"))
            self._row = 0
        self.tables.append(Table())

    def _cell(self, attributes: Mapping[str, str], *, is_covered: bool) -> None:
        self._repeat = _number(attributes.get("number-columns-repeated"))
        if is_covered and self._covered:  # by the cell on its left
            self._covered -= 1
            self._repeat = 1
            self.into.append([])
            return
        across = _number(attributes.get("number-columns-spanned"))
        down = _number(attributes.get("number-rows-spanned"))
        self._covered = across - 1
        merge = "continue" if is_covered else "restart" if down > 1 else ""
        self.begin_cell(TableCell(across=1 if self._is_sheet else across, merge=merge))

    def _repeat_cell(self) -> None:
        rows = self.tables[-1].rows if self.tables else []
        if self._repeat > 1 and rows and rows[-1].cells:
            copies = min(self._repeat - 1, self._cells, MOST_COLUMNS - len(rows[-1].cells))
            cell = rows[-1].cells[-1]
            self._cells -= max(0, copies)
            rows[-1].cells += [TableCell(cell.blocks, cell.across, cell.merge)] * copies
        self._repeat = 1

    def _end_row(self) -> None:
        if not self.tables or not self.tables[-1].rows:
            return
        row = self.tables[-1].rows[-1]
        if not self._is_sheet or len(self.tables) > 1:
            while len(row.cells) > 1 and not row.cells[-1].blocks and not row.cells[-1].merge:
                row.cells.pop()
            return
        self.tables[-1].rows.clear()
        values = [_words(cell.blocks) for cell in row.cells]
        if any(values) and self._read.sheets:
            for at in range(1, self._row_repeat + 1):
                if self._read.notes:  # that there is no more room
                    break
                self._room.takes(self._read.sheets[-1], self._row + at, values[:])
        self._row += self._row_repeat

    def _end_table(self) -> None:
        if self._is_sheet and len(self.tables) == 1:
            self.tables.pop()
            if self._read.sheets and not self._read.sheets[-1].rows:
                self._read.sheets.pop()
        else:
            self.end_table()


def _words(blocks: Sequence[Block]) -> str:
    return " ".join(block.text for block in blocks if isinstance(block, Paragraph))


def _open_document(package: Package, content: bytes) -> Office:
    if b"encryption-data" in (package.part("META-INF/manifest.xml") or b""):
        raise UnreadablePackageError("it is encrypted with a password; remove the password first")
    read = Office(read_properties(package, "meta.xml", OPEN_PROPERTIES))
    _OpenDocument(content, read)
    read.sheets = [_without_margin(sheet) for sheet in read.sheets if sheet.rows]
    return read
