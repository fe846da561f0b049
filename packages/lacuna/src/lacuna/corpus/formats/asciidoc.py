"""Files of AsciiDoc, each as a page."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from lacuna.corpus.formats.asciidoc_syntax import (
    ADMONITION,
    BLOCK_TITLE,
    BREAK,
    CHECKBOX,
    CONDITION,
    DELIMITER,
    ENTRY,
    ITEM,
    LINE,
    MACRO,
    SPOT,
    TABLE,
    TERM,
    AsciidocInline,
    Attributes,
    BlockAttributes,
    HeadingLine,
    alt_text,
    cell_pieces,
    heading_at,
    section_id,
    table_rows,
)
from lacuna.corpus.formats.entries import Entry
from lacuna.corpus.formats.plain import decoded
from lacuna.corpus.page import LinkKind, Page, WrittenLink
from lacuna.corpus.page_builder import Fact, PageBuilder, add_facts, add_lines, add_runs
from lacuna.corpus.store import Skipped
from lacuna.corpus.tables import Run
from lacuna.corpus.titles import words_of

# The blocks of an AsciiDoc file, in one pass over its lines.
#
# Blocks that hold other blocks (examples, sidebars, quotes) are read as what they hold, so nothing
# has to be nested.


VERBATIM_STYLES = frozenset(("source", "listing", "literal", "verse", "synopsis", "stem"))
ADMONITIONS = frozenset(("NOTE", "TIP", "IMPORTANT", "WARNING", "CAUTION"))
PAGE_SUFFIXES = (".adoc", ".asciidoc", ".asc", ".txt", ".md")
ENDS_A_TERM = (":", ".", "?", "!", ";", ",")


class AsciidocBlocks:
    """Reads the lines of a document into a builder."""

    def __init__(
        self, lines: list[str], builder: PageBuilder, inline: AsciidocInline, attributes: Attributes
    ) -> None:
        self._lines = lines
        self._builder = builder
        self._inline = inline
        self._attributes = attributes
        self._about = BlockAttributes()
        self._prefix = ""  # words that the next block begins with, such as a term
        self._in_list = False
        self._attached = False  # whether a "+" joins the next block to the item above
        self._gap = True  # whether an empty line stands above
        self.labels: list[str] = []

    def read(self, at: int) -> None:
        """All blocks from a line on."""
        while at < len(self._lines):
            at = self._block(at)
        self._flush()

    def _block(self, at: int) -> int:
        """Reads the block at a line, and gives the line after it."""
        line = self._lines[at]
        if not line.strip():
            self._gap = True
            return at + 1
        if line.startswith("//") and not line.startswith("///"):
            return at + 1
        if line == "+":
            self._attached, self._gap = True, True
            return at + 1
        if entry := ENTRY.match(line):
            return self._entry(at, entry[1], entry[2] or "")
        if condition := CONDITION.match(line):
            self._lines[at] = condition[1] if not line.startswith("ifeval") else ""
            return at + (not self._lines[at])
        if SPOT.match(line) or LINE.match(line):
            self._about.take(self._attributes.put_in(line))
            return at + 1
        if table := TABLE.match(line):
            return self._table(at, line, table[1])
        if delimiter := DELIMITER.match(line):
            return self._delimited(at, delimiter[1])
        if BREAK.match(line):
            return at + 1
        if heading := heading_at(self._lines, at):
            return self._heading(at, heading)
        if macro := MACRO.match(line):
            return self._macro(at, macro[1], macro[2], macro[3])
        if title := BLOCK_TITLE.match(line):
            self._begin()
            self._add(title[1], at)
            self._builder.end_item()
            return at + 1
        if self._about.style in VERBATIM_STYLES:
            return self._verbatim_paragraph(at)
        if item := ITEM.match(line):
            return self._item(at, item[1], item[2])
        if term := TERM.match(line):
            return self._term(at, term[1], term[3] or "")
        if line[0] in " \t" and not self._prefix and self._gap:
            return self._verbatim_paragraph(at)
        return self._paragraph(at)

    def _entry(self, at: int, name: str, value: str) -> int:
        while value.endswith(" \\") and at + 1 < len(self._lines):
            at += 1
            value = value[:-1] + self._lines[at].strip()
        self._attributes.define(name, value)
        return at + 1

    def _begin(self, item: bool = False) -> None:
        """Ends the block above, as what comes next asks for, and begins with what was waiting."""
        if item:
            if self._in_list:
                self._builder.end_item()
            else:
                self._builder.end_list()
            self._in_list = True
        elif self._attached or self._prefix:
            self._builder.end_block()
        else:
            self._builder.end_list()
            self._in_list = False
        self._attached = self._gap = False
        for name in self._about.ids:
            self._builder.anchor(name)
            self.labels.append(name)
        self._about = BlockAttributes()

    def _add(self, text: str, at: int) -> None:
        """Running text that begins on a line."""
        if self._prefix:
            self._builder.add(self._prefix + " ")
            self._prefix = ""
        runs = self._inline.runs(self._attributes.put_in(text))
        add_runs(self._builder, runs, at + 1)
        for name in self._inline.spots:
            self._builder.anchor(name)
            self.labels.append(name)
        self._inline.spots.clear()

    def _flush(self) -> None:
        """A term of which nothing is said stands alone."""
        if self._prefix:
            prefix, self._prefix = self._prefix.removesuffix(":"), ""
            self._builder.add(prefix)

    def _text_from(self, at: int, first: str) -> tuple[str, int]:
        """The lines that go on with a paragraph or an item, and the line after them."""
        found = [first]
        at += 1
        while at < len(self._lines):
            line = self._lines[at]
            if not line.strip() or line == "+" or CONDITION.match(line):
                break
            if line.startswith("//"):
                at += 1
                continue
            if self._in_list and (ITEM.match(line) or TERM.match(line)):
                break
            if DELIMITER.match(line) or TABLE.match(line) or LINE.match(line) or SPOT.match(line):
                break
            found.append(line.strip())
            at += 1
        # A line that ends with " +" is broken there.
        return "\n".join(line.removesuffix(" +") for line in found), at

    def _paragraph(self, at: int) -> int:
        style, quoted = self._about.style, self._about.positional
        prefixed = bool(self._prefix)
        self._begin()
        self._in_list = self._in_list or prefixed
        text, end = self._text_from(at, self._lines[at].strip())
        if style in ADMONITIONS:
            text = f"{style.capitalize()}: {text}"
        elif label := ADMONITION.match(text):
            text = f"{label[1].capitalize()}: {text[label.end() :]}"
        if style == "quote" and quoted:
            text += f" — {', '.join(filter(None, quoted))}"
        self._add(text, at)
        return end

    def _verbatim_paragraph(self, at: int) -> int:
        self._begin()
        end = at
        while end < len(self._lines) and self._lines[end].strip():
            if self._lines[end] == "+":
                break
            end += 1
        add_lines(self._builder, self._lines[at:end], at + 1)
        return end

    def _heading(self, at: int, heading: HeadingLine) -> int:
        self._flush()
        self._attached = False
        plain = self._inline.plain(self._attributes.put_in(heading.text))
        made = section_id(plain)
        self._builder.title = self._builder.title or plain  # a part that other files include
        if made not in self._about.ids:
            self._builder.anchor(made)
        self._begin()
        self._builder.open_heading(max(heading.level, 1))
        self._add(heading.text, at)
        self._builder.end_block()
        self._gap = True
        return at + heading.lines

    def _item(self, at: int, mark: str, first: str) -> int:
        self._flush()
        self._begin(item=True)
        if checkbox := CHECKBOX.match(first):
            done = checkbox[1].strip()
            first = f"{'[done]' if done else '[to do]'} {first[checkbox.end() :]}"
        if mark.startswith("<"):
            first = f"{mark} {first}"
        text, end = self._text_from(at, first)
        self._add(text, at)
        return end

    def _term(self, at: int, term: str, first: str) -> int:
        words = self._inline.plain(self._attributes.put_in(term))
        if self._prefix:  # several terms share what is said of them
            self._prefix = f"{self._prefix.removesuffix(':')}, {words}"
        else:
            self._begin(item=True)
            self._builder.mark(at + 1)
            self._prefix = words
        if not self._prefix.endswith(ENDS_A_TERM):
            self._prefix += ":"
        for name in self._inline.spots:
            self._builder.anchor(name)
            self.labels.append(name)
        self._inline.spots.clear()
        self._gap = False
        if not first:
            return at + 1
        text, end = self._text_from(at, first)
        self._add(text, at)
        return end

    def _delimited(self, at: int, sign: str) -> int:
        """A block between two lines of signs, or the beginning or end of one that holds blocks."""
        kind = sign[0]
        if self._about.style in ADMONITIONS and kind in "=-*_":
            self._prefix = f"{self._about.style.capitalize()}:"
        if (kind in "=*_" and self._about.style not in VERBATIM_STYLES) or sign == "--":
            if self._about.style == "source":
                return self._fenced(at, sign)
            self._about.style = ""
            self._gap = True
            return at + 1
        return self._fenced(at, sign)

    def _fenced(self, at: int, sign: str) -> int:
        sign = "```" if sign.startswith("```") else sign
        end = at + 1
        while end < len(self._lines) and self._lines[end] != sign:
            end += 1
        inner = self._lines[at + 1 : end]
        if sign[0] not in "/+" or (sign[0] == "+" and self._about.style == "stem"):
            self._begin()
            if self._prefix:
                self._add("", at)
            add_lines(self._builder, inner, at + 2)
        else:
            self._about = BlockAttributes()
        return end + 1

    def _table(self, at: int, sign: str, separator: str) -> int:
        end = at + 1
        while end < len(self._lines) and self._lines[end] != sign:
            end += 1
        about = self._about
        in_list = self._in_list and self._attached
        self._begin()
        inner = self._lines[at + 1 : end]
        rows, numbers = table_rows(inner, about, at + 2, separator, self._cell)
        self._builder.add_table(rows, numbers)
        self._in_list = in_list
        return end + 1

    def _cell(self, text: str) -> list[Run]:
        """The words of a cell in one line: code as it is, and items told apart."""
        runs: list[Run] = []
        for piece, is_code in cell_pieces(text):
            if is_code:
                runs.append(Run(piece))
            else:
                runs += self._inline.runs(self._attributes.put_in(piece))
        return runs

    def _macro(self, at: int, name: str, target: str, words: str) -> int:
        if name in ("image", "video", "audio"):
            alt = alt_text(words) if name == "image" else ""
            if alt:
                self._begin()
            self._builder.open_picture(self._attributes.put_in(target))
            if alt:
                self._add(alt, at)
            self._builder.close_picture()
        elif name == "include":
            path = self._attributes.put_in(target).strip()
            if path.lower().endswith(PAGE_SUFFIXES):
                self._begin()
                shown = words_of(path.rpartition("$")[2])
                if "$" in path:  # a part of an Antora site, which has a folder of its own
                    path = self._inline.page_path(path)
                add_runs(self._builder, [Run(shown, path)], at + 1)
        elif name not in ("toc", "indexterm"):
            return self._paragraph(at)
        return at + 1


AUTHOR = re.compile(r"[^\W\d_][^<>:;|=\[\]]{1,80}(?:<[^<>\s]+>)?(?:;.*)?$")
REVISION = re.compile(r"v?\d[\w.]*\s*[,:].*$|v\d[\w.]*$|\d{4}-\d\d-\d\d$")
FACTS = frozenset(
    ("author", "email", "revision", "revnumber", "revdate", "revremark", "description", "keywords")
)
PAGE_FACT = re.compile(r"page-[\w-]+")


def parse_asciidoc(entry: Entry) -> Iterator[Page | Skipped]:
    """The page that a file makes."""
    text = decoded(entry)
    if isinstance(text, Skipped):
        yield text
        return
    page = _page(entry.name, [line.rstrip() for line in text.split("\n")])
    yield page if page.document.text else Skipped(entry.name, "it has no text")


def _page(file: str, lines: list[str]) -> Page:
    attributes = Attributes()
    titles = _titles(lines)
    inline = AsciidocInline(titles, lambda path: _page_path(file, path))
    title, body = _header(lines, attributes)
    attributes.values.setdefault("doctitle", title)
    builder = PageBuilder(inline.plain(attributes.put_in(title)))
    blocks = AsciidocBlocks(lines, builder, inline, attributes)
    blocks.read(body)
    builder.title = builder.title or words_of(file)
    _footnotes(builder, inline)
    add_facts(builder, _facts(attributes))
    labels = dict.fromkeys(blocks.labels)
    page = builder.page(file, labels=((label, label) for label in labels))
    here = {*labels, *titles}
    return replace(page, links=tuple(_own(link, here) for link in page.links))


def _header(lines: list[str], attributes: Attributes) -> tuple[str, int]:
    """The document's title, and where its body begins; author and version become attributes."""
    at = 0
    while at < len(lines):
        line = lines[at]
        if entry := ENTRY.match(line):
            attributes.define(entry[1], entry[2] or "")
        elif line.strip() and not line.startswith("//") and not line.startswith("["):
            break
        at += 1
    heading = heading_at(lines, at) if at < len(lines) else None
    if heading is None or heading.level:
        return "", 0
    at += heading.lines
    for name, pattern in (("author", AUTHOR), ("revision", REVISION)):
        while at < len(lines) and lines[at].startswith("//"):
            at += 1
        if at < len(lines) and pattern.match(lines[at]):
            attributes.define(name, lines[at].strip())
            at += 1
    return heading.text, at


def _titles(lines: list[str]) -> dict[str, str]:
    """The heading that each id stands for, so that a reference without words can show it."""
    titles: dict[str, str] = {}
    plain = AsciidocInline({}, str)
    about = BlockAttributes()
    for at, line in enumerate(lines):
        if SPOT.match(line) or (line.startswith("[") and line.rstrip().endswith("]")):
            about.take(line.rstrip())
        elif heading := heading_at(lines, at):
            shown = plain.plain(heading.text)
            for name in (*about.ids, section_id(shown), shown):
                titles.setdefault(name, shown)
            about = BlockAttributes()
        elif line.strip():
            about = BlockAttributes()
    return titles


def _page_path(file: str, path: str) -> str:
    """The path that a reference means; in an Antora site it goes from its module's pages.

    >>> _page_path("docs/modules/ROOT/pages/api/index.adoc", "setup.adoc")
    '/docs/modules/ROOT/pages/setup.adoc'
    >>> _page_path("docs/modules/ROOT/nav.adoc", "html:intro.adoc")
    '/docs/modules/html/pages/intro.adoc'
    """
    modules, inside, rest = file.rpartition("modules/")
    module, _, _ = rest.partition("/")
    if not inside or not module or path.startswith(".") or path.count(":") > 1:
        return path  # two colons: it is a page of another site
    named, _, path = path.rpartition(":")
    family, dollar, path = path.rpartition("$")
    folder = f"{family}s" if dollar else "pages"
    return f"/{modules}modules/{named or module}/{folder}/{path}"


def _own(link: WrittenLink, here: set[str]) -> WrittenLink:
    """A reference to an id of the same file; ids of several files may be alike."""
    if link.kind is LinkKind.LABEL and link.target in here:
        name = link.target if not re.search(r"\s", link.target) else section_id(link.target)
        return replace(link, target=f"#{name}", kind=LinkKind.PATH)
    return link


def _footnotes(builder: PageBuilder, inline: AsciidocInline) -> None:
    builder.end_list()
    notes = inline.footnotes[:]
    for note in notes:
        add_runs(builder, inline.runs(note), 0)
        builder.end_item()


def _facts(attributes: Attributes) -> list[Fact]:
    """The facts about the document in its header."""
    return [
        Fact(name, value)
        for name, value in attributes.values.items()
        if value and (name in FACTS or PAGE_FACT.fullmatch(name))
    ]
