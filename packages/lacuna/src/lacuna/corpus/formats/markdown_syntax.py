"""CommonMark with the rules, tags and components that are understood beyond it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, partial
from html import unescape
from string import ascii_letters, digits

from markdown_it import MarkdownIt
from markdown_it.parser_block import RuleFuncBlockType
from markdown_it.ruler import RuleOptionsType
from markdown_it.rules_block import StateBlock
from markdown_it.rules_block.html_block import html_block
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from mdit_py_plugins.deflist import deflist_plugin
from mdit_py_plugins.footnote import footnote_plugin

from lacuna.corpus.formats.markdown_templates import (
    BY_NAME,
    ELSEWHERE,
    TEMPLATE,
    attributes,
    link_target,
    named_by,
    shown_words,
    template_link,
    template_words,
    words_of_target,
)
from lacuna.corpus.page import LinkKind
from lacuna.corpus.page_builder import PageBuilder, raised
from lacuna.corpus.tables import Cell, Run
from lacuna.types import MarkupKind

BETWEEN_ITEMS = "; "
"""Stands between the items of a list in a cell."""
NOTHING_MORE = (Run(BETWEEN_ITEMS), Run(" "), Run("\n"))


class CellText:
    """Collects one cell; takes what a ``PageBuilder`` takes, and has no blocks."""

    def __init__(self, heading: bool, across: int = 1, down: int = 1) -> None:
        self._shape = (heading, across, down)
        self._runs: list[Run] = []
        self._link: tuple[str, LinkKind] | None = None
        self._picture = ""

    def add(self, text: str) -> None:
        """Running text."""
        run = Run(text, *self._link) if self._link else Run(text)
        self._runs.append(run._replace(picture=self._picture) if self._picture else run)

    @property
    def last(self) -> str:
        """The last characters."""
        return self._runs[-1].text[-2:] if self._runs else ""

    def add_verbatim(self, text: str) -> None:
        """In a cell, code is text like any other."""
        self.add(text)

    def break_line(self) -> None:
        """A cell is one line."""
        self.add(" ")

    def open_written(self, target: str, kind: LinkKind = LinkKind.PATH) -> None:
        """Begin the anchor of a link."""
        self._link = (target, kind)

    def close_link(self) -> None:
        """The anchor ends."""
        self._link = None

    def open_picture(self, target: str) -> None:
        """Begin the words of a picture."""
        self._picture = target

    def close_picture(self) -> None:
        """They end."""
        self._picture = ""

    def open_heading(self, level: int) -> None:
        """A heading in a cell is text."""
        self.end_block()

    def end_block(self) -> None:
        """Begin another word."""
        self.close_link()
        self.add(" ")

    end_list = end_block

    def end_item(self) -> None:
        """The items of a list in a cell stand apart."""
        is_open = any(run.text.strip() for run in self._runs[-1:]) and self.last[-1:].isalnum()
        self.close_link()
        self.add(BETWEEN_ITEMS if is_open else " ")

    def cell(self) -> Cell:
        """The runs that were collected."""
        while self._runs and self._runs[-1] in NOTHING_MORE:
            self._runs.pop()
        return Cell(tuple(self._runs), *self._shape)


class Sheet:
    """A page under way, with the tables on it; a table inside a cell is text of that cell."""

    def __init__(self, builder: PageBuilder) -> None:
        self.builder = builder
        self._cell: CellText | None = None
        self._rows: list[list[Cell]] = []
        self._marks: list[int] = []
        self._depth = 0
        self._line = 0

    @property
    def out(self) -> PageBuilder | CellText:
        """The target that the text is added to."""
        return self._cell or self.builder

    def mark(self, number: int) -> None:
        """Note that the text from here on is on this line of the file."""
        self._line = number
        if not self._depth:
            self.builder.mark(number)

    def open_style(self, kind: MarkupKind) -> None:
        """Begin text that stands out; in a cell that is not kept."""
        if self._cell is None:
            self.builder.open_style(kind)

    def close_style(self, kind: MarkupKind) -> None:
        """It ends."""
        if self._cell is None:
            self.builder.close_style(kind)

    def begin_table(self) -> None:
        """Begin rows with cells."""
        self._depth += 1
        if self._depth == 1:
            self.builder.end_block()

    def begin_row(self) -> None:
        """The next row."""
        if self._depth != 1:
            self.out.end_block()
            return
        self._end_cell()
        self._rows.append([])
        self._marks.append(self._line)

    def begin_cell(self, heading: bool, across: int = 1, down: int = 1) -> None:
        """The next cell; what is added from here on is its text."""
        if self._depth != 1:
            self.out.end_block()
            return
        self._end_cell()
        if not self._rows:
            self.begin_row()
        self._cell = CellText(heading, across, down)

    def end_table(self) -> None:
        """The table is whole."""
        if self._depth > 1:
            self._depth -= 1
        elif self._depth:
            self.flush()

    def flush(self) -> None:
        """Put the open table onto the page, whether it was closed or not."""
        self._end_cell()
        self._depth = 0
        if self._rows:
            self.builder.add_table(self._rows, self._marks)
        self._rows, self._marks = [], []

    def _end_cell(self) -> None:
        if self._cell:
            self._rows[-1].append(self._cell.cell())
            self._cell = None


# None of them goes on over another "<", so that many openings without an end stay cheap.
TAG = re.compile(
    r"""<(/?)([A-Za-z][\w.:-]*)(?=[\s/>{])((?:[^<>"'{}]|"[^"<]*+"|'[^'<]*+'"""
    r"""|\{(?:[^{}<]|\{[^{}<]*+\}|<[^<>{}]*+>)*+\})*+)>"""
)
CARELESS_TAG = re.compile(r"<(/?)([A-Za-z][\w.:-]*)(?=[\s/>])([^<>]*+)>")
DECLARATION = re.compile(r"<[!?][^<>]*+>")
LONGEST_COMMENT = 5000
"""Of one inside running text; one that begins a line may go on."""
FURTHEST_END = 2000
"""Characters in which the end of an element that HTML does not know is looked for."""
SHORTCODE = re.compile(r"\{\{[<%][^{}]*+\}\}")
SILENT = frozenset(("script", "style", "template", "svg"))
BLOCK_NAMES = """
address article aside blockquote caption center dd details dialog div dl dt fieldset figcaption
figure footer form header hr main nav ol p pre section summary tbody thead ul
"""
INLINE_NAMES = """
a abbr acronym audio b bdi bdo big br button canvas cite code col colgroup data del dfn em font h1
h2 h3 h4 h5 h6 i iframe img input ins kbd label li link mark meta object optgroup option output
param picture progress q rp rt ruby s samp select small source span strike strong sub sup table td
textarea tfoot th time tr track tt u var video wbr
"""
BLOCKS = frozenset(BLOCK_NAMES.split())
HTML_NAMES = BLOCKS | SILENT | frozenset(INLINE_NAMES.split())


def tag_at(text: str, start: int) -> int:
    """The end of the tag that begins here; 0 if none does."""
    if text.startswith("<!--", start):
        end = text.find("-->", start, start + LONGEST_COMMENT)
        return end + len("-->") if end >= 0 else 0
    tag = TAG.match(text, start) or CARELESS_TAG.match(text, start)
    if tag is None:
        declaration = DECLARATION.match(text, start)
        return declaration.end() if declaration else 0
    return 0 if tag[2].lower() not in HTML_NAMES and _is_text(text, tag) else tag.end()


def _is_text(text: str, tag: re.Match[str]) -> bool:
    """Tell if what looks like a tag is a type, as in ``Vec<T>``, or a gap for ``<your-name>``."""
    if tag[1]:
        return False
    if tag.start() and text[tag.start() - 1].isalnum():
        return True
    is_gap = tag[2].islower() and not tag[3]
    return is_gap and text.find(f"</{tag[2]}>", tag.end(), tag.end() + FURTHEST_END) < 0


def _pieces(html: str) -> Iterator[tuple[bool, str]]:
    """Text, and what is markup: tags and comments."""
    at = 0
    while at < len(html):
        is_markup = True
        if html.startswith("<!--", at):
            end = html.find("-->", at) + len("-->")
            end = end if end > at else len(html)
        elif html[at] != "<" or not (end := tag_at(html, at)):
            is_markup = False
            end = html.find("<", at + 1)
            end = end if end > at else len(html)
        yield is_markup, html[at:end]
        at = end


class TagReader:
    """Writes what tags mean onto a page: ends of blocks, links, pictures, tables, anchors."""

    def __init__(self, sheet: Sheet) -> None:
        self._sheet = sheet
        self._silent = ""
        self._verbatim = False
        self._lists = 0
        self._in_heading = False
        self._above_line = False

    def read(self, html: str, line: int = 0) -> None:
        """A stretch of HTML that begins on this line; 0 where lines are not known."""
        html = SHORTCODE.sub(lambda found: template_words(found[0]), html)
        for is_markup, piece in _pieces(html):
            if is_markup:
                self.tag(piece, alone=True)
            else:
                self._text(piece)
            if line and "\n" in piece:
                line += piece.count("\n")
                self._sheet.mark(line)
        self._in_heading = False

    def tag(self, written: str, *, alone: bool) -> None:
        """One tag; a component that stands alone on its line ends the block before it."""
        tag = TAG.fullmatch(written) or CARELESS_TAG.fullmatch(written)
        if tag is None:
            return
        closing, name, given = bool(tag[1]), tag[2].lower(), attributes(tag[3])
        if self._silent:
            self._silent = "" if closing and name == self._silent else self._silent
        elif name in SILENT:
            if not closing and not tag[3].endswith("/"):
                self._silent = name
        elif name in HTML_NAMES:
            self._html(name, closing, given)
        else:
            is_closed = tag[3].endswith("/")
            self._component(tag[2], closing, given, alone=alone, is_closed=is_closed)

    def _text(self, text: str) -> None:
        if self._silent:
            return
        shown = TEMPLATE.sub(lambda found: template_words(found[0]), unescape(text))
        self.add(shown if self._verbatim else KRAMDOWN.sub("", shown))

    def add(self, text: str) -> None:
        """The words between two tags."""
        out = self._sheet.out
        if self._verbatim:
            out.add_verbatim(text)
        else:
            is_above = self._above_line and out.last[-1:].isalnum()
            out.add((raised(text) if is_above else None) or text)

    def _html(self, name: str, closing: bool, given: dict[str, str]) -> None:
        sheet, out = self._sheet, self._sheet.out
        if name in BLOCKS or name == "li":
            self._end_block(name, closing)
        anchor = given.get("id") or (given.get("name") if name == "a" else "")
        if anchor and not closing:
            sheet.builder.anchor(anchor)
        match name:
            case "br":
                out.break_line()
            case "a":
                out.close_link()
                if not closing and "href" in given:
                    open_link(sheet, given["href"])
            case "img":
                out.open_picture(given.get("src", ""))
                out.add(given.get("alt", "") or given.get("title", ""))
                out.close_picture()
            case "pre":
                self._verbatim = not closing
            case "sup":
                self._above_line = not closing
            case "table":
                if closing:
                    sheet.end_table()
                else:
                    sheet.begin_table()
            case "tr":
                if not closing:
                    sheet.begin_row()
            case "td" | "th":
                if not closing:
                    across, down = given.get("colspan", ""), given.get("rowspan", "")
                    sheet.begin_cell(name == "th", _count(across), _count(down))
            case "h1" | "h2" | "h3" | "h4" | "h5" | "h6":
                self._in_heading = not closing
                if closing:
                    out.end_block()
                else:
                    out.open_heading(int(name[1]))

    def _end_block(self, name: str, closing: bool) -> None:
        out = self._sheet.out
        if self._in_heading:
            out.add(" ")
            return
        if name in ("ul", "ol"):
            self._lists = max(0, self._lists + (-1 if closing else 1))
            if closing and not self._lists:
                out.end_list()
                return
        if self._lists:
            out.end_item()
        else:
            out.end_block()

    def _component(
        self, name: str, closing: bool, given: dict[str, str], *, alone: bool, is_closed: bool
    ) -> None:
        out = self._sheet.out
        out.close_link()
        if alone:
            out.end_block()
        if closing:
            return
        if given.get("id"):
            self._sheet.builder.anchor(given["id"])
        open_link(self._sheet, given.get("href") or given.get("to") or "")
        if words := shown_words(name, given) or (is_closed and named_by(name, given)):
            out.add(words)
            out.close_link()
            if alone:
                out.end_block()
            elif not is_closed:
                out.add(": " if words[-1].isalnum() else " ")


def open_link(sheet: Sheet, written: str) -> None:
    """A link to what its target says once templates in it are filled in."""
    target = TEMPLATE.sub(lambda found: link_target(found[0]), written).strip()
    if BY_NAME in target:
        sheet.out.open_written(target.partition(BY_NAME)[2], LinkKind.NAME)
    elif target and ELSEWHERE not in target:
        sheet.out.open_written(target)


def _count(written: str) -> int:
    return int(written) if written.isascii() and written.isdigit() and len(written) < 5 else 1


# Each pattern stops where the next of its kind begins, so that a page of openings without an end
# takes time in proportion to its length.
WIKI_LINK = re.compile(r"(!?)\[\[([^\[\]|\n]+)(?:\|([^\[\]\n]*))?\]\](?!\()")
NOTE_MARK = re.compile(r"\[\^[^\[\]\s]+\]")
INLINE_NOTE = re.compile(r"\^\[((?:[^\[\]]|\[[^\[\]]*+\])++)\]")
MATH = re.compile(r"\$\$[^$]++\$\$|\$(?=[^\s$])[^$\n]*+\$(?!\d)")
LOOKS_LIKE_MATH = re.compile(r"[\\^_{}*]")
ATTRIBUTES = re.compile(
    r"\{:[^{}\n]*+\}|\{#[\w.:-]+\}|\{[#.][\w.:-]+(?:\s[^{}\n]*+)?\}(?=\s*+$)|"
    r"(?<=[)\]`*_:>])\{ ?(?:[#.][\w-]|[\w-]+=)[^{}\n]*+\}|"
    r"\{ (?:[#.][\w-]+(?=[ }])|[\w-]+=)[^{}\n]*+\}",
    re.MULTILINE,
)
ICON = re.compile(
    r":((?:material|fontawesome|octicons|simple|bootstrap|fa[bsr]?|mdi)-[a-z0-9-]+"
    r"|white_check_mark|heavy_check_mark|ballot_box_with_check|x|heavy_multiplication_x"
    r"|negative_squared_cross_mark|no_entry(?:_sign)?):(\{[^{}\n]*+\})?"
)
HIGHLIGHT = re.compile(r"==(?=[^\s=])([^=\n]+?)(?<=\S)==(?![=\w])")
KRAMDOWN = re.compile(r"[ \t]*\{(?::[^{}\n]*+|#[\w.:-]+)\}")
RAISED = re.compile(r"(?<=\d)\^(-?\d{1,6})\^")
ROLE = re.compile(r"\{([a-z][\w:+.-]*+)\}(`{1,3})(?!`)(.{1,300}?)(?<!`)\2(?!`)", re.IGNORECASE)
ROLE_TARGET = re.compile(r"(.*?)\s*<([^<>]+)>$", re.DOTALL)
MDX_COMMENT = re.compile(r"\{/\*[^{}]*+\}")
MDX_TEXT = re.compile(r"""\{\s*(?:"([^"{}\n]*)"|'([^'{}\n]*)'|`([^`{}\n]*)`)\s*\}""")
MDX_VALUE = re.compile(r"\{[\w.]+\}")
NOTE_COMMENT = re.compile(r"%%[^%]++%%")
BEGIN_OF_RAW = re.compile(r"\{%-?\s*raw\s*-?%\}")
END_OF_RAW = re.compile(r"\{%-?\s*endraw\s*-?%\}")
LONGEST_RAW = 2000
LABELS = ("ref", "numref", "doc", "eq", "any")
WORD_OR_EQUALS = frozenset("=_" + ascii_letters + digits)
NEAR = 100
"""Characters on either side of a tag that tell whether it has a line of its own."""


def add_inline_rules(parser: MarkdownIt, *, mdx: bool) -> None:
    """Make a parser know them; ``mdx`` adds what only MDX has."""
    ruler = parser.inline.ruler
    ruler.before("escape", "math", _math)
    ruler.before("link", "wiki_link", _wiki_link)
    ruler.before("link", "note_mark", _note_mark)
    ruler.before("link", "inline_note", _inline_note)
    ruler.before("link", "template", _template)
    ruler.before("link", "braces", _braces_of_mdx if mdx else _braces)
    ruler.before("link", "note_comment", _note_comment)
    ruler.before("link", "icon", _icon)
    ruler.before("link", "highlight", _highlight)
    ruler.before("link", "raised", _raised)
    ruler.at("html_inline", _tag)


def _push(state: StateInline, silent: bool, kind: str, content: str, end: int) -> bool:
    if not silent:
        state.push(kind, "", 0).content = content
    state.pos = end
    return True


def _push_link(state: StateInline, silent: bool, target: str, words: str, end: int) -> bool:
    if not silent:
        state.push("link_open", "a", 1).attrs["href"] = target
        state.push("text", "", 0).content = words
        state.push("link_close", "a", -1)
    state.pos = end
    return True


def _push_parsed(state: StateInline, silent: bool, text: str, end: int) -> bool:
    """Markdown that stands in marks which are none of it."""
    if not silent:
        if state.pending:
            state.pushPending()
        words: list[Token] = []
        state.md.inline.parse(text, state.md, state.env, words)
        state.tokens += words
    state.pos = end
    return True


def _math(state: StateInline, silent: bool) -> bool:
    """Formulas stay as they are written; what only has prices in it is no formula."""
    if state.src[state.pos] != "$" or not (math := MATH.match(state.src, state.pos)):
        return False
    if not LOOKS_LIKE_MATH.search(math[0]) or "](" in math[0] or math[0][-2].isspace():
        return False
    return _push(state, silent, "text", math[0], math.end())


def _wiki_link(state: StateInline, silent: bool) -> bool:
    """``[[target#heading|shown]]``, and ``![[…]]``, which shows the target here.

    ``[[1]](path)`` is a link with brackets in its words.
    """
    if state.src[state.pos] not in "[!" or not (link := WIKI_LINK.match(state.src, state.pos)):
        return False
    if not silent:
        token = state.push("wiki_embed" if link[1] else "wiki_link", "", 0)
        token.content = link[2].strip()
        token.info = (link[3] or "").strip()
    state.pos = link.end()
    return True


def _note_mark(state: StateInline, silent: bool) -> bool:
    """The mark of a footnote vanishes; its text stands where the note was written."""
    mark = NOTE_MARK.match(state.src, state.pos) if state.src[state.pos] == "[" else None
    notes = state.env.get("footnotes", {}).get("refs", {})
    if mark is None or ":" + mark[0][2:-1] not in notes:
        return False
    state.pos = mark.end()
    return True


def _inline_note(state: StateInline, silent: bool) -> bool:
    """``^[a note]`` is read in brackets."""
    if state.src[state.pos] != "^" or not (note := INLINE_NOTE.match(state.src, state.pos)):
        return False
    _push(state, silent, "text", " (", state.pos)
    _push_parsed(state, silent, note[1], state.pos)
    return _push(state, silent, "text", ")", note.end())


def _template(state: StateInline, silent: bool) -> bool:
    if state.src[state.pos] != "{" or not (template := TEMPLATE.match(state.src, state.pos)):
        return False
    if BEGIN_OF_RAW.fullmatch(template[0]):
        end = END_OF_RAW.search(state.src, template.end(), template.end() + LONGEST_RAW)
        if end:
            return _push(state, silent, "text", state.src[template.end() : end.start()], end.end())
    if link := template_link(template[0]):
        return _push_link(state, silent, *link, template.end())
    words = template_words(template[0])
    if "](" in words:
        return _push_parsed(state, silent, words, template.end())
    return _push(state, silent, "text", words, template.end())


def _braces(state: StateInline, silent: bool) -> bool:
    """Attributes of what stands before them, and comments."""
    if state.src[state.pos] != "{":
        return False
    if role := ROLE.match(state.src, state.pos):
        return _role(state, silent, role)
    if found := ATTRIBUTES.match(state.src, state.pos):
        return _push(state, silent, "attributes", found[0], found.end())
    comment = MDX_COMMENT.match(state.src, state.pos)
    if comment and comment[0].endswith("*/}"):
        state.pos = comment.end()
        return True
    return False


def _role(state: StateInline, silent: bool, role: re.Match[str]) -> bool:
    """MyST's ``{term}`word`` and ``{doc}`words <path>``; what a role shows is its words."""
    named = ROLE_TARGET.match(role[3])
    words, target = (named[1], named[2]) if named else (role[3], role[3])
    if role[1] == "doc":
        return _push_link(
            state, silent, target, words if named else words_of_target(target), role.end()
        )
    if role[1] in LABELS:
        words = words if named else words_of_target(f"#{target}")
    return _push(state, silent, "text", words.lstrip("~!"), role.end())


def _icon(state: StateInline, silent: bool) -> bool:
    """MkDocs' ``:material-check:``; what it means is seen by what stands beside it."""
    if state.src[state.pos] != ":" or not (icon := ICON.match(state.src, state.pos)):
        return False
    if title := attributes(icon[2] or "").get("title"):
        return _push(state, silent, "text", title, icon.end())
    return _push(state, silent, "icon", icon[1], icon.end())


def _highlight(state: StateInline, silent: bool) -> bool:
    """``==words==`` as ``<mark>`` shows them."""
    if state.src[state.pos] != "=" or not (mark := HIGHLIGHT.match(state.src, state.pos)):
        return False
    if state.pos and state.src[state.pos - 1] in WORD_OR_EQUALS:
        return False
    return _push_parsed(state, silent, mark[1], mark.end())


def _raised(state: StateInline, silent: bool) -> bool:
    """Pandoc's ``10^6^``."""
    if state.src[state.pos] != "^" or not (power := RAISED.match(state.src, state.pos)):
        return False
    return _push(state, silent, "text", raised(power[1]) or power[1], power.end())


def _braces_of_mdx(state: StateInline, silent: bool) -> bool:
    if _braces(state, silent):
        return True
    if state.src[state.pos] != "{":
        return False
    if text := MDX_TEXT.match(state.src, state.pos):
        return _push(state, silent, "text", text[1] or text[2] or text[3] or "", text.end())
    if value := MDX_VALUE.match(state.src, state.pos):
        return _push(state, silent, "text", template_words(f"{{{value[0]}}}"), value.end())
    return False


def _note_comment(state: StateInline, silent: bool) -> bool:
    """``%%what Obsidian does not show%%``."""
    if state.src[state.pos] != "%" or not (found := NOTE_COMMENT.match(state.src, state.pos)):
        return False
    state.pos = found.end()
    return True


def _tag(state: StateInline, silent: bool) -> bool:
    if state.src[state.pos] != "<" or not (end := tag_at(state.src, state.pos)):
        return False
    if not silent:
        token = state.push("html_inline", "", 0)
        token.content = state.src[state.pos : end]
        before = state.src[max(0, state.pos - NEAR) : state.pos].rpartition("\n")[2]
        after = state.src[end : end + NEAR].partition("\n")[0]
        token.meta = {"alone": not before.strip() and not after.strip()}
    state.pos = end
    return True


DEEPEST_BLOCKS = 60
"""Of lists and quotes inside each other."""
NESTING = frozenset(("list", "blockquote", "deflist", "footnote_def"))
NESTS_BY = 3
"""Levels that one of these may add."""
DEEPEST_BRACKETS = 10
"""Of links and pictures inside each other: each level is looked through again by the one above."""
CAN_INTERRUPT: RuleOptionsType = {"alt": ["paragraph", "reference", "blockquote", "list"]}


@cache
def markdown_parser(*, mdx: bool = False) -> MarkdownIt:
    """A parser, which is costly to make; in MDX, indented text is no code."""
    parser = MarkdownIt("commonmark", {"maxNesting": DEEPEST_BLOCKS}).enable("table")
    parser.use(deflist_plugin).use(footnote_plugin, inline=False, move_to_end=False)
    parser.block.ruler.at("html_block", _html_block, CAN_INTERRUPT)
    parser.block.ruler.before("fence", "math_block", _math_block, CAN_INTERRUPT)
    for rule in parser.block.ruler.__rules__:
        if rule.name in NESTING:
            rule.fn = partial(_unless_deep, rule.fn)
    if mdx:
        parser.disable("code")
    parser.core.ruler.at("inline", partial(_parse_inline, _inline_parser(mdx=mdx)))
    return parser


def _unless_deep(
    rule: RuleFuncBlockType, state: StateBlock, start: int, end: int, silent: bool
) -> bool:
    """Make a paragraph of what would nest too deeply; the parser would drop all that follows it."""
    return state.level < DEEPEST_BLOCKS - NESTS_BY and rule(state, start, end, silent)


def _inline_parser(*, mdx: bool) -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"maxNesting": DEEPEST_BRACKETS}).enable("strikethrough")
    add_inline_rules(parser, mdx=mdx)
    # Links stay as they are written, and one that no browser would open is still none of the text.
    parser.normalizeLink = _as_written  # type: ignore[method-assign]
    parser.validateLink = _always  # type: ignore[method-assign]
    return parser


def _parse_inline(parser: MarkdownIt, state: StateCore) -> None:
    for token in state.tokens:
        if token.type == "inline":
            token.children = []
            parser.inline.parse(token.content, parser, state.env, token.children)


def _as_written(url: str) -> str:
    return url


def _always(url: str) -> bool:
    return True


def _html_block(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """HTML; a component, ``<Tabs>``, is none: what stands in it is Markdown."""
    at = state.bMarks[start] + state.tShift[start]
    name = state.src[at : at + 3].lstrip("</")
    return not name[:1].isupper() and html_block(state, start, end, silent)


def _math_block(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """A formula between lines with ``$$``."""
    at = state.bMarks[start] + state.tShift[start]
    if not state.src.startswith("$$", at) or state.is_code_block(start):
        return False
    last = start
    if "$$" not in state.src[at + 2 : state.eMarks[start]]:
        last = next((line for line in range(start + 1, end) if _has_math_mark(state, line)), -1)
    elif not state.src[at : state.eMarks[start]].rstrip().endswith("$$"):
        return False  # text goes on after it
    if last < 0:
        return False
    if not silent:
        state.line = last + 1
        token = state.push("math_block", "", 0)
        token.content = state.getLines(start, last + 1, state.blkIndent, False)
        token.map = [start, last + 1]
    return True


def _has_math_mark(state: StateBlock, line: int) -> bool:
    return "$$" in state.src[state.bMarks[line] : state.eMarks[line]]
