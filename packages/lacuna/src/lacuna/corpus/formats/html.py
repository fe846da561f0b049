"""HTML pages: each file what a person reads of it, with its links, headings and tables."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from selectolax.lexbor import LexborHTMLParser, LexborNode

from lacuna.corpus.formats.entries import Entry
from lacuna.corpus.formats.html_main import (
    BOXES,
    NOT_READ,
    Furniture,
    called,
    is_sign,
    main_part,
    names,
    tamed,
)
from lacuna.corpus.formats.html_main import Attributes as TagAttributes
from lacuna.corpus.formats.opening import decoded_by_name
from lacuna.corpus.page import Page
from lacuna.corpus.page_builder import Fact, PageBuilder, add_facts, raised
from lacuna.corpus.store import Skipped
from lacuna.corpus.tables import Cell, Run
from lacuna.corpus.titles import title_of_path
from lacuna.types import Document, Link, MarkupKind

CHARSET = re.compile(rb"""(?:charset|encoding)\s*=\s*["']?\s*([\w-]+)""", re.IGNORECASE)
BYTE_ORDER = ((b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be"))
VOID = "area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr"
SELF_CLOSED = re.compile(
    rf"<(?!(?:{VOID})[\s/>])([A-Za-z][\w:.-]*+)([^<>]*+)(?<=/)>", re.IGNORECASE
)
IS_XML = re.compile(r"\s*+<\?xml|[^>]{0,200}//DTD XHTML|[^>]*>\s*<html[^>]*xmlns=", re.IGNORECASE)


def decoded(data: bytes) -> tuple[str, str]:
    """The text, and a note if some of it could not be decoded."""
    for mark, charset in BYTE_ORDER:
        if data.startswith(mark):
            return data[2:].decode(charset, "replace"), ""
    try:
        return data.decode("utf-8-sig"), ""
    except UnicodeDecodeError as error:
        problem = f"byte {error.start} is not UTF-8"
    declared = CHARSET.search(data[:2048])
    charset = declared[1].decode("ascii", "replace").lower() if declared else "utf-8"
    # Browsers read these as Windows-1252, and pages are written for browsers.
    charset = "cp1252" if charset in ("iso-8859-1", "latin1", "us-ascii", "ascii") else charset
    if (text := decoded_by_name(data, charset)) is not None:
        return text, ""
    return data.decode("utf-8", "replace"), f"{problem}; such bytes were replaced"


def as_html(text: str) -> str:
    """XHTML as an HTML parser understands it: what closes itself there gets an end.

    >>> as_html("<?xml version='1.0'?><title/><p>One<br/>two</p>")
    "<?xml version='1.0'?><title/></title><p>One<br/>two</p>"
    """
    if "/>" not in text or not IS_XML.match(text[:2000]):
        return text
    return SELF_CLOSED.sub(r"<\1\2></\1>", text)


Attributes = Mapping[str, str | None]

SMALLEST_PICTURE = 64
"""Pixels; what is smaller is an icon, and what it shows stands beside it in words."""
LONGEST_ALT = 1000
HIGHEST_FRAME = 4
FRAME = re.compile(r"(?:.*\s)?(?:thumb(?!nail)|figure|gallery|image-wrapper|wp-caption)")
NO_WORDS = re.compile(
    r"\[.*\]|\(.*\)|.*\.(?:png|jpe?g|gif|svg|webp|bmp|ico)|\W*|"
    r"(?:the )?(?:image|img|picture|photo|logo|icon|screenshot|figure|diagram|avatar|enlarge|badge|"
    r"note|tip|warning|caution|important|up|home|next|prev|previous)\d*",
    re.IGNORECASE | re.DOTALL,
)
"""Alternative texts that say no more than that there is a picture."""
NOT_FOLLOWED = ("javascript:", "data:", "about:", "vbscript:")


def is_link(attributes: Attributes) -> bool:
    """Tell if an anchor leads somewhere."""
    href = (attributes.get("href") or "").strip()
    return bool(href) and not href.lower().startswith(NOT_FOLLOWED)


def alt_text(attributes: Attributes) -> str:
    """The words for a picture, if somebody wrote it and it says something."""
    alt = " ".join((attributes.get("alt") or "").split())
    if not alt or len(alt) > LONGEST_ALT or NO_WORDS.fullmatch(alt):
        return ""
    sizes = (attributes.get("width") or "", attributes.get("height") or "")
    if any(
        size.isascii() and size.isdigit() and int(size[:6]) < SMALLEST_PICTURE for size in sizes
    ):
        return alt if "math" in (attributes.get("class") or "") else ""
    return alt


class Captions:
    """Tells which pictures stand in a frame with words under them, which say the same or more."""

    def __init__(self) -> None:
        self._known: dict[int, bool] = {}

    def has(self, picture: LexborNode) -> bool:
        above = picture.parent
        for _ in range(HIGHEST_FRAME):
            if above is None:
                return False
            if above.tag == "figure" or FRAME.match(above.attributes.get("class") or ""):
                known = self._known.get(above.mem_id)
                if known is None:
                    known = self._known[above.mem_id] = bool(above.text().strip())
                return known
            above = above.parent
        return False


def formula(node: LexborNode, attributes: Attributes) -> str:
    """A formula as its author wrote it, or else its signs."""
    if alt := attributes.get("alttext"):
        return alt
    written = node.css_first("annotation")
    if written is not None and "tex" in (written.attributes.get("encoding") or "").lower():
        return written.text()
    return " ".join(node.text(separator=" ").split())


def _power(node: LexborNode, last: str) -> str | None:
    """A superscript behind a sign, in the form that a line has for it; None if it is another."""
    is_mark = not last.isalnum() or node.css_first("a") is not None
    return None if is_mark else raised(node.text())


BREAKS = names("p div br dt dd pre ul ol dl blockquote h4 h5 h6")
BOLD = frozenset(("b", "strong"))
CELL_SIGNS = {"li": ";", "table": ";", "tr": ";", "td": ",", "th": ","}
"""The signs before what is told apart in a cell."""
ENDS_ITEM = ".:;!?,…"
HAS_DIGIT = re.compile(r"\d")
LONGEST_CELL = 1500
"""Characters; what is longer is a text, and reads better as one."""


def is_data(table: LexborNode) -> bool:
    """Tell if the cells of a table belong to rows and columns that mean something."""
    if (table.attributes.get("role") or "") in ("presentation", "none"):
        return False
    if table.css_first("h1, h2, h3") is not None:
        return False
    cells = [cell for row in own_rows(table) for cell in row.iter() if cell.tag in ("td", "th")]
    if len(cells) < 2 or any(len(cell.text()) > LONGEST_CELL for cell in cells):
        return False
    if any(cell.tag == "th" or _is_in_head(cell.parent) for cell in cells):
        return True
    is_layout = any(inner.mem_id != table.mem_id for inner in table.css("table"))
    return not is_layout and not any(_is_prose(cell) for cell in cells)


def own_rows(table: LexborNode) -> Iterator[LexborNode]:
    """The rows of a table, without those of tables in its cells."""
    for part in table.iter():
        if part.tag == "tr":
            yield part
        elif part.tag in ("thead", "tbody", "tfoot"):
            yield from (row for row in part.iter() if row.tag == "tr")


def _is_in_head(row: LexborNode | None) -> bool:
    part = row.parent if row is not None else None
    return part is not None and part.tag == "thead"


def _is_prose(cell: LexborNode) -> bool:
    return cell.css_first("ul, ol, dl, pre, blockquote, p + p, div + div") is not None


def caption_of(table: LexborNode) -> LexborNode | None:
    """The caption, if the table has one."""
    return next((node for node in table.iter() if node.tag == "caption"), None)


def rows_of(table: LexborNode, furniture: Furniture) -> list[list[Cell]]:
    """The cells as they are written."""
    rows = [list(_cells(row, furniture)) for row in own_rows(table)]
    if any(cell.heading for row in rows for cell, _ in row):
        return [[cell for cell, _ in row] for row in rows]
    return _with_bold_headings(rows)


def _with_bold_headings(rows: list[list[tuple[Cell, bool]]]) -> list[list[Cell]]:
    """Take headings where nothing is marked as one: a bold first row or first column is one.

    So is a row of words above a column of numbers, but for tables of two columns: those may be
    names and values.
    """
    first = len(rows) > 1 and len(rows[0]) > 1 and _all_bold(rows[0])
    first = first or _is_above_numbers([[cell.text for cell, _ in row] for row in rows])
    labelled = [row[0] for row in rows[first:] if len(row) > 1]
    side = bool(labelled) and (_all_bold(labelled) or _is_note(rows))
    return [
        [
            Cell(cell.runs, (first and number == 0) or (side and at == 0), cell.across, cell.down)
            for at, (cell, _) in enumerate(row)
        ]
        for number, row in enumerate(rows)
    ]


def _is_above_numbers(rows: list[list[str]]) -> bool:
    first, *below = rows or [[]]
    if len(first) < 3 or not below or not all(first) or any(map(HAS_DIGIT.search, first)):
        return False
    for column in range(1, len(first)):
        values = [row[column] for row in below if column < len(row) and row[column]]
        if values and all(map(HAS_DIGIT.search, values)):
            return True
    return False


def _is_note(rows: list[list[tuple[Cell, bool]]]) -> bool:
    """Tell if a table is a box that says "Note" on its left side."""
    return len(rows) == 1 and len(rows[0]) == 2 and len(rows[0][0][0].text.split()) <= 2


def _all_bold(cells: list[tuple[Cell, bool]]) -> bool:
    return all(bold or not cell.text for cell, bold in cells) and any(bold for _, bold in cells)


def _cells(row: LexborNode, furniture: Furniture) -> Iterator[tuple[Cell, bool]]:
    """The cells of a row, each with whether all of it is bold."""
    for node in row.iter():
        if node.tag not in ("td", "th"):
            continue
        attributes = node.attributes
        runs = tuple(_runs(node, furniture))
        yield (
            Cell(
                runs,
                node.tag == "th" or _is_in_head(row),
                _span(attributes.get("colspan")),
                _span(attributes.get("rowspan")),
            ),
            _is_bold(node),
        )


def _span(written: str | None) -> int:
    digits = (written or "").strip()[:6]
    return max(1, int(digits)) if digits.isascii() and digits.isdigit() else 1


def _is_bold(cell: LexborNode) -> bool:
    inside = [
        node
        for node in cell.iter(include_text=True)
        if node.tag != "-text" or (node.text_content or "").strip()
    ]
    return len(inside) > 0 and all(node.tag in BOLD for node in inside)


def _runs(cell: LexborNode, furniture: Furniture) -> Iterator[Run]:
    """The runs of a cell, in one line; a text on the stack is the end of a link.

    The items of a list in it, and the rows and cells of a table, are told apart.
    """
    target = last = said = between = ""
    stack: list[LexborNode | str] = [cell]
    while stack:
        node = stack.pop()
        if isinstance(node, str):
            target = ""
            continue
        tag = node.tag or ""
        if node is not cell and (following := node.next) is not None:
            stack.append(following)
        if tag == "-text":
            text = node.text_content or ""
            if text.strip():
                if between:
                    yield Run(" " if not said or said in ENDS_ITEM else f"{between} ")
                said, between = text.strip()[-1], ""
            last = text[-1:]
            yield Run(text, target)
            continue
        attributes = node.attributes
        if node is not cell and (
            tag in NOT_READ
            or furniture.holds(tag, node, attributes)
            or (tag == "a" and is_sign(node))
        ):
            continue
        if tag == "img":
            yield Run(f" {alt_text(attributes)} ", target, picture=attributes.get("src") or "")
        elif tag == "math":
            yield Run(f" {formula(node, attributes)} ", target)
            continue
        elif tag == "sup" and (power := _power(node, last)):
            yield Run(power, target)
            continue
        elif tag in CELL_SIGNS and node is not cell:
            between = between or CELL_SIGNS[tag]
        elif tag in BREAKS:
            yield Run(" ")
        elif tag == "a" and is_link(attributes):
            target = (attributes.get("href") or "").strip()
            stack.append("")
        if (child := node.first_child) is not None:
            stack.append(child)


HEADINGS = {"h1": 1, "h2": 2, "h3": 3, "h4": 4, "h5": 5, "h6": 6}
BLOCKS = names(
    "p div table caption thead tbody tfoot tr blockquote section article main header footer hr "
    "figure figcaption center address form fieldset legend details summary map aside hgroup "
    "dialog search menu body"
)
LISTS = names("ul ol dl dir")
ASIDE_TAGS = names("table figure aside map")
ASIDE_CLASSES = names("thumb infobox dablink hatnote rellink metadata ambox")
STYLES = {
    **dict.fromkeys(("b", "strong"), MarkupKind.STRONG),
    **dict.fromkeys(("i", "em", "var", "dfn"), MarkupKind.EMPHASIS),
    **dict.fromkeys(("code", "kbd", "samp", "tt"), MarkupKind.INLINE_CODE),
}


class HtmlWalk:
    """Goes through elements without recursion: pages may be nested deeply."""

    def __init__(
        self, builder: PageBuilder, furniture: Furniture | None, title: LexborNode | None = None
    ) -> None:
        """``furniture``: None to read the frame of the page too; ``title``: read already."""
        self._builder = builder
        self._furniture = furniture
        self._title = title.mem_id if title is not None else 0
        self._above_title = _above(title)
        self._before_title = False
        self._captions = Captions()
        self._asides: list[LexborNode] = []
        self._verbatim = 0
        self._in_items = 0
        self._lists: list[int] = []  # the last number of each open list; -1 where it has none
        self._in_heading = False
        self._in_term = False
        self._begins_term = False
        self._term = ""  # the last character of a term whose definition is to come
        self._joins = False  # the next block goes on in this line
        self._space = False
        self._last = ""
        self._in_link = False
        self.words = 0
        self.linked_words = 0

    def read(self, part: LexborNode) -> None:
        """Read the whole part."""
        self._before_title = part.mem_id in self._above_title
        self._walk(part)
        self._read_asides()
        self._builder.end_list()

    def _walk(self, root: LexborNode, *, asides: bool = True) -> None:
        # A text on the stack says how to leave an element.
        stack: list[LexborNode | str] = [root]
        while stack:
            node = stack.pop()
            if isinstance(node, str):
                self._leave(node)
                continue
            tag = node.tag or ""
            if node is not root and (following := node.next) is not None:
                stack.append(following)
            if tag == "-text":
                self._text(node.text_content or "")
                continue
            if tag in NOT_READ:
                continue
            attributes = node.attributes
            if node is not root:
                if self._is_skipped(tag, node, attributes):
                    if tag in HEADINGS or tag in ("a", "span"):
                        self._anchors(tag, attributes)
                    continue
                if asides and self._is_aside(tag, attributes):
                    self._asides.append(node)
                    continue
            self._anchors(tag, attributes)
            leave, goes_in = self._enter(tag, node, attributes)
            if leave:
                stack.append(leave)
            if goes_in and (child := node.first_child) is not None:
                stack.append(child)

    def _is_skipped(self, tag: str, node: LexborNode, attributes: TagAttributes) -> bool:
        if tag in HEADINGS and node.mem_id == self._title:
            self._before_title = False
            return True
        if self._furniture is None:
            return False
        if self._furniture.holds(tag, node, attributes) or (tag == "a" and is_sign(node)):
            return True
        # What stands above the title is the site's: its name, the way to this page.
        return (
            self._before_title
            and tag in BOXES
            and node.mem_id not in self._above_title
            and (tag == "header" or self._furniture.is_mostly_links(node))
        )

    def _is_aside(self, tag: str, attributes: TagAttributes) -> bool:
        """Boxes that stand before the first paragraph follow it, so that it comes first."""
        if self._builder.has_paragraph:
            return False
        return tag in ASIDE_TAGS or (
            tag == "div" and not ASIDE_CLASSES.isdisjoint((attributes.get("class") or "").split())
        )

    def _read_asides(self) -> None:
        waiting, self._asides = self._asides, []
        for node in waiting:
            self._builder.end_list()
            self._walk(node, asides=False)

    def _anchors(self, tag: str, attributes: TagAttributes) -> None:
        if name := attributes.get("id"):
            self._builder.anchor(name)
        if tag == "a" and (other := attributes.get("name")) and other != name:
            self._builder.anchor(other)

    def _text(self, text: str) -> None:
        self._count(text, linked=self._in_link)
        if self._verbatim:
            self._builder.add_verbatim(text)
            return
        if not text.strip():
            if self._in_term:
                self._space = self._space or bool(text)
            elif not self._term:  # between a term and its definition there is no space
                self._builder.add(text)
            return
        self._joins = False
        self._last = text[-1]
        if self._in_term and self._begins_term and text.strip() == ":":
            return  # texinfo puts the kind of thing before it, even where it has none
        self._begins_term = False
        if self._in_term:  # the space behind a term would stand before its colon
            if self._space:
                self._builder.add(" ")
            self._space = text[-1].isspace()
            self._term = text.rstrip()[-1]
            text = text.rstrip()
        self._builder.add(text)

    def _count(self, text: str, *, linked: bool) -> None:
        words = len(text.split())
        self.words += words
        self.linked_words += words * linked

    def _enter(self, tag: str, node: LexborNode, attributes: TagAttributes) -> tuple[str, bool]:
        """Begin an element: how to leave it if its end matters, and whether to go into it."""
        builder = self._builder
        if tag in HEADINGS:
            self._read_asides()
            builder.open_heading(HEADINGS[tag])
            self._in_heading = True
            return "heading", True
        if tag == "table" and self._table(node):
            return "", False
        if tag in BLOCKS:
            self._begin_block()
            if tag == "blockquote" and not self._in_term:
                builder.markup.quote(1)
                return f"quoted {self._end_of(tag, node)}", True
            return self._end_of(tag, node), True
        if tag == "a":
            return self._link(attributes), True
        if tag in LISTS or tag in ("li", "dt", "dd"):
            return self._list(tag), True
        if tag == "pre":
            self._begin_block()
            builder.markup.code(True)
            self._verbatim += 1
            return "pre", True
        return self._inline(tag, node, attributes)

    def _begin_block(self) -> None:
        if self._in_term:
            self._space = True
        elif not self._joins and not self._verbatim:
            self._builder.end_item() if self._in_items else self._builder.end_block()

    def _end_of(self, tag: str, node: LexborNode) -> str:
        """A paragraph in an item, or alone in a definition, ends as the item does."""
        if self._in_term:
            return "space"
        if self._in_items or (tag in ("p", "div") and _is_alone_in_definition(node)):
            return "item"
        return "block"

    def _link(self, attributes: TagAttributes) -> str:
        href = (attributes.get("href") or "").strip()
        if not is_link(attributes) or (self._in_heading and href.startswith("#")):
            return ""
        self._builder.open_written(href)
        self._in_link = True
        return "link"

    def _list(self, tag: str) -> str:
        builder = self._builder
        if tag in LISTS:
            self._begin_block()
            self._lists.append(0 if tag == "ol" else -1)
            return "inner list" if self._in_items else "list"
        if tag == "dt":
            if self._term:
                builder.add(", ")
            else:
                builder.end_item()
            self._in_term, self._begins_term, self._space = True, True, False
            return "term"
        if tag == "dd" and self._term:
            builder.add(" " if self._term in ENDS_ITEM else ": ")
            self._term, self._joins = "", True
            return "item"
        self._term = ""
        builder.end_item()
        if tag == "dd":
            return "item"
        self._in_items += 1
        if self._lists and self._lists[-1] >= 0:
            self._lists[-1] += 1
        builder.markup.open_item(self._in_items, max(0, self._lists[-1]) if self._lists else 0)
        return "list item"

    def _inline(self, tag: str, node: LexborNode, attributes: TagAttributes) -> tuple[str, bool]:
        builder = self._builder
        if tag == "br":
            if self._verbatim:
                builder.add_verbatim("\n")
            else:
                builder.break_line()
        elif tag in ("td", "th"):
            builder.begin_cell()
        elif tag == "img":
            builder.open_picture(attributes.get("src") or "")
            if (alt := alt_text(attributes)) and not self._captions.has(node):
                self._text(f" {alt} ")
            builder.close_picture()
        elif tag == "math":
            self._text(f" {formula(node, attributes)} ")
            return "", False
        elif tag == "sup" and (power := _power(node, self._last)):
            self._text(power)
            return "", False
        elif tag == "q":
            self._text("“")
            return "quote", True
        elif tag == "area":
            self._area(attributes)
        elif tag in STYLES and not self._verbatim:
            builder.open_style(STYLES[tag])
            return STYLES[tag], True
        return "", True

    def _area(self, attributes: TagAttributes) -> None:
        """A link on a picture; the label that a reader sees there is its anchor."""
        label = attributes.get("title") or attributes.get("alt")
        if label and is_link(attributes):
            self._builder.begin_cell()
            self._builder.open_written((attributes.get("href") or "").strip())
            self._builder.add(label)
            self._builder.close_link()

    def _leave(self, how: str) -> None:
        builder = self._builder
        match how:
            case "link":
                builder.close_link()
                self._in_link = False
            case "quote":
                self._text("”")
            case "space":
                self._space = True
            case "term":
                self._in_term = False
            case "heading":
                builder.end_block()
                self._in_heading = False
            case "list":
                self._term = ""
                self._lists.pop()
                builder.end_list()
            case "list item":
                self._in_items -= 1
                builder.end_item()
            case "item" | "inner list":
                self._joins = False
                builder.end_item()
                if how == "inner list":
                    self._lists.pop()
                    builder.markup.open_item(self._in_items, -1)
            case "quoted item" | "quoted block":
                builder.end_item() if self._in_items else builder.end_block()
                builder.markup.quote(-1)
            case MarkupKind.STRONG | MarkupKind.EMPHASIS | MarkupKind.INLINE_CODE:
                builder.close_style(MarkupKind(how))
            case "pre":
                self._verbatim -= 1
                builder.end_item() if self._in_items else builder.end_block()
                builder.markup.code(False)
            case _:
                builder.end_block()

    def _table(self, node: LexborNode) -> bool:
        """A table that holds data; false if it lays out the page and is read as any element."""
        if self._in_term or self._verbatim or not is_data(node):
            return False
        if (caption := caption_of(node)) is not None:
            self._begin_block()
            self._walk(caption)
            self._builder.end_block()
        self._joins = False
        rows = rows_of(node, self._furniture or Furniture(0))
        for run in (run for row in rows for cell in row for run in cell.runs):
            self._count(run.text, linked=bool(run.target))
        self._builder.add_table(rows)
        return True


def _above(title: LexborNode | None) -> set[int]:
    """The elements that the title stands in."""
    found: set[int] = set()
    above = title.parent if title is not None else None
    while above is not None:
        found.add(above.mem_id)
        above = above.parent
    return found


def _is_alone_in_definition(node: LexborNode) -> bool:
    parent = node.parent
    if parent is None or parent.tag != "dd":
        return False
    return sum(1 for _ in zip(range(2), parent.iter(), strict=False)) == 1


ResolveHref = Callable[[str], tuple[str, str] | None]
"""From an href to a title and a fragment; None where it leads to no document."""

WORDS_OF_PROSE = 8
WORDS_OF_A_FRAME = 100
"""Words outside of links that a page's frame may have; with more, some of it may be its text."""
REFRESH = re.compile(r"\s*(\d+)\s*[;,]\s*url\s*=\s*(.+)", re.IGNORECASE | re.DOTALL)
LONGEST_REDIRECT = 400
NO_TEXT_INSIDE = ["script", "style", "noscript", "template", "svg"]
NO_TEXT = "it has no text"


def parse_html(entry: Entry) -> Iterator[Page | Skipped]:
    """The page that an HTML file is."""
    if b"\x00" in entry.data[:4096] and not entry.data.startswith((b"\xff\xfe", b"\xfe\xff")):
        yield Skipped(entry.name, "it is not an HTML page but binary data")
        return
    text, note = decoded(entry.data)
    text, given, facts = _filled_in(text) if text.startswith("---") else (text, "", ())
    tree = parsed(text)
    if target := _leads_to(tree):
        yield Page(entry.name, Document(title_of_path(entry.name), ""), leads_to=target)
        return
    builder, names = read_page(tree, title_of_path(entry.name), given)
    add_facts(builder, facts)
    page = builder.page(entry.name, names=names, extra={"note": note} if note else None)
    if not page.document.text:
        yield Skipped(entry.name, NO_TEXT)
    elif is_link_list(page):
        yield Skipped(entry.name, "it is a list of links without a text of its own")
    else:
        yield page


def _filled_in(text: str) -> tuple[str, str, tuple[Fact, ...]]:
    """A page that a site generator fills in: its HTML, its title, and what else it tells."""
    # Imported here because few pages have front matter, and what reads it brings a parser of YAML.
    from lacuna.corpus.formats.front_matter import split_front_matter
    from lacuna.corpus.formats.markdown_templates import filled_in

    matter = split_front_matter(text.replace("\r\n", "\n"))
    body = filled_in(matter.body, {field.key.lower(): field.text for field in matter.fields})
    facts = tuple(Fact(field.key, field.text, field.line) for field in matter.facts())
    return body, next(matter.values("title"), ""), facts


def parsed(text: str) -> LexborHTMLParser:
    """The elements of a page; none of its bytes can make this slow."""
    return LexborHTMLParser(tamed(as_html(text)))


def html_document(title: str, text: str, resolve: ResolveHref) -> Document:
    """A text with HTML markup as a document whose links lead to titles."""
    builder = PageBuilder(title)
    if (body := parsed(text).body) is not None:
        HtmlWalk(builder, Furniture(len(text))).read(body)
    page = builder.page("")
    links = (
        Link(link.start, link.end, *target)
        for link in page.links
        if (target := resolve(link.target)) is not None
    )
    return replace(page.document, links=tuple(links), origin=None)


def read_page(
    tree: LexborHTMLParser, file_title: str, other_title: str = ""
) -> tuple[PageBuilder, tuple[str, ...]]:
    """Read a page, and the names that it has beside its title.

    A page without a main heading is called ``other_title``, if there is one. Its frame is left
    out, unless too little would remain: then what seemed to be the frame is not.
    """
    part, body = main_part(tree), tree.body
    if part is None or body is None:
        return PageBuilder(file_title), ()
    tree.strip_tags(NO_TEXT_INSIDE)
    furniture = Furniture(4 * len(body.text()))
    attempts = [(part, furniture), (body, furniture), (body, None)]
    for root, leaves_out in attempts[part.mem_id == body.mem_id :]:
        title = called(tree, root, furniture)
        name = title.name if title.heading is not None else other_title or title.name
        builder = PageBuilder(name or file_title)
        walk = HtmlWalk(builder, leaves_out, title.heading)
        walk.read(root)
        if not _is_too_little(walk, body):
            break
    names = (title.window,) if title.window and title.window != builder.title else ()
    return builder, names


def _is_too_little(walk: HtmlWalk, body: LexborNode) -> bool:
    """Tell if less than a third of the body's words were read, not counting those of links."""
    whole = len(body.text(separator=" ").split())
    if 3 * walk.words >= whole:
        return False
    links = sum(len(link.text().split()) for link in body.css("a, button"))
    return 3 * (walk.words - walk.linked_words) < whole - links - WORDS_OF_A_FRAME


def is_link_list(page: Page) -> bool:
    """Tell if a page is an index: more than half of it is links, and no sentence has words."""
    text = page.document.text
    links = [link for link in page.links if not link.target.startswith("#")]
    if 2 * sum(link.end - link.start for link in links) <= len(text):
        return False
    at, unlinked = 0, []
    for link in links:
        unlinked.append(text[at : link.start])
        unlinked.append("\0" * (link.end - link.start))
        at = link.end
    bare = "".join(unlinked) + text[at:]
    return all(
        len(bare[start:end].replace("\0", " ").split()) < WORDS_OF_PROSE
        for start, end in page.document.sentences
    )


def _leads_to(tree: LexborHTMLParser) -> str:
    """The target to which a page sends its reader at once, if that is all that it does."""
    for meta in tree.css("meta[http-equiv]")[:20]:
        attributes = meta.attributes
        if (attributes.get("http-equiv") or "").lower() != "refresh":
            continue
        found = REFRESH.match(attributes.get("content") or "")
        body = tree.body
        if found and (body is None or len(body.text()) <= LONGEST_REDIRECT):
            return found[2].strip().strip("'\"")[:LONGEST_REDIRECT]
    return ""
