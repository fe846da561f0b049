"""Teams have keys, and what people write is bounded text."""

from __future__ import annotations

import pytest
from board_site import BoardSite

from lacuna.errors import LacunaError
from lacuna_collect.board.database import DATABASE_FILE, plain_line, plain_text, web_address


def test_a_key_is_kept_as_a_sum_and_can_be_renewed(site: BoardSite) -> None:
    key = site.keys["Us"]
    assert key.encode() not in (site.board.folder / DATABASE_FILE).read_bytes()
    us = site.board.teams.with_key(key)
    assert us is not None
    assert us.name == "Us"
    assert site.board.teams.with_key("another") is None
    with pytest.raises(LacunaError, match="a team 'us' already"):
        site.board.teams.add("us")
    new = site.board.teams.renew("US")
    assert site.board.teams.with_key(key) is None
    assert site.board.teams.with_key(new) == us
    with pytest.raises(LacunaError, match="no team 'Them'"):
        site.board.teams.renew("Them")


def test_words() -> None:
    assert plain_line("<b>x</b>\x00\u202e y", "It", 20) == "<b>x</b> y"
    assert plain_text(" a \r\n\r\n b ", "It", 20) == "a\n\nb"
    with pytest.raises(LacunaError, match="is empty"):
        plain_line(" \u200b", "It", 20)
    with pytest.raises(LacunaError, match="has 21 characters"):
        plain_text("x" * 21, "It", 20)


@pytest.mark.parametrize(
    "address",
    ["javascript:alert(1)", "data:text/html,x", "//x.org", "https://", "https://a b", "x",
     "https://user:word@x.org", "https://[x", "https://x.org/\u202e",
     "https://x.y/<img/src=x>", 'https://x.y/"onclick'],
)  # fmt: skip
def test_addresses_that_no_page_links_to(address: str) -> None:
    with pytest.raises(LacunaError, match="no address of the web"):
        web_address(address, "It")
    assert web_address(" https://x.org/a?b=c ", "It") == "https://x.org/a?b=c"
    assert web_address("", "It") == ""
