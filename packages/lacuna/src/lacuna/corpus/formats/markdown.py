"""Markdown files: one page each."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from html import unescape
from itertools import pairwise
from pathlib import PurePosixPath

from markdown_it.token import Token

from lacuna.corpus.formats.entries import Entry
from lacuna.corpus.formats.front_matter import FrontMatter, split_front_matter
from lacuna.corpus.formats.markdown_prepare import prepare
from lacuna.corpus.formats.markdown_syntax import Sheet, TagReader, markdown_parser, open_link
from lacuna.corpus.formats.markdown_templates import (
    NO_VARIABLES,
    RAW,
    TEMPLATE,
    attributes,
    words_of_target,
)
from lacuna.corpus.formats.plain import decoded
from lacuna.corpus.page import LinkKind, Page
from lacuna.corpus.page_builder import Fact, PageBuilder, add_facts
from lacuna.corpus.store import Skipped
from lacuna.corpus.titles import FOLDER_PAGES
from lacuna.types import Document, MarkupKind

NOT_IN_SLUGS = re.compile(r"[^\w\- ]+")


class Slugs:
    """Makes the anchors of one page's headings as GitHub does.

    >>> slugs = Slugs()
    >>> slugs.of("How to sail?"), slugs.of("How to sail")
    ('how-to-sail', 'how-to-sail-1')
    """

    def __init__(self) -> None:
        self._seen: dict[str, int] = {}

    def of(self, heading: str) -> str:
        """The anchor of the next heading; one that was there before gets a number."""
        slug = NOT_IN_SLUGS.sub("", heading.strip().lower()).replace(" ", "-")
        count = self._seen.get(slug, 0)
        self._seen[slug] = count + 1
        return f"{slug}-{count}" if count else slug


PICTURES = (".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp", ".bmp", ".avif", ".heic", ".tiff")
SIZE = re.compile(r"\s*\|?\s*\d{1,5}(?:x\d{1,5})?\s*$")


def inline_words(tokens: Sequence[Token]) -> str:
    """The words that a reader sees of these tokens, in one line."""
    return " ".join("".join(_words(token) for token in tokens).split())


def is_picture(token: Token) -> bool:
    """Tell if an embed shows a picture and not a note."""
    name = token.content.partition("#")[0].strip().lower()
    return token.type == "wiki_embed" and name.endswith(PICTURES)


def _words(token: Token) -> str:
    match token.type:
        case "text" | "code_inline":
            return token.content
        case "softbreak" | "hardbreak":
            return " "
        case "image":
            return _picture_words(inline_words(token.children or []), token)
        case "wiki_link" | "wiki_embed":
            return _name_words(token)
        case _:
            return ""


def _picture_words(alt: str, token: Token) -> str:
    title = str(token.attrs.get("title", "")).strip()
    alt = re.sub(r"\|\s*\d{1,5}(?:x\d{1,5})?$", "", alt)
    if title and title != alt:
        return f"{alt} ({title})" if alt else title
    return alt


def _name_words(token: Token) -> str:
    name, _, fragment = token.content.partition("#")
    name = name.strip()
    if is_picture(token):
        caption = "" if SIZE.fullmatch(token.info) else token.info
        return caption or PurePosixPath(name).stem
    return token.info or name or fragment.strip().lstrip("^")


TASK = re.compile(r"\[([ xX/-])\](?=\s|$)")
TASKS = {" ": "[to do]", "x": "[done]", "X": "[done]", "/": "[in progress]", "-": "[cancelled]"}
BLOCK_ID = re.compile(r"(?:^|\s)\^([A-Za-z0-9-]+)\s*$")
LONGEST_BLOCK_ID = 100
STYLES = {"strong": MarkupKind.STRONG, "em": MarkupKind.EMPHASIS}
CUSTOM_ID = re.compile(r"#([\w.:-]+)")


ICONS = {"yes": "✓", "no": "✗"}
YES_OR_NO = re.compile(
    r"(?:^|[-_])(?:(check)(?!-?box-blank)|(close|cancel|x|cross|no|minus))(?=[-_]|$)"
)
AUTOMATIC = "AUTOTITLE"
"""GitHub's words for the title of the page that a link leads to."""


def _meaning(icon: str) -> str:
    """The word that an icon stands for."""
    if found := YES_OR_NO.search(icon):
        return "yes" if found[1] else "no"
    return " ".join(icon.split("-")[1:]) or icon


def _say_what_is_alone(children: list[Token]) -> None:
    """Give words to a cell that has only an icon, and to links that have none."""
    seen = [child for child in children if child.type != "attributes" and child.content.strip()]
    if len(seen) == 1 and seen[0].type == "icon" and len(children) <= 3:
        seen[0].type, seen[0].content = "text", _meaning(seen[0].content)
    for at, (opened, inside) in enumerate(pairwise(children)):
        if opened.type != "link_open":
            continue
        target = str(opened.attrs.get("href", ""))
        beyond = children[at + 3] if at + 3 < len(children) else None
        is_bare = inside.type == "icon" and children[at + 2].type == "link_close"
        if inside.type == "link_close":
            opened.meta["words"] = words_of_target(target)
        elif is_bare and beyond is not None and beyond.type == "attributes":
            inside.type, inside.content = "text", attributes(beyond.content).get("title", "")
        elif inside.type == "text" and inside.content == AUTOMATIC:
            inside.content = words_of_target(target)


class MarkdownWriter:
    """Writes the tokens of a parser onto a page; several texts may follow each other."""

    def __init__(self, builder: PageBuilder) -> None:
        self._sheet = Sheet(builder)
        self._tags = TagReader(self._sheet)
        self._slugs = Slugs()
        self._numbers: Sequence[int] = ()
        self._lists = 0
        self._next: list[int] = []  # the number of the next item of each open list; 0: it has none
        self._in_heading = False
        self._begins_item = False
        self._term_open = False

    def write(self, tokens: Sequence[Token], numbers: Sequence[int]) -> None:
        """A text; ``numbers`` say where each of its lines stands in the file."""
        self._numbers = numbers
        for token in tokens:
            self._block(token)
        self._sheet.flush()
        self._sheet.out.end_list()

    def write_html(self, html: str) -> None:
        """HTML that stands alone."""
        self._tags.read(html)
        self._sheet.flush()
        self._sheet.out.end_list()

    def write_code(self, text: str, line: int | None = None) -> None:
        """Code or a formula, word for word; ``line`` is that of the text on which it begins."""
        self._end_block()
        self._sheet.builder.markup.code(True)
        blank = ""
        for at, code in enumerate(text.split("\n")):
            if not code.strip():
                blank += "\n"
                continue
            if line is not None:
                self._mark(line + at)
            self._sheet.out.add_verbatim(f"{blank}{code}\n")
            blank = ""
        self._end_block()
        self._sheet.builder.markup.code(False)

    def _mark(self, line: int) -> None:
        if line < len(self._numbers):
            self._sheet.mark(self._numbers[line])

    def _end_block(self) -> None:
        """Inside a list, what follows stays with it."""
        if self._lists:
            self._sheet.out.end_item()
        else:
            self._sheet.out.end_block()

    def _block(self, token: Token) -> None:
        sheet = self._sheet
        if token.map:
            self._mark(token.map[0])
        match token.type:
            case "inline":
                self._inline(token)
            case "heading_open":
                sheet.flush()
                sheet.out.open_heading(int(token.tag[1]))
                self._in_heading = True
            case "heading_close":
                sheet.out.end_block()
            case "paragraph_close" | "hr":
                self._end_block()
            case "blockquote_open" | "blockquote_close":
                self._end_block()
                sheet.builder.markup.quote(token.nesting)
            case "footnote_reference_open" | "footnote_reference_close":
                self._end_block()
            case "fence":
                self.write_code(token.content, token.map[0] + 1 if token.map else None)
            case "code_block" | "math_block":
                self.write_code(token.content, token.map[0] if token.map else None)
            case "html_block":
                self._end_block()
                self._tags.read(token.content, self._number(token))
                sheet.out.close_link()
                self._end_block()
            case _:
                self._list_or_table(token)

    def _list_or_table(self, token: Token) -> None:
        sheet = self._sheet
        kind = token.type
        match kind:
            case "bullet_list_open" | "ordered_list_open" | "dl_open":
                self._end_block()
                self._lists += 1
                is_numbered = kind == "ordered_list_open"
                self._next.append(int(token.attrs.get("start", 1)) if is_numbered else 0)
            case "bullet_list_close" | "ordered_list_close" | "dl_close":
                self._lists -= 1
                self._next.pop()
                if self._lists:
                    sheet.builder.markup.open_item(self._lists, -1)
                else:
                    sheet.out.end_list()
            case "list_item_open":
                self._begins_item = True
                number = self._next[-1]
                self._next[-1] += number > 0
                sheet.builder.markup.open_item(self._lists, number)
            case "list_item_close":
                self._begins_item = False
                sheet.out.end_item()
            case "dt_open":
                sheet.out.end_item()
                sheet.builder.markup.open_item(self._lists, 0)
                self._term_open = True
            case "dd_close":
                sheet.out.end_item()
            case "table_open":
                sheet.begin_table()
            case "tr_open":
                sheet.begin_row()
            case "th_open" | "td_open":
                sheet.begin_cell(kind == "th_open")
            case "table_close":
                sheet.end_table()

    def _number(self, token: Token) -> int:
        line = token.map[0] if token.map else len(self._numbers)
        return self._numbers[line] if line < len(self._numbers) else 0

    def _inline(self, token: Token) -> None:
        children = token.children or []
        if self._in_heading:
            self._in_heading = False
            self._sheet.builder.anchor(self._heading_id(children))
        self._take_block_id(children)
        _say_what_is_alone(children)
        if self._begins_item:
            self._begins_item = False
            self._take_task(children)
        line = token.map[0] if token.map else None
        for child in children:
            self._piece(child)
            ended = child.type in ("softbreak", "hardbreak") or child.content.count("\n")
            if ended and line is not None:
                line += int(ended)
                self._mark(line)
        self._sheet.out.close_link()
        if self._term_open:
            self._term_open = False
            words = inline_words(children).rstrip()
            self._sheet.out.add(": " if words[-1:] not in ":?!." else " ")

    def _heading_id(self, children: Sequence[Token]) -> str:
        slug = self._slugs.of(inline_words(children))
        for child in children:
            if child.type == "attributes" and (custom := CUSTOM_ID.search(child.content)):
                return custom[1]
        return slug

    def _take_block_id(self, children: Sequence[Token]) -> None:
        """``^id`` at the end of a block is the block's name."""
        if not children or children[-1].type != "text":
            return
        tail = children[-1].content[-LONGEST_BLOCK_ID:]
        if block := BLOCK_ID.search(tail):
            children[-1].content = children[-1].content[: len(block[0].lstrip()) * -1].rstrip()
            if len(children) > 1 or children[0].content:
                self._sheet.builder.anchor(block[1])

    def _take_task(self, children: Sequence[Token]) -> None:
        if children and children[0].type == "text" and (task := TASK.match(children[0].content)):
            children[0].content = TASKS[task[1]] + children[0].content[task.end() :]

    def _piece(self, token: Token) -> None:
        out = self._sheet.out
        match token.type:
            case "text":
                self._tags.add(token.content)
            case "icon":
                out.add(ICONS.get(_meaning(token.content), ""))
            case "code_inline":
                self._sheet.open_style(MarkupKind.INLINE_CODE)
                out.add(RAW.sub("", token.content))
                self._sheet.close_style(MarkupKind.INLINE_CODE)
            case "strong_open" | "em_open":
                self._sheet.open_style(STYLES[token.tag])
            case "strong_close" | "em_close":
                self._sheet.close_style(STYLES[token.tag])
            case "softbreak":
                out.add(" ")
            case "hardbreak":
                out.break_line()
            case "html_inline":
                self._tags.tag(token.content, alone=bool(token.meta.get("alone")))
            case "link_open":
                open_link(self._sheet, str(token.attrs.get("href", "")))
                out.add(token.meta.get("words", ""))
            case "link_close":
                out.close_link()
            case "wiki_link" | "wiki_embed":
                self._wiki_link(token)
            case "image":
                self._picture(str(token.attrs.get("src", "")), inline_words([token]))

    def _wiki_link(self, token: Token) -> None:
        out = self._sheet.out
        words = inline_words([token])
        if is_picture(token):
            self._picture(token.content, words)
            return
        out.open_written(token.content, LinkKind.NAME)
        out.add(words)
        out.close_link()

    def _picture(self, target: str, words: str) -> None:
        self._sheet.out.open_picture(target)
        self._sheet.out.add(words)
        self._sheet.out.close_picture()


OTHER_NAMES = ("aliases", "alias", "permalink", "slug", "url", "id", "linktitle")
TITLE_KEY = re.compile(
    r"(?:meta|page|nav|short|sidebar|long)[_-]?title|linktitle|page_heading|heading|name|"
    r"sidebar_label|(?!author|user|file|first|last|company|site)\w+_name",
    re.IGNORECASE,
)
MOVED_TO = ("redirect_to", "redirect", "redir_to")
LONGEST_TITLE = 500
HTML_HEADING = re.compile(r"<h1\b[^<>]*>", re.IGNORECASE)
END_OF_HEADING = re.compile(r"</h1>", re.IGNORECASE)
LONGEST_HEADING = 5000
TAGS = re.compile(r"<[^<>]*>")
MARKS = re.compile(r"[<&`*{_\[]")


def parse_markdown(entry: Entry) -> Iterator[Page | Skipped]:
    """A note as a page: its text, and below it what its front matter says."""
    text = decoded(entry)
    if isinstance(text, Skipped):
        yield text
        return
    note = split_front_matter(text.replace("\r\n", "\n").replace("\r", "\n"))
    mdx = entry.name.lower().endswith(".mdx")
    variables = {field.key.lower(): field.text for field in note.fields}
    tokens, numbers = markdown_tokens(note.body, note.line, mdx=mdx, variables=variables)
    heading = main_heading(tokens)
    given = plain_title(next(note.values("title"), ""))
    builder = PageBuilder(given or heading or _named(note) or title_of_file(entry.name))
    MarkdownWriter(builder).write(tokens, numbers)
    facts = (Fact(field.key, plain_words(field.text), field.line) for field in note.facts())
    add_facts(builder, facts)
    page = builder.page(entry.name, names=_other_names(note, given, heading))
    if page.document.text:
        yield page
    elif target := next(note.values(*MOVED_TO), ""):
        yield Page(entry.name, Document(page.document.title, ""), leads_to=target)
    else:
        yield Skipped(entry.name, "it has no text")


def _named(note: FrontMatter) -> str:
    """A title that front matter has under another name: ``page_title``, ``state_name``."""
    names = [field for field in note.fields if TITLE_KEY.fullmatch(field.key)]
    return plain_title(names[0].text) if names else ""


def markdown_tokens(
    text: str,
    first: int = 1,
    *,
    mdx: bool = False,
    variables: Mapping[str, str] = NO_VARIABLES,
) -> tuple[list[Token], list[int]]:
    """A text as the parser sees it, and where each line of that stands; ``first`` is its first.

    ``variables`` are the values that front matter gives to templates in the text.
    """
    prepared, numbers = prepare(text, first, variables)
    return markdown_parser(mdx=mdx).parse(prepared), numbers


def plain_title(written: str) -> str:
    """A title of front matter as its reader sees it; nothing where a template makes it.

    >>> plain_title("Q&amp;A on <em>keels</em> and `knots`"), plain_title("{{ page.name }}")
    ('Q&A on keels and knots', '')
    """
    return "" if TEMPLATE.search(written) else plain_words(written[:LONGEST_TITLE])


def plain_words(written: str) -> str:
    """The words of a value that may have marks of Markdown and HTML in it."""
    if not MARKS.search(written):
        return written
    (line,) = markdown_parser().parseInline(written)
    return inline_words(line.children or [])


def main_heading(tokens: Sequence[Token]) -> str:
    """The words of the first main heading, else of a lesser one that the text begins with."""
    lesser, begun = "", False
    for token, inside in pairwise(tokens):
        words = ""
        if token.type == "html_block":
            words = _html_heading(token.content)
        elif token.type == "heading_open" and not TEMPLATE.search(inside.content):
            words = inline_words(inside.children or [])
            if token.tag != "h1":
                words, lesser = "", lesser if begun else words
        if words:
            return words[:LONGEST_TITLE]
        begun = begun or token.type != "html_block"
    return lesser[:LONGEST_TITLE]


def _html_heading(html: str) -> str:
    begin = HTML_HEADING.search(html)
    end = begin and END_OF_HEADING.search(html, begin.end(), begin.end() + LONGEST_HEADING)
    if not begin or not end:
        return ""
    return " ".join(unescape(TAGS.sub(" ", html[begin.end() : end.start()])).split())


def title_of_file(name: str) -> str:
    """The title of a page without one: its file, or its folder if it speaks for that.

    >>> title_of_file("guide/Setup.md"), title_of_file("guide/_index.md")
    ('Setup', 'guide')
    """
    path = PurePosixPath(name)
    if path.stem.casefold() in FOLDER_PAGES and path.parent.name:
        return path.parent.name
    return path.stem or name


def _other_names(note: FrontMatter, given: str, heading: str) -> Iterator[str]:
    names = [name.strip() for name in note.values(*OTHER_NAMES)]
    if given and heading != given:
        names.append(heading)
    yield from dict.fromkeys(name for name in names if name)
