"""What a line, a cell and a block of AsciiDoc say, each by itself."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from html import unescape
from typing import NamedTuple

from lacuna.corpus.page import LinkKind
from lacuna.corpus.page_builder import raised, runs_text
from lacuna.corpus.tables import MOST_ACROSS, MOST_CELLS, Cell, Run

ENTRY = re.compile(r":(!?[A-Za-z0-9_][\w-]*!?):(?:\s+(.*))?$")
REFERENCE = re.compile(r"(\\?)\{([A-Za-z0-9_][\w-]*)\}")
LONGEST_VALUE = 2000
MOST_PUT_IN = 1 << 20
"""Characters that attributes may add to a document, which could name them without end."""
CHARACTERS = {
    "empty": "",
    "blank": "",
    "sp": " ",
    "nbsp": " ",
    "zwsp": "",
    "wj": "",
    "apos": "'",
    "quot": '"',
    "lsquo": "‘",
    "rsquo": "’",
    "ldquo": "“",
    "rdquo": "”",
    "deg": "°",
    "plus": "+",
    "brvbar": "¦",
    "vbar": "|",
    "amp": "&",
    "lt": "<",
    "gt": ">",
    "startsb": "[",
    "endsb": "]",
    "caret": "^",
    "asterisk": "*",
    "tilde": "~",
    "backslash": "\\",
    "backtick": "`",
    "two-colons": "::",
    "two-semicolons": ";;",
    "cpp": "C++",
    "pp": "++",
}


class Attributes:
    """The meaning of each name at the line that is being read."""

    def __init__(self) -> None:
        self.values: dict[str, str] = {}
        self._room = MOST_PUT_IN

    def define(self, name: str, value: str) -> None:
        """Sets an attribute; ``!name`` takes it back."""
        if "!" in name:
            self.values.pop(name.strip("!").lower(), None)
        else:
            self.values[name.lower()] = self.put_in(value)[:LONGEST_VALUE]

    def put_in(self, text: str) -> str:
        """The text with what its references stand for; those to unknown attributes stay."""
        return REFERENCE.sub(self._value, text) if "{" in text else text

    def _value(self, reference: re.Match[str]) -> str:
        if reference[1]:
            return reference[0][1:]
        name = reference[2].lower()
        value = self.values.get(name, CHARACTERS.get(name))
        if value is None or self._room < len(value):
            return reference[0]
        self._room -= len(value)
        return value


LINE = re.compile(r"\[(?!\[)(?:[\w.#%,\"'*(].*)?\]$")
SPOT = re.compile(r"\[\[([A-Za-z_:][\w:.-]*)(?:,.*)?\]\]$")
SHORT = re.compile(r"([.#%]?)([^.#%]+)")
MISSING_QUOTE = re.compile(r'="([^"=]*?),\s*(?=\w+=")')
"""Seen where one value begins before the one above has ended: ``cols="1,2, options="header"``."""
PIECE = re.compile(r"""\s*(?:([\w-]+)\s*=\s*)?("[^"]*"|'[^']*'|[^,]*)(?:,|$)""")


@dataclass(slots=True)
class BlockAttributes:
    """The attributes of the block that follows."""

    style: str = ""
    ids: list[str] = field(default_factory=list)
    options: set[str] = field(default_factory=set)
    positional: list[str] = field(default_factory=list)
    named: dict[str, str] = field(default_factory=dict)

    def take(self, line: str) -> None:
        """Adds what one line says; several lines may stand above a block."""
        if spot := SPOT.match(line):
            self.ids.append(spot[1])
            return
        first = True
        end = 0
        inner = MISSING_QUOTE.sub(r'="\1",', line[1:-1])
        while end < len(inner):
            piece = PIECE.match(inner, end)
            if piece is None or piece.end() == end:
                break
            end = piece.end()
            value = piece[2].strip().strip("\"'")
            if piece[1]:
                self._name(piece[1].lower(), value)
            elif first:
                self._short(value)
            else:
                self.positional.append(value)
            first = False

    def _short(self, value: str) -> None:
        """``style#id.role%option``, each part of which may be missing."""
        for sign, word in SHORT.findall(value):
            if sign == "#":
                self.ids.append(word)
            elif sign == "%":
                self.options.add(word)
            elif not sign:
                self.style = word.strip()

    def _name(self, name: str, value: str) -> None:
        if name == "id":
            self.ids.append(value)
        elif name in ("options", "opts"):
            self.options.update(option.strip() for option in value.split(","))
        else:
            self.named[name] = value


TOKEN = re.compile(
    r"""
    (?P<escape>\\(?=[*_`\#^~\[{<+(&]|https?:|\w+:[^\s\[]*\[))
    | (?P<triple>\+\+\+(?P<raw3>.{0,2000}?)\+\+\+|\$\$(?P<raw2>.{0,2000}?)\$\$)
    | (?P<quoted>["']`(?P<said>[^`]{1,2000})`["']|``(?P<told>[^`'\n]{1,300})'')
    | (?P<code>``(?P<code2>[^`]{1,2000}?)``
        |(?<![\w`])`(?P<code1>[^`\s](?:[^`]{0,2000}?[^`\s])?)`(?![\w`]))
    | (?P<pass>(?<![\w+])\+(?P<raw1>[^\s+](?:[^+\n]{0,500}[^\s+])?)\+(?![\w+]))
    | (?P<macro>\b(?P<name>link|xref|mailto|image|kbd|btn|menu|footnote|footnoteref|icon|pass|stem
        |latexmath|asciimath|anchor|indexterm2?|linkgit|video|audio)
        :(?P<target>[^\s\[\]:][^\s\[\]]{0,999}|)\[(?P<words>(?:[^\[\]\\]|\\.|\[[^\[\]]{0,500}\]){0,2000})\])
    | (?P<see><<(?P<id>[^<>,\n]{1,300})(?:,(?P<seen>[^<>]{0,500}))?>>)
    | (?P<url>(?:https?|ftp|irc)://[^\s\[\]<>"'`|]{1,2000})(?:\[(?P<label>(?:[^\[\]\\]|\\.|\[[^\[\]]{0,300}\]){0,1000})\])?
    | (?P<unknown>\{[\w-]{1,100}\}[^\s\[\]]{1,500}\[(?P<unknown_words>[^\[\]]{1,500})\])
    | (?P<spot>\[\[(?P<spot_id>[\w:.-]{1,200})(?:,[^\[\]]{0,300})?\]\])
    | (?P<hidden>\(\(\([^()]{0,500}\)\)\))
    | (?P<term>\(\((?P<shown>[^()]{1,300})\)\))
    | (?P<role>\[[\w.\#%-]{1,60}\](?=[*_\#`]))
    | (?P<script>\^(?P<above>[^\s^]{1,100})\^|~(?P<below>[^\s~]{1,100})~)
    | (?P<entity>&(?:[A-Za-z]\w{1,9}|\#\d{1,6});)
    | (?P<mark>\*\*?|__?|\#\#?)
    """,
    re.VERBOSE | re.DOTALL,
)
PAGE = re.compile(r"\.(?:adoc|asciidoc|asc|html?|md|txt)\b", re.IGNORECASE)
DEEPEST = 4


class AsciidocInline:
    """Turns text into runs; ``titles`` are the headings that ids of the document stand for.

    ``page_path`` says what path a cross reference to another file means.
    """

    def __init__(self, titles: dict[str, str], page_path: Callable[[str], str]) -> None:
        self._titles = titles
        self.page_path = page_path
        self.footnotes: list[str] = []
        self.spots: list[str] = []

    def runs(self, text: str, depth: int = 0) -> list[Run]:
        """The parts of a text to read, with its line ends."""
        found: list[Run] = []
        opened: dict[str, int] = {}  # mark -> where in ``found`` it was opened
        last = 0
        for token in TOKEN.finditer(text):
            if token.start() < last:
                continue  # it was escaped
            if token.start() > last:
                found.append(Run(text[last : token.start()]))
            last = token.end()
            if token["mark"]:
                self._mark(text, token, found, opened)
            elif token["escape"]:
                found.append(Run(text[last : last + 1]))
                last += 1
            else:
                found += self._token(token, depth)
        found.append(Run(text[last:]))
        return found

    def plain(self, text: str) -> str:
        """The words alone, in one line."""
        return runs_text(self.runs(text))

    def _mark(
        self, text: str, token: re.Match[str], found: list[Run], opened: dict[str, int]
    ) -> None:
        """Takes a pair of marks away; one that finds no partner stays in the text."""
        mark = token["mark"]
        start, end = token.span()
        before, after = text[max(start - 1, 0) : start], text[end : end + 1]
        double = len(mark) == 2
        if mark in opened and before.strip() and (double or not (after.isalnum() or after == "_")):
            found[opened.pop(mark)] = Run("")
        elif after.strip() and (double or not (before.isalnum() or before in ("_", "}"))):
            opened[mark] = len(found)
            found.append(Run(mark))
        else:
            found.append(Run(mark))

    def _token(self, token: re.Match[str], depth: int) -> Iterator[Run]:
        if token["triple"]:
            yield Run(token["raw3"] or token["raw2"] or "")
        elif token["quoted"]:
            yield Run(f'"{token["said"] or token["told"]}"')
        elif token["code"]:
            code = token["code2"] or token["code1"]
            inner = code[1:-1] if len(code) > 2 and code[0] == code[-1] == "+" else code
            yield from self._code(inner, depth)
        elif token["pass"]:
            yield Run(token["raw1"])
        elif token["macro"]:
            words = token["words"].replace("\\]", "]")
            yield from self._macro(token["name"], token["target"], words, depth)
        elif token["see"]:
            yield self._see(token["id"].strip(), token["seen"] or "", depth)
        elif token["url"]:
            yield from self._url(token["url"], token["label"], depth)
        elif token["unknown"]:  # an address that begins with an attribute of another file
            yield Run(self._words(token["unknown_words"], depth))
        elif token["spot"]:
            self.spots.append(token["spot_id"])
        elif token["term"]:
            yield Run(token["shown"])
        elif token["script"]:
            yield Run(
                (raised(token["above"]) or token["above"]) if token["above"] else token["below"]
            )
        elif token["entity"]:
            yield Run(unescape(token[0]))

    def _code(self, code: str, depth: int) -> Iterator[Run]:
        """Code may hold a link and nothing else that would be read as marks."""
        if depth < DEEPEST and ("xref:" in code or "link:" in code or code.startswith("<<")):
            yield from self.runs(code, depth + 1)
        else:
            yield Run(code)

    def _macro(self, name: str, target: str, words: str, depth: int) -> Iterator[Run]:
        match name:
            case "link" | "mailto":
                yield self._linked(target, words, depth, address=name == "mailto")
            case "xref":
                yield self._see(target, words, depth)
            case "linkgit":
                yield Run(f"{target}({words})" if words else target, target, LinkKind.NAME)
            case "image" | "video" | "audio":
                yield Run(alt_text(words) if name == "image" else "", picture=target)
            case "menu":
                parts = [target, *(part.strip() for part in words.split(">"))]
                yield Run(" › ".join(part for part in parts if part))
            case "footnote" | "footnoteref":
                note = words.partition(",")[2] if name == "footnoteref" else words
                if note.strip():
                    self.footnotes.append(note)
            case "anchor":
                self.spots.append(target)
            case "icon" | "indexterm":
                return
            case _:
                yield Run(words)

    def _linked(self, target: str, words: str, depth: int, address: bool = False) -> Run:
        shown = self._words(words, depth) or target.removesuffix("^")
        return Run(shown, f"mailto:{target}" if address else target.strip("+"))

    def _see(self, target: str, words: str, depth: int) -> Run:
        """A cross reference: to another file, or to an id."""
        path, _, part = target.partition("#")
        shown = self._words(words, depth)
        if path and (part or PAGE.search(path) or "/" in path):
            if not PAGE.search(path):
                path += ".adoc"
            full = self.page_path(path) + (f"#{part}" if part else "")
            return Run(shown or path.rpartition("/")[2].rpartition(".")[0], full)
        name = part or path
        return Run(shown or self._titles.get(name, name), name, LinkKind.LABEL)

    def _url(self, url: str, label: str | None, depth: int) -> Iterator[Run]:
        rest = ""
        if label is None:
            kept = url.rstrip(".,;:!?)")
            url, rest = kept, url[len(kept) :]
        yield Run(self._words(label or "", depth) or url, url)
        if rest:
            yield Run(rest)

    def _words(self, words: str, depth: int) -> str:
        """The text of a link, without the attributes that may follow it."""
        if words.startswith('"'):
            words = words[1:].partition('"')[0]
        elif "=" in words:
            words = re.split(r",\s*\w+=", f",{words}", maxsplit=1)[0].removeprefix(",")
        words = words.removesuffix("^").strip()
        if depth >= DEEPEST:
            return words
        return runs_text(self.runs(words, depth + 1))


def alt_text(words: str) -> str:
    """The description in an image's attributes.

    >>> alt_text('"A boat, at sea",320,240'), alt_text("Boat,320"), alt_text("width=200")
    ('A boat, at sea', 'Boat', '')
    """
    words = MISSING_QUOTE.sub(r'="\1",', words)
    named = re.search(r'\balt="([^"]*)"|\balt=([^,\]]*)', words)
    if named:
        return named[1] or named[2] or ""
    if words.startswith('"'):
        return words[1:].partition('"')[0]
    first = words.partition(",")[0].strip()
    return "" if "=" in first else first


# What a line of AsciiDoc is, seen by itself or with the line below it.
#
# Lines come without the space at their end.


HEADING = re.compile(r"(={1,6}|#{1,6})[ \t]+(\S.*)$")
UNDERLINE = re.compile(r"([=\-~^+])\1+$")
UNDERLINES = "=-~^+"
ITEM = re.compile(r"[ \t]*(\*{1,6}|-|•|\.{1,6}|\d{1,9}\.|[A-Za-z]\.|<(?:\d{1,4}|\.)>)[ \t]+(\S.*)$")
TERM = re.compile(r"[ \t]*(?!//)(\S.*?)(:::?:?|;;)(?:[ \t]+(\S.*))?$")
CHECKBOX = re.compile(r"\[([ xX*])\][ \t]+")
MACRO = re.compile(r"([a-z][\w-]*)::([^\s\[\]]*|[^\[\]]*?)\[(.*)\]$")
CONDITION = re.compile(r"(?:ifdef|ifndef|ifeval|endif)::[^\[]*\[(.*)\]$")
BLOCK_TITLE = re.compile(r"\.([^\s.].*)$")
DELIMITER = re.compile(r"(-{4,}|\.{4,}|\+{4,}|/{4,}|={4,}|\*{4,}|_{4,}|--|`{3}[\w-]*|~{4,})$")
TABLE = re.compile(r"([|,:!])={3,}$")
BREAK = re.compile(r"(?:'{3,}|<<<|-{3}|\*{3}|- - -|\* \* \*)$")
ADMONITION = re.compile(r"(NOTE|TIP|IMPORTANT|WARNING|CAUTION):[ \t]+")
NOT_IN_AN_ID = re.compile(r"[^\w\s.-]")


class HeadingLine(NamedTuple):
    """A heading, its level (0 for the title of the document) and how many lines it takes."""

    level: int
    text: str
    lines: int


def heading_at(lines: Sequence[str], at: int) -> HeadingLine | None:
    """The heading that begins at a line: ``== Like this``, or with a line of signs under it."""
    line = lines[at]
    if line[:1] in ("=", "#"):
        found = HEADING.match(line)
        if not found:
            return None
        text = found[2].removesuffix(f" {found[1]}").rstrip()
        return HeadingLine(len(found[1]) - 1, text, 1)
    if at + 1 >= len(lines) or not line[:1].strip() or line[0] in "[|.+*":
        return None
    under = lines[at + 1]
    # The lengths may differ by three; what is longer or shorter is a block or a paragraph.
    if len(under) < 2 or abs(len(under) - len(line)) > 3 or not UNDERLINE.match(under):
        return None
    if ITEM.match(line) or not any(char.isalnum() for char in line):
        return None
    return HeadingLine(UNDERLINES.index(under[0]), line.strip(), 2)


def section_id(title: str) -> str:
    """The id that Asciidoctor makes of a heading.

    >>> section_id("Install Ruby (2.x)")
    '_install_ruby_2_x'
    """
    words = NOT_IN_AN_ID.sub("", title.lower())
    return "_" + re.sub(r"[\s._-]+", "_", words).strip("_")


CELL = re.compile(
    r"(?:(?<=\s)|^)(?:(\d+)?(?:\.(\d+))?([+*]))?[<^>]?(?:\.[<^>])?([aehlmsdv])?\||(?<!\\)()()()()\|"
)
MOST_COPIES = 1000
Runs = Callable[[str], list[Run]]
Placed = tuple[Cell, int]


def table_rows(
    lines: list[str], attributes: BlockAttributes, first_line: int, separator: str, runs: Runs
) -> tuple[list[list[Cell]], list[int]]:
    """The rows of a table, and the line on which each begins."""
    kind = attributes.named.get("format", "csv" if separator == "," else "psv")
    delimiter = {"csv": ",", "tsv": "\t", "dsv": ":"}.get(kind, "")
    width = _columns(attributes.named.get("cols", ""))
    if delimiter:
        rows, numbers = _delimited(lines, delimiter, first_line, runs)
    else:
        cells, first_row = _cells(lines, first_line, runs)
        rows, numbers = _rows(cells, width or first_row or 1)
    if rows and _has_header(lines, attributes):
        rows[0] = [Cell(cell.runs, True, cell.across, cell.down) for cell in rows[0]]
    return rows, numbers


def _columns(written: str) -> int:
    """The number of columns in ``cols``: ``"1,2*,a"`` has four."""
    count = 0
    for part in filter(None, re.split(r"[,;]", written)):
        many = re.match(r"\s*(\d{1,4})\*", part)
        count += int(many[1]) if many else 1
    return min(count, MOST_ACROSS)


def _has_header(lines: list[str], attributes: BlockAttributes) -> bool:
    if "header" in attributes.options:
        return True
    if "noheader" in attributes.options:
        return False
    # Without being told: a first row in one line, with an empty line below it.
    return len(lines) > 1 and bool(lines[0].strip()) and not lines[1].strip()


def _delimited(
    lines: list[str], delimiter: str, first_line: int, runs: Runs
) -> tuple[list[list[Cell]], list[int]]:
    rows, numbers = [], []
    for at, line in enumerate(lines):
        if not line.strip():
            continue
        try:
            values = next(csv.reader([line], delimiter=delimiter, skipinitialspace=True))
        except csv.Error:
            values = [line]
        rows.append([Cell(tuple(runs(value))) for value in values])
        numbers.append(first_line + at)
    return rows, numbers


def _cells(lines: list[str], first_line: int, runs: Runs) -> tuple[list[Placed], int]:
    """All cells with their lines, and how many stand in the first line that has some."""
    cells: list[Placed] = []
    text: list[str] = []
    spec: tuple[str, ...] = ()
    begun = first_row = 0

    def finish() -> None:
        if not begun:
            return
        across, down, sign, style = spec
        words = "\n".join(text).strip().replace("\\|", "|")
        copies = min(int(across or 1), MOST_COPIES) if sign == "*" else 1
        cell = Cell(
            tuple(runs(words)),
            style == "h",
            min(int(across or 1), MOST_ACROSS) if sign == "+" else 1,
            min(int(down or 1), MOST_ACROSS) if sign == "+" else 1,
        )
        cells.extend([(cell, begun)] * min(copies, MOST_CELLS - len(cells)))

    for at, line in enumerate(lines):
        if line.startswith("//"):
            continue
        last = 0
        for sign in CELL.finditer(line):
            text.append(line[last : sign.start()])
            finish()
            text, last = [], sign.end()
            begun = first_line + at
            spec = tuple(group or "" for group in sign.groups()[:4])
        text.append(line[last:])
        if not first_row and begun:
            first_row = sum(cell.across for cell, _ in cells) + 1
    finish()
    return cells, first_row


def _rows(cells: list[Placed], width: int) -> tuple[list[list[Cell]], list[int]]:
    """Cells put into rows; those that reach down take room in the rows below."""
    rows: list[list[Cell]] = []
    numbers: list[int] = []
    ends: dict[int, int] = {}  # row -> columns that no cell from above fills any more
    row: list[Cell] = []
    filled = above = starting = 0
    for cell, line in cells:
        if not row:
            numbers.append(line)
        row.append(cell)
        filled += cell.across
        if cell.down > 1:
            starting += cell.across
            ends[len(rows) + cell.down] = ends.get(len(rows) + cell.down, 0) + cell.across
        if filled + above >= width:
            rows.append(row)
            above += starting - ends.pop(len(rows), 0)
            row, filled, starting = [], 0, 0
    if row:
        rows.append(row)
    return rows, numbers


ENDS_AN_ITEM = (".", ":", ";", "!", "?", ",", "[]")
"""Signs behind which the next item needs no other; the last is a picture without words."""


def cell_pieces(text: str) -> Iterator[tuple[str, bool]]:
    """The text of a cell without the signs of its blocks, each piece with whether it is code.

    >>> list(cell_pieces("Rig: \\n* Mast\\n* Boom"))
    [('Rig: \\nMast;\\nBoom', False)]
    """
    lines = text.replace(" +\n", "\n").split("\n")
    words: list[str] = []
    code = ""
    below_gap = False
    for at, line in enumerate(lines):
        is_last = at == len(lines) - 1
        if code:
            if line == code:
                code = ""
            else:
                yield f"{line}\n", True
        elif fence := DELIMITER.match(line):
            if fence[1][0] in "-.`" and fence[1] != "--":
                code = "```" if fence[1].startswith("```") else line
                yield "\n".join((*words, "")), False
                words = []
        elif not line.strip():
            below_gap = True
        elif is_last or not (line == "+" or SPOT.match(line) or LINE.match(line)):
            item = ITEM.match(line)
            if (item or below_gap) and words and not words[-1].rstrip().endswith(ENDS_AN_ITEM):
                words[-1] = f"{words[-1].rstrip()};"
            words.append(item[2] if item else _in_line(line, words[-1] if words else ""))
            below_gap = False
    yield "\n".join(words), False


def _in_line(line: str, before: str) -> str:
    """A line of a block in a cell, as it goes on in the line of the cell."""
    if macro := MACRO.match(line):
        alt = "" if macro[1] != "image" or alt_text(macro[3]) == before else macro[3]
        return f"{macro[1]}:{macro[2]}[{alt}]"
    title = BLOCK_TITLE.match(line)
    return title[1] if title else line
