"""Titles that a text names."""

from __future__ import annotations

from collections.abc import Iterable

from lacuna.retrieve.windows import mentions, with_mentions
from lacuna.types import Document, Link

TITLES = {"ada quill": "Ada Quill", "quill": "Quill", "port ellery": "Port Ellery", "in": "In"}


def known(names: Iterable[str]) -> dict[str, str]:
    return {name: TITLES[name.casefold()] for name in names if name.casefold() in TITLES}


def test_the_longest_name_is_taken() -> None:
    assert mentions("There Ada Quill met her.", known) == (Link(6, 15, "Ada Quill"),)


def test_only_a_question_may_name_a_title_in_small_letters() -> None:
    assert mentions("who was ada quill?", known) == ()
    found = mentions("who was ada quill?", known, capitals=False)
    assert [link.target for link in found] == ["Ada Quill"]


def test_a_stop_word_is_no_name() -> None:
    assert mentions("In the morning", known) == ()


def test_a_document_with_links_keeps_them() -> None:
    linked = Document("Page", "Port Ellery", links=(Link(0, 4, "Port"),))
    assert with_mentions(linked, known) is linked
    (link,) = with_mentions(Document("Page", "Port Ellery"), known).links
    assert link.target == "Port Ellery"
