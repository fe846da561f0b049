"""What the tests of Markdown share."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from lacuna.corpus.formats.entries import Entry
from lacuna.corpus.formats.markdown import parse_markdown
from lacuna.corpus.page import Page

Parse = Callable[..., Page]


@pytest.fixture
def parse() -> Parse:
    """The page of a note, from its text."""

    def parsed(text: str, name: str = "note.md") -> Page:
        (page,) = parse_markdown(Entry(name, text.encode()))
        assert isinstance(page, Page)
        return page

    return parsed
