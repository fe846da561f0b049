"""DOCX files: one page each, with its headings, lists, tables, links and notes."""

from __future__ import annotations

import posixpath
import re
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from io import BytesIO
from itertools import groupby
from pathlib import PurePosixPath
from xml.parsers import expat

from lacuna.corpus.formats.entries import BOUNDED, Entry
from lacuna.corpus.page import Page
from lacuna.corpus.page_builder import Fact, PageBuilder, add_facts
from lacuna.corpus.store import Skipped
from lacuna.corpus.tables import Cell, Run

LARGEST_PART = 64 << 20
"""Bytes of one part; a larger one is no text, and may be made to fill the memory."""
LARGEST_PACKAGE = 256 << 20
"""Bytes that all parts may unpack to that are asked for."""
OLD_FORMAT = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
ENCRYPTED = "EncryptedPackage".encode("utf-16-le")

StartElement = Callable[[str, Mapping[str, str]], None]
EndElement = Callable[[str], None]
Characters = Callable[[str], None]


class UnreadablePackageError(Exception):
    """The reason why a file gives no text; continues "it was skipped: "."""


class Package:
    """One file; parts are asked for by their names inside it."""

    def __init__(self, data: bytes, kind: str = "docx") -> None:
        self._left = LARGEST_PACKAGE
        if data.startswith(OLD_FORMAT):
            if ENCRYPTED in data:
                raise UnreadablePackageError(
                    "it is encrypted with a password; remove the password first"
                )
            raise UnreadablePackageError(f"it is in an old format; save it as .{kind}")
        try:
            self._archive = zipfile.ZipFile(BytesIO(data))
            self._names = {name.lower(): name for name in self._archive.namelist()}
        except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError, EOFError) as error:
            told = f"it is damaged, or no {kind.upper()} file; save it again"
            raise UnreadablePackageError(told) from error

    def part(self, name: str) -> bytes | None:
        """The bytes of a part; None where there is none."""
        known = self._names.get(name.lstrip("/").lower())
        if known is None:
            return None
        try:
            member = self._archive.getinfo(known)
            if member.compress_type not in BOUNDED or member.flag_bits & 1:
                raise UnreadablePackageError("it is packed in an unusual way; save it again")
            with self._archive.open(member) as file:
                # What an archive says of a size may be false: one byte more than allowed tells.
                content = file.read(LARGEST_PART + 1)
        except (zipfile.BadZipFile, zlib.error, RuntimeError, OSError, EOFError) as error:
            raise UnreadablePackageError("it is damaged; save it again, or get it again") from error
        except (NotImplementedError, ValueError) as error:
            raise UnreadablePackageError("it is packed in an unusual way; save it again") from error
        self._left -= len(content)
        if self._left < 0:
            raise UnreadablePackageError("it unpacks to more than a document can have; split it")
        if len(content) > LARGEST_PART:
            raise UnreadablePackageError(
                f"a part of it is larger than {LARGEST_PART >> 20} MB; split it"
            )
        return content

    def relations(self, part: str) -> dict[str, tuple[str, str]]:
        """The references of a part: by its identifier the kind, and an address or a part's name."""
        folder, name = posixpath.split(part)
        content = self.part(posixpath.join(folder, "_rels", f"{name}.rels"))
        found: dict[str, tuple[str, str]] = {}

        def start(element: str, attributes: Mapping[str, str]) -> None:
            if element == "Relationship" and "Id" in attributes:
                target = attributes.get("Target", "")
                if attributes.get("TargetMode") != "External":
                    target = posixpath.normpath(posixpath.join("/", folder, target)).lstrip("/")
                kind = attributes.get("Type", "").rpartition("/")[2]
                found[attributes["Id"]] = (kind, target)

        parse_xml(content or b"<none/>", start)
        return found


def parse_xml(
    content: bytes,
    start: StartElement,
    end: EndElement | None = None,
    characters: Characters | None = None,
) -> None:
    """Go through a part; names of elements and attributes come without their namespaces."""

    def refuse(*_: object) -> None:
        raise UnreadablePackageError("it declares a document type, which no office program does")

    def start_local(name: str, attributes: dict[str, str]) -> None:
        start(_local(name), {_local(key): value for key, value in attributes.items()})

    parser = expat.ParserCreate(namespace_separator="}")
    parser.buffer_text = True
    parser.StartDoctypeDeclHandler = refuse
    parser.EntityDeclHandler = refuse
    parser.StartElementHandler = start_local
    if end is not None:
        parser.EndElementHandler = lambda name: end(_local(name))
    if characters is not None:
        parser.CharacterDataHandler = characters
    try:
        parser.Parse(content, True)
    except (expat.ExpatError, ValueError, LookupError) as error:
        raise UnreadablePackageError(f"its text is damaged ({error}); save it again") from error


def _local(name: str) -> str:
    return name.rpartition("}")[2]


@dataclass(slots=True)
class Paragraph:
    """Runs of text, and what its marks say it is; ``notes`` are footnotes named in it."""

    style: str = ""
    level: int = 0
    numbered: bool = False
    is_initial: bool = False  # a large letter that the next paragraph goes on with
    runs: list[Run] = field(default_factory=list)
    bookmarks: list[str] = field(default_factory=list)
    notes: list[tuple[str, str]] = field(default_factory=list)
    boxes: list[Block] = field(default_factory=list)

    @property
    def text(self) -> str:
        """Its words in one line."""
        return " ".join("".join(run.text for run in self.runs).split())


@dataclass(slots=True)
class TableCell:
    """A cell: what it holds, how far it reaches, and whether it goes on from the row above."""

    blocks: list[Block] = field(default_factory=list)
    across: int = 1
    merge: str = ""


@dataclass(slots=True)
class TableRow:
    """A row, and whether it is one of headings."""

    cells: list[TableCell] = field(default_factory=list)
    heading: bool = False


@dataclass(slots=True)
class Table:
    """Rows; ``first_is_heading`` where the table's look sets the first one off."""

    rows: list[TableRow] = field(default_factory=list)
    first_is_heading: bool = False


Block = Paragraph | Table


HEADING = re.compile(r"heading ([1-9])")
CONTENTS = re.compile(r"toc (?:[1-9]|heading)|table of figures|table of authorities|index [1-9]")
DEEPEST = 20
"""Styles that one may be based on, one after the other."""


class StyleRole(Enum):
    """The role of paragraphs of a style."""

    TEXT = auto()
    TITLE = auto()
    ITEM = auto()
    CONTENTS = auto()


@dataclass(slots=True)
class Style:
    """One style as it is written."""

    name: str = ""
    based_on: str = ""
    level: int = 0
    numbered: bool = False


class Styles:
    """The styles of a document by their identifiers."""

    def __init__(self, styles: Mapping[str, Style]) -> None:
        self._styles = styles

    def level(self, identifier: str) -> int:
        """The level of a heading, from 1; 0 for other text."""
        for style in self._chain(identifier):
            if found := HEADING.fullmatch(style.name):
                return int(found[1])
            if style.level:
                return style.level
        return 0

    def role(self, identifier: str) -> StyleRole:
        """The role of a paragraph of this style."""
        for style in self._chain(identifier):
            if style.name == "title":
                return StyleRole.TITLE
            if CONTENTS.fullmatch(style.name):
                return StyleRole.CONTENTS
            if style.numbered or style.name.startswith("list "):
                return StyleRole.ITEM
        return StyleRole.TEXT

    def _chain(self, identifier: str) -> list[Style]:
        chain: list[Style] = []
        while identifier in self._styles and len(chain) < DEEPEST:
            chain.append(self._styles[identifier])
            identifier = chain[-1].based_on
        return chain


def read_styles(package: Package, part: str) -> Styles:
    """The styles that a part defines."""
    styles: dict[str, Style] = {}
    current = Style()

    def start(element: str, attributes: Mapping[str, str]) -> None:
        nonlocal current
        value = attributes.get("val", "")
        if element == "style":
            current = styles.setdefault(attributes.get("styleId", ""), Style())
        elif element == "name":
            current.name = value.lower()
        elif element == "basedOn":
            current.based_on = value
        elif element == "outlineLvl" and value in tuple("012345678"):
            current.level = int(value) + 1
        elif element == "numId":
            current.numbered = value != "0"

    parse_xml(package.part(part) or b"<none/>", start)
    return Styles(styles)


DROPPED = frozenset(("del", "moveFrom", "Fallback", "rt", "rPrChange", "pPrChange", "sectPr"))
"""Elements to drop: deleted text, fallbacks for old programs, readings above words, former
looks."""
SPACES = {"tab": " ", "br": "\n", "cr": "\n", "noBreakHyphen": "-", "ptab": " "}
HYPERLINK = re.compile(r'\s*HYPERLINK\s+(\\l\s+)?"([^"]+)"(?:\s+\\l\s+"([^"]+)")?')
OFF = ("0", "false", "off")
DEEPEST_ELEMENT = 100
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
        if self._dropped or name in DROPPED or len(self._into) > DEEPEST_ELEMENT:
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
            paragraph.runs = merged(paragraph.runs)
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


def merged(runs: list[Run]) -> list[Run]:
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
"""The actions at the start of elements, by name."""


LONGEST_CELL = 3000
"""Characters; a table with more in a cell arranges text, and is read cell by cell."""
MOST_HEADINGS = 3
"""Rows of headings that one cell may reach over."""
DEEPEST_ITEM = 50

Notes = Mapping[tuple[str, str], list[Block]]


class DocxWriter:
    """Adds blocks to a page."""

    def __init__(self, builder: PageBuilder, styles: Styles, notes: Notes) -> None:
        self._builder = builder
        self._styles = styles
        self._notes = notes
        self._waiting: list[tuple[str, str]] = []

    def write(self, blocks: Sequence[Block]) -> None:
        """All of them, and the notes that they name."""
        self._write(blocks, 0)
        self._write_notes()

    def _write(self, blocks: Sequence[Block], depth: int) -> None:
        for block in blocks:
            if isinstance(block, Paragraph):
                self._paragraph(block)
            elif depth < DEEPEST_ITEM:
                self._builder.end_list()
                self._table(block, depth)
        self._builder.end_list()

    def _paragraph(self, paragraph: Paragraph) -> None:
        builder, styles = self._builder, self._styles
        role = styles.role(paragraph.style)
        if role is StyleRole.CONTENTS or not paragraph.text:
            return
        level = paragraph.level or styles.level(paragraph.style) or (role is StyleRole.TITLE)
        is_item = not level and (paragraph.numbered or role is StyleRole.ITEM)
        if level:
            self._write_notes()
        if not is_item:
            builder.end_list()
        if level:
            builder.open_heading(int(level))
        for name in paragraph.bookmarks:
            builder.anchor(name)
        for run in paragraph.runs:
            if run.target:
                builder.open_written(run.target)
            for at, line in enumerate(run.text.split("\n")):
                if at:
                    builder.break_line()
                builder.add(line)
            builder.close_link()
        self._waiting += paragraph.notes
        if is_item:
            builder.end_item()
        else:
            builder.end_block()

    def _write_notes(self) -> None:
        waiting, self._waiting = self._waiting, []
        for note in waiting:
            for block in self._notes.get(note, ()):
                if isinstance(block, Paragraph):
                    self._paragraph(block)
        self._waiting.clear()  # a note in a note would never end
        self._builder.end_list()

    def _table(self, table: Table, depth: int) -> None:
        rows = [row for row in table.rows if row.cells]
        cells = [cell for row in rows for cell in row.cells]
        long = any(sum(map(_size, cell.blocks)) > LONGEST_CELL for cell in cells)
        if long or max((len(row.cells) for row in rows), default=0) < 2:
            for cell in cells:
                self._write(cell.blocks, depth + 1)
            return
        downs = _reach(table)
        first_is_heading = table.first_is_heading and len(rows) > 1
        written: list[list[Cell]] = []
        last_heading = -1
        for at, row in enumerate(rows):
            if row.heading or (at == 0 and first_is_heading):
                down = max(downs.get(id(cell), 1) for cell in row.cells)
                last_heading = at + down - 1 if down <= MOST_HEADINGS else at
            heading = at <= last_heading
            written.append(
                [
                    Cell(tuple(self._runs(cell.blocks, 0)), heading, cell.across, downs[id(cell)])
                    for cell in row.cells
                    if id(cell) in downs
                ]
            )
        self._builder.add_table(written)

    def _runs(self, blocks: Sequence[Block], depth: int) -> list[Run]:
        """The words of a cell in one line; a table in it gives its cells one after the other."""
        runs: list[Run] = []
        for block in blocks:
            if isinstance(block, Paragraph):
                runs += [*block.runs, Run(" ")] if block.runs else []
                self._waiting += block.notes
            elif depth < DEEPEST_ITEM:
                for row in block.rows:
                    for cell in row.cells:
                        runs += self._runs(cell.blocks, depth + 1)
        return runs


def _size(block: Block) -> int:
    return len(block.text) if isinstance(block, Paragraph) else 0


def _reach(table: Table) -> dict[int, int]:
    """For each cell by identity how many rows it reaches down; those it reaches over have none."""
    downs: dict[int, int] = {}
    above: dict[int, TableCell] = {}
    for row in table.rows:
        column = 0
        for cell in row.cells:
            if cell.merge == "continue" and column in above:
                downs[id(above[column])] += 1
            else:
                downs[id(cell)] = 1
                above.pop(column, None)
                if cell.merge == "restart":
                    above[column] = cell
            column += cell.across
    return downs


MAIN_PART = "word/document.xml"
PROPERTIES = {
    "creator": "author",
    "subject": "subject",
    "keywords": "keywords",
    "category": "category",
    "description": "description",
    "created": "created",
    "modified": "modified",
}
DATES = ("created", "modified")
LONGEST_VALUE = 1000
NOT_A_TITLE = ("word document", "document", "untitled", "title", "microsoft word document")


def parse_docx(entry: Entry) -> Iterator[Page | Skipped]:
    """A document; where it calls itself nothing, the file's name is the title."""
    try:
        yield _page(entry)
    except UnreadablePackageError as error:
        yield Skipped(entry.name, str(error))


def _page(entry: Entry) -> Page | Skipped:
    package = Package(entry.data)
    roots = dict(package.relations("").values())
    main = roots.get("officeDocument", MAIN_PART)
    content = package.part(main)
    if content is None:
        return Skipped(entry.name, "it is no DOCX file: it has no text part")
    relations = package.relations(main)
    parts = dict(relations.values())
    styles = read_styles(package, parts.get("styles", "word/styles.xml"))
    body = _body(content, relations)
    notes = {}
    for kind in ("footnote", "endnote"):
        name = parts.get(f"{kind}s", "")
        if name and (written := package.part(name)):
            found = _body(written, package.relations(name)).notes
            notes.update({(kind, number): blocks for number, blocks in found.items()})
    facts = read_properties(package, roots.get("core-properties", "docProps/core.xml"))
    told = facts.pop("title", "")
    title, names = _title(body.blocks, styles, told, entry.name)
    builder = PageBuilder(title)
    DocxWriter(builder, styles, notes).write(body.blocks)
    if not builder.has_paragraph:
        return Skipped(entry.name, "it has no text")
    add_facts(builder, shown_properties(facts))
    return builder.page(entry.name, names=names)


def _body(content: bytes, relations: Mapping[str, tuple[str, str]]) -> Body:
    links = {key: target for key, (kind, target) in relations.items() if kind == "hyperlink"}
    return Body(content, links)


def _title(
    blocks: list[Block], styles: Styles, told: str, file: str
) -> tuple[str, tuple[str, ...]]:
    """The title in the text, else the one in the properties, else the heading above all."""
    if told.casefold() in NOT_A_TITLE:
        told = ""
    paragraphs = [block for block in blocks if isinstance(block, Paragraph) and block.text]
    shown = next((p.text for p in paragraphs if styles.role(p.style) is StyleRole.TITLE), "")
    levels = [paragraph.level or styles.level(paragraph.style) for paragraph in paragraphs]
    leads = bool(levels) and levels[0] > 0 and all(not n or n > levels[0] for n in levels[1:])
    title = shown or told or (paragraphs[0].text if leads else PurePosixPath(file).stem)
    return title[:300], (told,) if told and told != title else ()


def read_properties(
    package: Package, part: str, known: Mapping[str, str] = PROPERTIES
) -> dict[str, str]:
    """The title of a file and what else it says of itself, by the names that are shown."""
    content = package.part(part)
    facts: dict[str, str] = {}
    key = ""

    def start(element: str, _: Mapping[str, str]) -> None:
        nonlocal key
        key = "title" if element == "title" else known.get(element, "")

    def characters(text: str) -> None:
        if key:
            facts[key] = (facts.get(key, "") + text)[:LONGEST_VALUE]

    parse_xml(content or b"<none/>", start, characters=characters)
    return {key: shown for key, value in facts.items() if (shown := " ".join(value.split()))}


def shown_properties(facts: Mapping[str, str]) -> Iterator[Fact]:
    """The facts to show at the end of a page, always in the same order."""
    for name in PROPERTIES.values():
        if value := facts.get(name):
            yield Fact(name, value[:10] if name in DATES else value)
