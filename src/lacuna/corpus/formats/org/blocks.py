"""The blocks of an Org file, in one pass over its lines."""

from __future__ import annotations

import re
from bisect import bisect_left

from lacuna.corpus.formats.org.headline import (
    DRAWER,
    HEADLINE,
    Headline,
    headline,
    take_properties,
)
from lacuna.corpus.formats.org.inline import OrgInline
from lacuna.corpus.formats.org.links import heading_slug
from lacuna.corpus.formats.org.tables import is_table_line, org_table
from lacuna.corpus.pages.page_builder import PageBuilder
from lacuna.corpus.pages.runs import add_lines, add_runs
from lacuna.corpus.pages.table import Run

KEYWORD = re.compile(r"[ \t]*#\+([\w-]+)(?:\[[^\]]*\])?:(?:[ \t]+(.*))?$")
BEGIN = re.compile(r"[ \t]*#\+begin_([\w-]+)", re.IGNORECASE)
END = re.compile(r"[ \t]*#\+end(?:_[\w-]+)?:?", re.IGNORECASE)
COMMENT = re.compile(r"[ \t]*#(?:[ \t]|$)")
FIXED = re.compile(r"[ \t]*:(?:[ \t](.*))?$")
ITEM = re.compile(r"([ \t]*)(?:[-+]|(?<=[ \t])\*|(?:\d{1,9}|[A-Za-z])[.)])(?:[ \t]+(\S.*))?$")
COUNTER = re.compile(r"\[@\w+\][ \t]*")
CHECKBOX = re.compile(r"\[([ xX-])\][ \t]+")
TERM = re.compile(r"(\S.*?)[ \t]::(?:[ \t]+(.*))?$")
NOTE = re.compile(r"\[fn:([\w-]+)\][ \t]*(.*)$")
RULE = re.compile(r"[ \t]*-{5,}$")
SKIPPED_LINE = re.compile(r"[ \t]*(?:CLOCK:|#\+(?:tblfm|results)\b)", re.IGNORECASE)
VERBATIM = frozenset(("src", "example", "verse"))
HIDDEN = frozenset(("export", "comment"))
CHECKED = {" ": "[to do] ", "-": "[begun] "}
ENDS_A_TERM = (":", ".", "?", "!", ";", ",")


class OrgBlocks:
    """Reads the lines of a file into a builder."""

    def __init__(
        self, lines: list[str], builder: PageBuilder, inline: OrgInline, todo: frozenset[str]
    ) -> None:
        self._lines = lines
        self._builder = builder
        self._inline = inline
        self._todo = todo
        self._in_list = False
        self._indent = 0  # of the text of the item above
        self.labels: list[tuple[str, str]] = []
        self.headings: dict[str, str] = {}  # title in lower case -> its anchor
        self._drawer_ends = [at for at, line in enumerate(lines) if line.strip().upper() == ":END:"]
        self._heads = [at for at, line in enumerate(lines) if HEADLINE.match(line)]

    def read(self, at: int) -> None:
        """All blocks from a line on."""
        while at < len(self._lines):
            at = self._block(at)

    def _block(self, at: int) -> int:
        """Reads the block at a line, and gives the line after it."""
        line = self._lines[at]
        if not line or COMMENT.match(line) or RULE.match(line) or SKIPPED_LINE.match(line):
            return at + 1
        if heading := headline(line, self._todo):
            return self._heading(at, heading)
        if begin := BEGIN.match(line):
            return self._begin_block(at, begin[1].lower())
        if END.match(line):
            return at + 1
        if keyword := KEYWORD.match(line):
            return self._keyword(at, keyword[1].lower(), keyword[2] or "")
        if DRAWER.match(line) and (end := self._drawer_end(at)) is not None:
            return end + 1
        if is_table_line(line):
            return self._table(at)
        if FIXED.match(line):
            return self._fixed(at)
        if item := ITEM.match(line):
            return self._item(at, item)
        if note := NOTE.match(line):
            self._begin(at)
            return self._text(at, note[2], 0)
        self._begin(at)
        return self._text(at, line.strip(), self._indent if self._in_list else 0)

    def _drawer_end(self, at: int) -> int | None:
        """Where a drawer is closed; None if that is not before the next heading."""
        number = bisect_left(self._drawer_ends, at + 1)
        if number == len(self._drawer_ends):
            return None
        end = self._drawer_ends[number]
        head = bisect_left(self._heads, at + 1)
        return end if head == len(self._heads) or self._heads[head] > end else None

    def _begin(self, at: int) -> None:
        """Ends the block above; what is indented below an item belongs to it."""
        line = self._lines[at]
        if self._in_list and len(line) - len(line.lstrip()) >= self._indent:
            self._builder.end_block()
        else:
            self._builder.end_list()
            self._in_list = False

    def _heading(self, at: int, heading: Headline) -> int:
        self._builder.end_list()
        self._in_list = False
        end = self._drawer_end(at)
        after = take_properties(
            self._lines, at + 1, end if end is not None else len(self._lines), heading
        )
        if heading.comment:
            return self._after_subtree(at, heading.level)
        title = self._inline.plain(heading.title)
        slug = heading_slug(title)
        for name in heading.ids or [slug]:
            self._builder.anchor(name)
        self.headings.setdefault(title.lower(), (heading.ids or [slug])[0])
        self.labels += ((name, name) for name in heading.ids)
        self._builder.open_heading(heading.level)
        self._add(heading.title, at)
        self._builder.end_block()
        for name, value in heading.facts:
            self._builder.mark(at + 1)
            self._builder.add(f"{name}: {self._inline.plain(value)}")
            self._builder.end_item()
        self._builder.end_list()
        return after

    def _after_subtree(self, at: int, level: int) -> int:
        for number in range(bisect_left(self._heads, at + 1), len(self._heads)):
            line = self._lines[self._heads[number]]
            if len(line) - len(line.lstrip("*")) <= level:
                return self._heads[number]
        return len(self._lines)

    def _begin_block(self, at: int, name: str) -> int:
        if name not in VERBATIM and name not in HIDDEN:
            return at + 1  # what it holds is read as if it stood outside
        closing = f"#+end_{name}"
        end = at + 1
        while end < len(self._lines) and not self._lines[end].lstrip().lower().startswith(closing):
            if HEADLINE.match(self._lines[end]):
                return at + 1  # never closed
            end += 1
        if name in VERBATIM:
            self._begin(at)
            inner = self._lines[at + 1 : end]
            indent = min((len(line) - len(line.lstrip()) for line in inner if line), default=0)
            # A comma keeps a line from being read as a heading or a keyword.
            shown = [re.sub(r"^(\s*),(?=,*(?:\*|#\+))", r"\1", line[indent:]) for line in inner]
            add_lines(self._builder, shown, at + 2)
        return end + 1

    def _keyword(self, at: int, name: str, value: str) -> int:
        if name == "caption":
            self._begin(at)
            self._add(value, at)
            self._builder.end_item()
        elif name in ("name", "label") and value:
            self._builder.anchor(value)
            self.labels.append((value, value))
        elif name == "include" and value:
            path = value[1:].partition('"')[0] if value[0] == '"' else value.split()[0]
            self._begin(at)
            path = path.partition("::")[0]
            add_runs(self._builder, [Run(path.rpartition("/")[2], path)], at + 1)
        return at + 1

    def _fixed(self, at: int) -> int:
        self._begin(at)
        shown = []
        end = at
        while end < len(self._lines) and (fixed := FIXED.match(self._lines[end])):
            shown.append(fixed[1] or "")
            end += 1
        add_lines(self._builder, shown, at + 1)
        return end

    def _table(self, at: int) -> int:
        end = at
        while end < len(self._lines) and is_table_line(self._lines[end]):
            end += 1
        rows, numbers = org_table(self._lines[at:end], at + 1, self._inline.runs)
        self._builder.add_table(rows, numbers)
        return end

    def _item(self, at: int, item: re.Match[str]) -> int:
        if self._in_list:
            self._builder.end_item()
        else:
            self._builder.end_list()
        self._in_list = True
        self._indent = len(item[1]) + 1
        text = COUNTER.sub("", item[2] or "", count=1)
        if box := CHECKBOX.match(text):
            text = CHECKED.get(box[1], "[done] ") + text[box.end() :]
        if term := TERM.match(text):
            end = "" if term[1].endswith(ENDS_A_TERM) else ":"
            text = f"{term[1]}{end} {term[2] or ''}"
        return self._text(at, text, self._indent)

    def _text(self, at: int, first: str, indent: int) -> int:
        """A paragraph: the lines that go on with its first one."""
        found = [first]
        end = at + 1
        while end < len(self._lines) and self._goes_on(self._lines[end], indent):
            found.append(self._lines[end].strip())
            end += 1
        self._add("\n".join(found), at)
        return end

    def _goes_on(self, line: str, indent: int) -> bool:
        if not line or len(line) - len(line.lstrip()) < indent:
            return False
        return not (
            HEADLINE.match(line)
            or line.lstrip().startswith(("#", "|", ": "))
            or ITEM.match(line)
            or DRAWER.match(line)
            or NOTE.match(line)
        )

    def _add(self, text: str, at: int) -> None:
        add_runs(self._builder, self._inline.runs(text), at + 1)
        for name in self._inline.spots:
            self._builder.anchor(name)
            self.labels.append((name, name))
        self._inline.spots.clear()
