"""Addresses of documents."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lacuna.corpus.titles import is_valid
from lacuna.errors import LacunaError
from lacuna.mcp.documents import TEMPLATE, address_of, parse_address, title_in


@given(st.text(min_size=1).filter(is_valid), st.integers(0, 10**9))
def test_every_title_comes_back_from_its_address(title: str, start: int) -> None:
    address = address_of(title, start)
    assert address.isascii()
    assert not any(char.isspace() for char in address)
    assert (parse_address(address).title, parse_address(address).start) == (title, start)


def test_a_title_of_dots_is_no_way_out_of_a_folder() -> None:
    assert address_of("..") == "lacuna://documents/%2E%2E"
    assert parse_address(address_of("..")).title == ".."


@pytest.mark.parametrize(
    "address",
    [
        "",
        "Marrow",
        "file:///etc/passwd",
        "lacuna://documents/",
        "lacuna://documents/a/b",
        "lacuna://documents/a?start=x",
        "lacuna://documents/a?start=1&page=2",
        "lacuna://documents/a?start",
        "lacuna://documents/%ff",
        "lacuna://[::/a",
    ],
)
def test_what_is_no_address_is_refused_in_words(address: str) -> None:
    with pytest.raises(LacunaError, match="lacuna://documents/"):
        parse_address(address)
    assert TEMPLATE.startswith("lacuna://documents/")


def test_a_title_is_no_address() -> None:
    assert title_in("Marrow") is None
    assert title_in("lacuna://documents/Ada%20Quill?start=3") == "Ada Quill"
