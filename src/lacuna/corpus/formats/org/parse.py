"""An Org file as a page."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from lacuna.corpus.formats.entries import Entry
from lacuna.corpus.formats.org.blocks import KEYWORD, OrgBlocks
from lacuna.corpus.formats.org.headline import TODO, Headline, take_properties
from lacuna.corpus.formats.org.inline import OrgInline
from lacuna.corpus.formats.plain import decoded
from lacuna.corpus.pages.facts import Fact, add_facts
from lacuna.corpus.pages.page import LinkKind, Page, WrittenLink
from lacuna.corpus.pages.page_builder import PageBuilder
from lacuna.corpus.pages.runs import add_runs
from lacuna.corpus.source_item import Skipped
from lacuna.corpus.titles import title_of_path

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
