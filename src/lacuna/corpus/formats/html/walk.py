"""Walk through a part of an HTML page, giving a builder what a person reads."""

from __future__ import annotations

from selectolax.lexbor import LexborNode

from lacuna.corpus.formats.html.data_table import caption_of, is_data, rows_of
from lacuna.corpus.formats.html.furniture import (
    BOXES,
    NOT_READ,
    Attributes,
    Furniture,
    is_sign,
    names,
)
from lacuna.corpus.formats.html.inline import Captions, alt_text, formula, is_link, raised
from lacuna.corpus.pages.page_builder import PageBuilder
from lacuna.types import MarkupKind

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
ENDS_TERM = ".:;!?,…"


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

    def _is_skipped(self, tag: str, node: LexborNode, attributes: Attributes) -> bool:
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

    def _is_aside(self, tag: str, attributes: Attributes) -> bool:
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

    def _anchors(self, tag: str, attributes: Attributes) -> None:
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

    def _enter(self, tag: str, node: LexborNode, attributes: Attributes) -> tuple[str, bool]:
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

    def _link(self, attributes: Attributes) -> str:
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
            builder.add(" " if self._term in ENDS_TERM else ": ")
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

    def _inline(self, tag: str, node: LexborNode, attributes: Attributes) -> tuple[str, bool]:
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
        elif tag == "sup" and self._last.isdigit() and (power := raised(node.text())):
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

    def _area(self, attributes: Attributes) -> None:
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
