"""The blocks of an AsciiDoc file, in one pass over its lines.

Blocks that hold other blocks (examples, sidebars, quotes) are read as what they hold, so nothing
has to be nested.
"""

from __future__ import annotations

from lacuna.corpus.formats.asciidoc.attributes import ENTRY, Attributes
from lacuna.corpus.formats.asciidoc.block_attributes import LINE, SPOT, BlockAttributes
from lacuna.corpus.formats.asciidoc.inline import AsciidocInline, alt_text
from lacuna.corpus.formats.asciidoc.lines import (
    ADMONITION,
    BLOCK_TITLE,
    BREAK,
    CHECKBOX,
    CONDITION,
    DELIMITER,
    ITEM,
    MACRO,
    TABLE,
    TERM,
    HeadingLine,
    heading_at,
    section_id,
)
from lacuna.corpus.formats.asciidoc.tables import table_rows
from lacuna.corpus.pages.page_builder import PageBuilder
from lacuna.corpus.pages.runs import add_lines, add_runs
from lacuna.corpus.pages.table import Run

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
        text = self._attributes.put_in(heading.text)
        made = section_id(self._inline.plain(text))
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
        return self._inline.runs(self._attributes.put_in(text.replace(" +\n", "\n")))

    def _macro(self, at: int, name: str, target: str, words: str) -> int:
        if name in ("image", "video", "audio"):
            if alt := alt_text(words):
                self._begin()
            self._builder.open_picture(self._attributes.put_in(target))
            if alt:
                self._add(alt, at)
            self._builder.close_picture()
        elif name == "include":
            path = self._attributes.put_in(target).strip()
            if path.lower().endswith(PAGE_SUFFIXES):
                self._begin()
                shown = path.rpartition("/")[2].rpartition("$")[2]
                if "$" in path:  # a part of an Antora site, which has a folder of its own
                    path = self._inline.page_path(path)
                add_runs(self._builder, [Run(shown, path)], at + 1)
        elif name not in ("toc", "indexterm"):
            return self._paragraph(at)
        return at + 1
