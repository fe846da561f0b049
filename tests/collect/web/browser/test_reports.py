"""A partner who has left can still be reported, and a report being typed is not lost by that."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browsing import browser, needs_chromium
from live_person import LivePerson
from person_in_browser import PersonInBrowser
from quac_site import let_in, make_quac_project, quac_app
from stand_in import listening

from lacuna_collect.people.accounts import CollectRole
from lacuna_collect.project import CollectProject

__all__ = ["browser"]
pytestmark = needs_chromium
ENDED = "The dialog has ended"


@pytest.fixture
def project(tmp_path: Path) -> Iterator[CollectProject]:
    made = make_quac_project(tmp_path)
    yield made
    made.close()


def test_who_was_left_reports(browser: Any, project: CollectProject) -> None:
    with listening(quac_app(project)) as address:
        wanda = PersonInBrowser(browser, address)
        wanda.register(project.accounts.invitations.invite(CollectRole.WORKER), "Wanda")
        number = next(one.id for one in project.accounts.people() if one.name == "Wanda")
        project.work.qualifications.set(number, "quac-dialogs", passed=True)
        wanda.go("/collect/live/quac-dialogs")
        page = wanda.page
        _leaves(project, address, wanda, "Ben")
        page.get_by_role("heading", name=ENDED).wait_for()
        page.get_by_role("button", name="Report your partner").click()
        page.get_by_label("What did they do?").fill("They insulted me.")
        page.get_by_role("button", name="Report", exact=True).click()
        page.get_by_text("The requester has your report.").wait_for()
        assert page.get_by_role("button", name="Report your partner").count() == 0
        wanda.look("reported-after-the-end")

        page.get_by_role("button", name="Find another partner").click()
        page.get_by_role("heading", name="Waiting for a partner").wait_for()
        _leaves(project, address, wanda, "Cleo", while_typing="They insulted me, too.")
        page.get_by_role("heading", name=ENDED, include_hidden=True).wait_for()
        page.get_by_role("button", name="Report and leave").click()
        page.get_by_text("The requester has your report.").wait_for()
        assert page.get_by_role("button", name="Report your partner").count() == 0
        assert wanda.errors == []
        wanda.context.close()
    told = [report.text.partition(": ")[2] for report in project.work.reports.all()]
    assert told == ["They insulted me.", "They insulted me, too."]


def _leaves(
    project: CollectProject,
    address: str,
    wanda: PersonInBrowser,
    name: str,
    while_typing: str = "",
) -> None:
    """Somebody comes, and leaves at once."""
    token, csrf, _ = let_in(project, name)
    other = LivePerson(address, token, csrf)
    other.begin()
    wanda.page.locator(".two").wait_for()
    if while_typing:
        wanda.page.get_by_role("button", name="Report your partner").click()
        wanda.page.get_by_label("What did they do?").fill(while_typing)
    other.send(type="leave")
    other.get("ended")
    other.close()
