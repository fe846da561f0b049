"""A page whose network swallows everything without a word notices it, and comes back by itself."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browsing import browser, needs_chromium
from cut_roads import FreezingProxy
from live_person import LivePerson
from person_in_browser import PersonInBrowser
from quac_site import let_in, make_quac_project, quac_app
from stand_in import listening

from lacuna.web import listening as server
from lacuna_collect.people.accounts import CollectRole
from lacuna_collect.project import CollectProject

__all__ = ["browser"]
pytestmark = needs_chromium
NOTICED = 60_000
"""Milliseconds in which the page must have noticed; it takes about 15 seconds."""
LOST = "The connection is lost"


@pytest.fixture
def project(tmp_path: Path) -> Iterator[CollectProject]:
    made = make_quac_project(tmp_path)
    yield made
    made.close()


def test_what_is_swallowed_is_said_again(
    browser: Any, project: CollectProject, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "SOCKET_PING", 3.0)
    with listening(quac_app(project)) as address:
        road = FreezingProxy(int(address.rpartition(":")[2]))
        wanda = PersonInBrowser(browser, f"http://127.0.0.1:{road.port}")
        wanda.register(project.accounts.invitations.invite(CollectRole.WORKER), "Wanda")
        number = next(one.id for one in project.accounts.people() if one.name == "Wanda")
        project.work.qualifications.set(number, "quac-dialogs", passed=True)
        wanda.go("/collect/live/quac-dialogs")
        wanda.page.get_by_role("heading", name="Waiting for a partner").wait_for()
        token, csrf, _ = let_in(project, "Ben")
        ben = LivePerson(address, token, csrf)
        ben.begin()
        wanda.page.locator(".two").wait_for()
        if ben.role == "student":
            ben.ask("When was it begun?")
            wanda.page.locator(".talk").get_by_text("When was it begun?").wait_for()
        road.cut()
        _speak(wanda, ben)
        wanda.page.get_by_text(LOST).wait_for(timeout=NOTICED)
        assert ben.get("partner")["is_here"] is False
        road.mend()
        kind = "answer" if ben.role == "student" else "question"
        heard = ben.get("event", lambda event: event["kind"] == kind)
        assert heard["number"] == (2 if ben.role == "student" else 1)
        wanda.page.locator(".talk li").nth(heard["number"] - 1).wait_for()
        wanda.page.get_by_text(LOST).wait_for(state="hidden")
        if ben.role == "teacher":
            ben.answer("in 1876")
        else:
            ben.ask("And then?")
        wanda.page.locator(".talk li").nth(heard["number"]).wait_for()
        assert wanda.page.locator(".talk li").count() == heard["number"] + 1
        assert wanda.page.get_by_text("another window").count() == 0
        assert wanda.errors == []
        wanda.context.close()
        ben.close()
        road.close()


def _speak(wanda: PersonInBrowser, ben: LivePerson) -> None:
    """Take the turn, on a page that does not know yet that it is alone."""
    if ben.role == "student":
        wanda.page.get_by_role("button", name="The section does not tell").click()
        wanda.page.get_by_role("button", name="Send the answer").click()
    else:
        wanda.page.get_by_label("Your question").fill("When was it begun?")
        wanda.page.keyboard.press("Enter")
