"""A file of AsciiDoc as a page."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from lacuna.corpus.formats.asciidoc.attributes import ENTRY, Attributes
from lacuna.corpus.formats.asciidoc.block_attributes import SPOT, BlockAttributes
from lacuna.corpus.formats.asciidoc.blocks import AsciidocBlocks
from lacuna.corpus.formats.asciidoc.inline import AsciidocInline
from lacuna.corpus.formats.asciidoc.lines import heading_at, section_id
from lacuna.corpus.formats.entries import Entry
from lacuna.corpus.formats.plain import decoded
from lacuna.corpus.pages.facts import Fact, add_facts
from lacuna.corpus.pages.page import LinkKind, Page, WrittenLink
from lacuna.corpus.pages.page_builder import PageBuilder
from lacuna.corpus.pages.runs import add_runs
from lacuna.corpus.source_item import Skipped
from lacuna.corpus.titles import title_of_path

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
    builder = PageBuilder(inline.plain(attributes.put_in(title)) or title_of_path(file))
    blocks = AsciidocBlocks(lines, builder, inline, attributes)
    blocks.read(body)
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
    """What the header says about the document."""
    return [
        Fact(name, value)
        for name, value in attributes.values.items()
        if value and (name in FACTS or PAGE_FACT.fullmatch(name))
    ]
