"""Shorthands for tests: what one HTML page gives."""

from __future__ import annotations

from lacuna.corpus.formats.entries import Entry
from lacuna.corpus.formats.html import parse_html
from lacuna.corpus.page import Page
from lacuna.corpus.store import Skipped


def parsed(html: str | bytes, name: str = "page.html") -> Page | Skipped:
    data = html if isinstance(html, bytes) else html.encode()
    (found,) = parse_html(Entry(name, data))
    return found


def page_of(html: str | bytes, name: str = "page.html") -> Page:
    found = parsed(html, name)
    assert isinstance(found, Page), found
    return found


def text_of(html: str | bytes) -> str:
    return page_of(html).document.text


def links_of(page: Page) -> list[tuple[str, str]]:
    return [(page.document.text[link.start : link.end], link.target) for link in page.links]


def reason_of(html: str | bytes) -> str:
    found = parsed(html)
    assert isinstance(found, Skipped)
    return found.reason
