"""What the first sentence of an article says about its subject."""

from __future__ import annotations

import pytest
from opening_pages import page

from lacuna.types import Document
from lacuna_lab.data.texts import opening_title, read_opening


@pytest.mark.parametrize(
    ("title", "kinds", "nation", "country", "born", "released"),
    [
        ("Ada Quill", {"poet", "painter"}, "Dutch", "", 1950, None),
        ("Ben Hollow", {"painter"}, "Dutch", "", 1948, None),
        ("Cy Tarn", {"footballer"}, "Danish", "", 1950, None),
        ("Ash (film)", {"film"}, "American", "", None, 1999),
        ("Oak", {"song"}, "American", "", None, 2004),
        ("Ellery, Kent", {"village"}, "", "England", None, None),
    ],
)
def test_openings(
    title: str, kinds: set[str], nation: str, country: str, born: int | None, released: int | None
) -> None:
    found = read_opening(page(title))
    assert found is not None
    assert (set(found.kinds), found.nation, found.country) == (kinds, nation, country)
    assert (found.born, found.released) == (born, released)


@pytest.mark.parametrize(
    "text",
    [
        "Ada Quill is about a poet.",
        "Ada Quill is a film score.",
        "Ada Quill is a fictional poet.",
        "The tower is a castle.",
        "Ada Quill filmed.",
    ],
)
def test_what_is_not_sure_is_passed_over(text: str) -> None:
    assert read_opening(Document("Ada Quill", text)) is None


def test_opening_titles() -> None:
    assert opening_title("The Owl Service is a novel.") == "Owl Service"
    assert opening_title("David Vitter (born 1961), a lawyer, was elected.") == "David Vitter"
    assert opening_title("The city consists of parts.") == ""
