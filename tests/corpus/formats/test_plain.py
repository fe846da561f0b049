"""Plain text files: the text as it stands, and the lines of its sentences."""

from __future__ import annotations

from lacuna.corpus.formats.entries import Entry
from lacuna.corpus.formats.plain import parse_plain
from lacuna.corpus.page import Page
from lacuna.corpus.store import Skipped
from lacuna.types import Span


def test_the_text_stays_as_it_is() -> None:
    (page,) = parse_plain(Entry("x/a.txt", b"One. Two.\r\n\r\nThree\r\nfour.\r\n"))
    assert isinstance(page, Page)
    document = page.document
    assert document.title == "a"
    assert document.text == "One. Two.\r\n\r\nThree\r\nfour.\r\n"
    assert document.paragraphs == (Span(0, 9), Span(13, 25))
    assert document.origin is not None
    assert str(document.origin.at(14)) == "x/a.txt:3"


def test_what_is_no_text_is_told() -> None:
    for data in (b"caf\xe9", b"\0\0", b" \n"):
        (skipped,) = parse_plain(Entry("b.txt", data))
        assert isinstance(skipped, Skipped)
        assert skipped.where == "b.txt"
