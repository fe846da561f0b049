"""Links whose document is not there: where each stands, what it says, and why it leads nowhere."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from lacuna.corpus.formats.registry import page_suffixes
from lacuna.corpus.page_rows import PageRows, StoredPage
from lacuna.corpus.pages.linking import resolve_all
from lacuna.corpus.pages.page_names import LinkEnd, PageNames
from lacuna.corpus.store import Store


@dataclass(frozen=True, slots=True)
class MissingLink:
    """One such link: its place, its anchor, and its target as it is written."""

    place: str
    text: str
    target: str
    reason: str


def missing_links(store: Store) -> Iterator[MissingLink]:
    """Those of all sources of pages; in dumps, links are titles, and the link graph tells."""
    with store.source_rows() as rows:
        for (source,) in rows.execute("SELECT id FROM sources ORDER BY id").fetchall():
            pages = PageRows(rows, source)
            files = pages.file_states()
            names = PageNames(pages.names(), suffixes=page_suffixes(), files=files.__contains__)
            for page in pages.stored():
                yield from _of_page(pages, page, names)


def _of_page(pages: PageRows, page: StoredPage, names: PageNames) -> Iterator[MissingLink]:
    resolved = resolve_all(page.name, page.links, names)
    if all(end.end is not LinkEnd.MISSING for end in resolved):
        return
    document = pages.document(page.name.path)
    for link, end in zip(page.links, resolved, strict=True):
        if end.end is LinkEnd.MISSING:
            place = str(document.origin.at(link.start)) if document.origin else page.name.path
            text = document.text[link.start : link.end]
            yield MissingLink(place, text, link.target, end.reason)
