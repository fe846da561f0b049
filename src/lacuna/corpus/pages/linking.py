"""From pages to documents: with their final titles, and links that lead to titles."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from lacuna.corpus.pages.page import Page, WrittenLink
from lacuna.corpus.pages.page_names import LinkEnd, PageName, PageNames, ResolvedLink
from lacuna.corpus.source_item import Redirect, SourceItem
from lacuna.types import Document, Link, Section


@dataclass(frozen=True, slots=True)
class LinkCounts:
    """What became of the links of a page, or of many."""

    resolved: int = 0
    missing: int = 0
    outside: int = 0


def linked(
    document: Document, name: PageName, links: Sequence[WrittenLink], names: PageNames
) -> Document:
    """The document of a page as one of a set."""
    resolved = resolve_all(name, links, names)
    kept = (
        Link(link.start, link.end, end.title, end.fragment)
        for link, end in zip(links, resolved, strict=True)
        if end.end in (LinkEnd.PAGE, LinkEnd.MISSING)
    )
    return with_title(replace(document, links=tuple(kept)), names.titles[name.path])


def resolve_all(
    name: PageName, links: Sequence[WrittenLink], names: PageNames
) -> list[ResolvedLink]:
    """Where the links of a page lead; one that is written several times is looked up once."""
    known: dict[tuple[str, str], ResolvedLink] = {}
    resolved = []
    for link in links:
        key = (link.kind, link.target)
        if key not in known:
            known[key] = names.resolve(name, link)
        resolved.append(known[key])
    return resolved


def count_links(resolved: Sequence[ResolvedLink]) -> LinkCounts:
    """How many of the links of a page lead where; those to files and to itself are left out."""
    ends = [link.end for link in resolved]
    return LinkCounts(
        ends.count(LinkEnd.PAGE), ends.count(LinkEnd.MISSING), ends.count(LinkEnd.OUTSIDE)
    )


def with_title(document: Document, title: str) -> Document:
    """The document under another title, which its sections begin with."""
    if title == document.title:
        return document
    sections = tuple(
        Section((title, *section.path[1:]), section.start, section.end)
        for section in document.sections
    )
    return replace(document, title=title, sections=sections)


def from_root(page: Page, root: str) -> Page:
    """The page of a source that lies there."""
    document, origin = page.document, page.document.origin
    if origin is None:
        return page
    return replace(page, document=replace(document, origin=replace(origin, root=root)))


def linked_pages(pages: Sequence[Page], suffixes: tuple[str, ...]) -> Iterator[SourceItem]:
    """The documents of a whole set of pages, and the other names that lead to them."""
    names = PageNames(map(PageName.of, pages), suffixes=suffixes)
    for page in pages:
        if page.leads_to:
            continue
        name = PageName.of(page)
        yield linked(page.document, name, page.links, names)
        title = names.titles[page.path]
        yield from (Redirect(alias, title) for alias in names.aliases(name))
