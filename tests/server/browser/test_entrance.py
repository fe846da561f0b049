"""Who opens the page in a real browser: with the token, without it, and from another site."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from browsing import WIDE, ask, needs_chromium, opened, shoot
from stand_in import TOKEN, Site, listening

from lacuna.web.access import Access

pytestmark = needs_chromium


@pytest.fixture
def notes(tmp_path: Path) -> Iterator[str]:
    with listening(Site(tmp_path, access=Access([TOKEN])).app) as address:
        yield address


@pytest.fixture
def context(browser: Any) -> Iterator[Any]:
    with ExitStack() as held:
        context = browser.new_context(viewport=WIDE)
        held.callback(context.close)
        yield context


def test_the_token_is_gone_from_the_address(context: Any, notes: str) -> None:
    page = opened(context, notes)
    assert TOKEN not in page.url
    assert TOKEN not in page.evaluate("document.cookie + JSON.stringify(localStorage)")
    ask(page, "What is it?")
    page.reload()
    page.locator(".turn").first.wait_for()
    assert page.errors == []


def test_who_comes_back_the_next_day_needs_no_address(
    browser: Any, context: Any, tmp_path: Path
) -> None:
    """With a token that stays: the browser and the server were closed in between."""
    access = Access([TOKEN], tokens_stay=True)
    with listening(Site(tmp_path / "one day", access=access).app) as address:
        opened(context, address)
        (cookie,) = context.cookies()
        assert cookie["expires"] > time.time() + 24 * 3600, "it goes with the window"
        port = int(address.rpartition(":")[2])
    later = browser.new_context(viewport=WIDE, storage_state=context.storage_state())
    with listening(Site(tmp_path / "next day", access=access).app, port=port) as address:
        page = later.new_page()
        page.goto(address)
        page.wait_for_selector(".start h2")
    later.close()


def test_a_second_person_sees_only_what_to_do(browser: Any, context: Any, notes: str) -> None:
    owner = opened(context, notes)
    ask(owner, "What is it?")
    other = browser.new_context(viewport=WIDE)
    page = other.new_page()
    got = page.goto(owner.url)
    assert got.status == 401
    page.get_by_role("heading", name="The token is missing").wait_for()
    shoot(page, "entrance")
    assert "Quill" not in page.content()
    for path in ("/docs", "/static/js/main.js", "/api/v1/server", "/openapi.json"):
        assert page.goto(f"{notes}{path}").status == 401
    assert page.evaluate("document.cookie") == ""
    other.close()


def test_from_a_link_of_another_site(context: Any, notes: str, tmp_path: Path) -> None:
    page = context.new_page()
    page.route(
        "http://mail.example/",
        lambda route: route.fulfill(
            content_type="text/html", body=f'<a href="{notes}/?token={TOKEN}">the page</a>'
        ),
    )
    page.goto("http://mail.example/")
    page.get_by_text("the page").click()
    page.wait_for_load_state()
    if page.locator(".start h2").count() == 0:  # the cookie is not sent along with such a link
        page.get_by_role("link", name="go on").click()
    page.wait_for_selector(".start h2")
    assert TOKEN not in page.url


def test_another_sites_page_can_do_nothing(context: Any, notes: str) -> None:
    opened(context, notes)
    page = context.new_page()
    page.route(
        "http://evil.example/",
        lambda route: route.fulfill(content_type="text/html", body="<p>evil</p>"),
    )
    page.goto("http://evil.example/")
    outcome = page.evaluate(
        """(address) => fetch(`${address}/api/v1/server`, {credentials: "include"})
            .then((got) => got.text()).catch((error) => String(error))""",
        notes,
    )
    assert "Failed to fetch" in outcome


def test_two_people_in_one_browser_see_their_own_dialogs(context: Any, tmp_path: Path) -> None:
    other = "another-token-for-the-tests"
    site = Site(tmp_path, access=Access([TOKEN, other]))
    with listening(site.app) as address:
        page = opened(context, address)
        ask(page, "What is it?")
        page.goto(f"{address}/?token={other}")
        page.wait_for_selector(".start h2")
        page.get_by_role("button", name="More …").click()
        page.locator("#menu").get_by_text("None yet.").wait_for()
        page.goto(f"{address}/?token={TOKEN}")
        page.wait_for_selector(".start h2")
        page.get_by_role("button", name="More …").click()
        page.locator("#menu").get_by_role("button", name="What is it? notes").wait_for()
        assert page.errors == []
