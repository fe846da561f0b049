"""Org files: outlines of notes and tasks, each as a page."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

from lacuna.corpus.formats.entries import Entry
from lacuna.corpus.formats.plain import decoded
from lacuna.corpus.page import LinkKind, Page, WrittenLink
from lacuna.corpus.page_builder import Fact, PageBuilder, add_facts, add_lines, add_runs, runs_text
from lacuna.corpus.store import Skipped
from lacuna.corpus.tables import Cell, Run
from lacuna.corpus.titles import title_of_path

SCHEME = re.compile(r"([A-Za-z][\w+.-]*):")
PICTURE = re.compile(r"\.(?:png|jpe?g|gif|svg|webp|bmp|tiff?)$", re.IGNORECASE)
NOT_IN_A_SLUG = re.compile(r"[^\w\s-]")


def heading_slug(title: str) -> str:
    """The fragment of a heading, as web sites that show Org files make it.

    >>> heading_slug("What's new?")
    'whats-new'
    """
    return re.sub(r"\s+", "-", NOT_IN_A_SLUG.sub("", title.strip().lower()))


def org_link(target: str, words: str) -> Run:
    """A link as a run of text: what it shows, and where it leads.

    >>> org_link("file:setup.org::*Tools", "the tools")[:3]
    ('the tools', 'setup.org#tools', <LinkKind.PATH: 'path'>)
    """
    target = target.replace("\\[", "[").replace("\\]", "]")
    scheme = SCHEME.match(target)
    kind = scheme[1].lower() if scheme else ""
    if kind in ("file", "attachment", "docview") or target.startswith(("./", "../", "/", "~")):
        return _file(target.partition(":")[2] if kind else target, words)
    if kind == "id":
        return Run(words or target[3:], target.partition("::")[0], LinkKind.LABEL)
    if kind == "roam":
        return Run(words or target[5:], target[5:], LinkKind.NAME)
    if kind in ("http", "https", "ftp", "mailto", "doi"):
        return Run(words or target.removeprefix("mailto:"), target)
    if kind:  # a page of another program
        return Run(words or target.partition(":")[2])
    if target.startswith("#"):
        return Run(words or target[1:], target)
    if target.startswith("*"):
        heading = target.lstrip("*").strip()
        return Run(words or heading, f"#{heading_slug(heading)}")
    if target.startswith("(") and target.endswith(")"):  # a line of code
        return Run(words or target[1:-1])
    return Run(words or target, target, LinkKind.NAME)


def _file(written: str, words: str) -> Run:
    path, _, inside = written.partition("::")
    path = re.sub(r"^(?:sys|emacs):", "", path)
    if PICTURE.search(path):
        return Run("" if PICTURE.search(words) else words, picture=path)
    shown = words or path.rpartition("/")[2]
    if inside.startswith("*"):
        path += f"#{heading_slug(inside.lstrip('*'))}"
    elif inside.startswith("#"):
        path += inside
    return Run(shown, path) if path else Run(shown)


TOKEN = re.compile(
    r"""
    (?P<link>\[\[(?P<target>(?:[^\[\]\\]|\\[\s\S]){1,2000}+)\]
        (?:\[(?P<words>[^\[\]]{1,1000}|(?:[^\]]|\](?!\])){1,300})\])?\])
    | (?P<code>(?<![^\s({'"\u2013\u2014-])(?P<quote>[=~])
        (?P<inside>\S|\S[^\n]{0,199}?(?:\n[^\n]{0,199}?)?\S)
        (?P=quote)(?![^\s)}'".,;:!?\[\\\u2013\u2014-]))
    | (?P<noted>\[fn:(?P<note>[\w-]*)(?::(?P<said>(?:[^\[\]]|\[[^\]]{0,500}\]){1,3000}+))?\])
    | (?P<range>[<\[](?P<from>\d{4}-\d\d-\d\d[^<>\[\]\n]{0,80})[>\]]--
        [<\[](?P<to>\d{4}-\d\d-\d\d[^<>\[\]\n]{0,80})[>\]])
    | (?P<when>[<\[](?P<date>\d{4}-\d\d-\d\d[^<>\[\]\n]{0,80})[>\]])
    | (?P<spot><<<?(?P<name>[^<>\s](?:[^<>\n]{0,200}[^<>\s])?)>?>>)
    | (?P<angle><(?P<address>(?:https?|ftp|mailto|file):[^<>\s]{1,2000})>)
    | (?P<url>(?:https?|ftp)://[^\s\[\]<>"'|]{1,2000})
    | (?P<macro>\{\{\{(?P<called>[\w-]{1,60})
        (?:\((?P<given>(?:[^)]|\)(?!\}\}\})){0,200})\))?\}\}\})
    | (?P<snippet>@@[\w-]{1,30}:.{0,500}?@@)
    | (?P<break>\\\\(?=\n|$))
    | (?P<mark>[*/_+])
    """,
    re.VERBOSE,
)
BEFORE = frozenset(" \t\n({'\"-–—|")
AFTER = frozenset(" \t\n)}'\".,;:!?-–—[\\|")
MOST_PUT_IN = 1 << 20
DEEPEST = 4


class OrgInline:
    """Turns text into runs; ``macros`` are those that the file defines."""

    def __init__(self, macros: dict[str, str]) -> None:
        self._macros = macros
        self._room = MOST_PUT_IN
        self.notes: list[str] = []
        self.spots: list[str] = []

    def runs(self, text: str, depth: int = 0) -> list[Run]:
        """The parts of a text to read, with its line ends."""
        found: list[Run] = []
        opened: dict[str, int] = {}  # mark -> where in ``found`` it was opened
        last = 0
        for token in TOKEN.finditer(text):
            start, end = token.span()
            if start > last:
                found.append(Run(text[last:start]))
            last = end
            if mark := token["mark"]:
                before, after = text[max(start - 1, 0) : start], text[end : end + 1]
                if mark in opened and before.strip() and (not after or after in AFTER):
                    found[opened.pop(mark)] = Run("")
                    continue
                if after.strip() and (not before or before in BEFORE or before in opened):
                    opened[mark] = len(found)
                found.append(Run(mark))
            else:
                found += self._token(token, depth)
        found.append(Run(text[last:]))
        return found

    def plain(self, text: str) -> str:
        """The words alone, in one line."""
        return runs_text(self.runs(text))

    def _token(self, token: re.Match[str], depth: int) -> Iterator[Run]:
        if token["link"]:
            words = token["words"] or ""
            if words and depth < DEEPEST:
                words = runs_text(self.runs(words, depth + 1))
            yield org_link(" ".join(token["target"].split()), words)
        elif token["code"]:
            yield Run(token["inside"])
        elif token["noted"]:
            if token["said"]:
                self.notes.append(token["said"])
        elif token["range"]:
            yield Run(f"{token['from'].strip()} – {token['to'].strip()}")
        elif token["when"]:
            yield Run(token["date"].strip())
        elif token["spot"]:
            self.spots.append(token["name"])
            if token[0].startswith("<<<"):
                yield Run(token["name"])
        elif token["angle"]:
            yield Run(token["address"].removeprefix("mailto:"), token["address"])
        elif token["url"]:
            url = token["url"].rstrip(".,;:!?)")
            yield Run(url, url)
            yield Run(token["url"][len(url) :])
        elif token["macro"]:
            yield from self._macro(token["called"], token["given"] or "", depth)

    def _macro(self, name: str, given: str, depth: int) -> Iterator[Run]:
        """The text that a macro stands for in the file; of another one, what it is given."""
        values = [value.strip() for value in re.split(r"(?<!\\),", given)]
        template = self._macros.get(name.lower())
        if template is None or depth >= DEEPEST:
            yield Run(given.replace("\\,", ","))
            return
        text = re.sub(r"\$(\d)", lambda at: (["", *values, *[""] * 9])[int(at[1])] or "", template)
        self._room -= len(text)
        if self._room > 0:
            yield from self.runs(text, depth + 1)


HEADLINE = re.compile(r"(\*+)[ \t]+(\S.*)$")
TAGS = re.compile(r"(?:^|[ \t])(:(?:[\w@#%]+:)+)$")
PRIORITY = re.compile(r"\[#(\w{1,2})\][ \t]*")
PROGRESS = re.compile(r"[ \t]*\[\d*(?:/\d*|%)\]")
PLANNED = re.compile(r"\b(SCHEDULED|DEADLINE|CLOSED):[ \t]*[<\[]([^<>\[\]]{1,100})[>\]]")
PROPERTY = re.compile(r"[ \t]*:([^\s:][^\s]*?)\+?:(?:[ \t]+(.*))?$")
DRAWER = re.compile(r"[ \t]*:([\w-]+):$")
TODO = ("TODO", "DONE", "NEXT", "WAITING", "WAIT", "STARTED", "CANCELLED", "CANCELED", "HOLD")
HOW_IT_LOOKS = frozenset(
    [
        "custom_id",
        "id",
        "unnumbered",
        "alt_title",
        "index",
        "appendix",
        "copying",
        "visibility",
        "html_container",
        "html_container_class",
        "export_file_name",
        "header-args",
        "cookie_data",
        "columns",
        "category",
        "ordered",
        "roam_aliases",
        "roam_refs",
        "tag",
        "beamer_env",
        "beamer_act",
        "beamer_opt",
        "beamer_col",
        "results",
        "exports",
        "html_headline_class",
        "reveal_background",
    ]
)
"""Properties that say nothing about what the heading is about."""


@dataclass(slots=True)
class Headline:
    """One heading, taken apart."""

    level: int
    title: str
    facts: list[tuple[str, str]] = field(default_factory=list)
    ids: list[str] = field(default_factory=list)
    comment: bool = False


def headline(line: str, todo: frozenset[str]) -> Headline | None:
    """The heading in a line; None if it is none.

    >>> headline("** TODO [#A] Call the yard :boat:", frozenset(["TODO"]))
    Headline(level=2, title='Call the yard', facts=[('status', 'TODO'), ('priority', 'A'), \
('tags', 'boat')], ids=[], comment=False)
    """
    found = HEADLINE.match(line) if line.startswith("*") else None
    if not found:
        return None
    title = found[2]
    heading = Headline(len(found[1]), "")
    tags = TAGS.search(title)
    if tags:
        title = title[: tags.start()].rstrip()
    word, _, rest = title.partition(" ")
    if word in todo:
        heading.facts.append(("status", word))
        title = rest.lstrip()
    if urgent := PRIORITY.match(title):
        heading.facts.append(("priority", urgent[1]))
        title = title[urgent.end() :]
    if title == "COMMENT" or title.startswith("COMMENT "):
        heading.comment = True
    if tags:
        heading.facts.append(("tags", ", ".join(tags[1].strip(":").split(":"))))
    heading.title = PROGRESS.sub("", title).strip()
    return heading


def take_properties(lines: list[str], at: int, end: int, heading: Headline) -> int:
    """Adds the dates and properties that follow a heading; gives the line after them.

    ``end`` is the line of the next ``:END:``, or beyond the last line.
    """
    while at < len(lines) and (planned := PLANNED.findall(lines[at])):
        heading.facts += ((name.lower(), when.strip()) for name, when in planned)
        at += 1
    if at < len(lines) and lines[at].strip().upper() == ":PROPERTIES:" and end < len(lines):
        for line in lines[at + 1 : end]:
            if written := PROPERTY.match(line):
                _property(heading, written[1], (written[2] or "").strip())
        at = end + 1
    return at


def _property(heading: Headline, name: str, value: str) -> None:
    key = name.lower()
    if key == "custom_id":
        heading.ids.append(value)
    elif key == "id":
        heading.ids.append(f"id:{value}")
    if value and key not in HOW_IT_LOOKS and not key.startswith(("export_", "header-args")):
        heading.facts.append((key.replace("_", " "), value))


TABLE_RULE = re.compile(r"[ \t]*\|-")
ALIGNMENT = re.compile(r"<[lcr]?\d*>")


def is_table_line(line: str) -> bool:
    """Tell if a line is a row of a table, or a rule in one."""
    return line.lstrip().startswith("|")


def org_table(
    lines: list[str], first_line: int, runs: Callable[[str], list[Run]]
) -> tuple[list[list[Cell]], list[int]]:
    """The rows with their lines; those above the first rule are the headings."""
    rules = [at for at, line in enumerate(lines) if TABLE_RULE.match(line)]
    written = [at for at, line in enumerate(lines) if not TABLE_RULE.match(line)]
    # A rule above the first row only frames the table.
    dividing = next((at for at in rules if written and at > written[0]), len(lines))
    has_headings = any(at > dividing for at in written)
    rows, numbers = [], []
    for at in written:
        values = [value.strip() for value in lines[at].strip().strip("|").split("|")]
        if all(not value or ALIGNMENT.fullmatch(value) for value in values):
            continue
        heading = has_headings and at < dividing
        rows.append([Cell(tuple(runs(value)), heading) for value in values])
        numbers.append(first_line + at)
    return rows, numbers


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
        """The line where a drawer is closed; None if that is not before the next heading."""
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


FACTS = ("subtitle", "author", "date", "email", "description", "keywords", "filetags", "category")
ALIAS = re.compile(r'"([^"]+)"|(\S+)')


def parse_org(entry: Entry) -> Iterator[Page | Skipped]:
    """The page that a file makes."""
    text = decoded(entry)
    if isinstance(text, Skipped):
        yield text
        return
    page = _page(entry.name, [line.rstrip().expandtabs(8) for line in text.split("\n")])
    yield page if page.document.text else Skipped(entry.name, "it has no text")


def _page(file: str, lines: list[str]) -> Page:
    keywords = _keywords(lines)
    written = (macro.partition(" ") for macro in keywords.get("macro", ()))
    macros = {name.lower(): value for name, _, value in written}
    for name in ("title", "author", "date", "email"):
        macros.setdefault(name, " ".join(keywords.get(name, ())))
    inline = OrgInline(macros)
    about = Headline(0, "")
    title = inline.plain(" ".join(keywords.get("title", ())))
    builder = PageBuilder(title or title_of_path(file))
    todo = frozenset(TODO) | _todo(keywords)
    blocks = OrgBlocks(lines, builder, inline, todo)
    blocks.read(_take_file_properties(lines, about))
    _notes(builder, inline)
    facts = [(name, inline.plain(" ".join(keywords.get(name, ())))) for name in FACTS]
    facts = [fact for fact in facts if fact[1]] + about.facts
    add_facts(builder, (Fact(*fact) for fact in facts))
    labels = (*((name, "") for name in about.ids), *blocks.labels)
    page = builder.page(file, names=_aliases(lines), labels=dict.fromkeys(labels))
    here = {label.lower(): fragment for label, fragment in blocks.labels} | blocks.headings
    return replace(page, links=tuple(_own(link, here) for link in page.links))


def _own(link: WrittenLink, here: dict[str, str]) -> WrittenLink:
    """``[[Some heading]]`` leads to a heading or target of the same file, if there is one."""
    if link.kind is LinkKind.NAME and (fragment := here.get(link.target.lower())):
        return replace(link, target=f"#{fragment}", kind=LinkKind.PATH)
    return link


def _keywords(lines: list[str]) -> dict[str, list[str]]:
    """The values of each ``#+KEYWORD:`` of the file."""
    found: dict[str, list[str]] = {}
    for line in lines:
        if line.lstrip().startswith("#+") and (keyword := KEYWORD.match(line)):
            found.setdefault(keyword[1].lower(), []).append(keyword[2] or "")
    return found


def _todo(keywords: dict[str, list[str]]) -> frozenset[str]:
    """The words for the state of a task that the file defines, such as ``TODO NEXT | DONE(d!)``."""
    listed = (
        *keywords.get("todo", ()),
        *keywords.get("seq_todo", ()),
        *keywords.get("typ_todo", ()),
    )
    words = (word.partition("(")[0] for line in listed for word in line.replace("|", " ").split())
    return frozenset(filter(None, words))


def _take_file_properties(lines: list[str], about: Headline) -> int:
    """Reads the properties above the first heading; gives the line where the body begins."""
    at = 0
    while at < len(lines) and (not lines[at] or lines[at].startswith("# ")):
        at += 1
    if at < len(lines) and lines[at].strip().upper() == ":PROPERTIES:":
        end = at
        while end < len(lines) and lines[end].strip().upper() != ":END:":
            end += 1
        return take_properties(lines, at, end, about) if end < len(lines) else at
    return at


def _aliases(lines: list[str]) -> list[str]:
    """Other names of the note, as org-roam writes them."""
    for line in lines[:50]:
        if line.lower().startswith(":roam_aliases:"):
            return [one or two for one, two in ALIAS.findall(line[14:])]
    return []


def _notes(builder: PageBuilder, inline: OrgInline) -> None:
    builder.end_list()
    for note in list(inline.notes):
        add_runs(builder, inline.runs(note), 0)
        builder.end_item()
    builder.end_list()
