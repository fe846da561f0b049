"""Mechanical Turk's frame and Prolific's study in a real browser.

Their sites are stood in for within the browser, under their own addresses, so that its rules for
frames, cookies and forms of other sites hold as they do outside.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from barriers import barriers
from browsing import browser, needs_chromium, shoot
from collect_site import TASK, CollectSite
from colours_in_browser import give_form
from stand_in import listening

__all__ = ["browser"]
pytestmark = needs_chromium
TURK = "https://worker.mturk.com"
POSTED_TO = "https://www.mturk.com/mturk/externalSubmit"
PREVIEW = {"assignmentId": "ASSIGNMENT_ID_NOT_AVAILABLE", "hitId": "H1"}
ACCEPTED = {
    "assignmentId": "A1",
    "hitId": "H1",
    "workerId": "W1",
    "turkSubmitTo": "https://www.mturk.com",
}
PROLIFIC = {"PROLIFIC_PID": "P1", "STUDY_ID": "S1", "SESSION_ID": "X1"}


class CrowdBrowser:
    """A browser in which the platforms' sites are there, and what was sent to them."""

    def __init__(self, browser: Any, site: CollectSite, address: str) -> None:
        # This machine is what a browser keeps other sites from; the real server is none of it.
        self.context = browser.new_context(permissions=["local-network-access"])
        self.address = address
        self.key = site.project.file.crowd.key
        self.posted: list[dict[str, list[str]]] = []
        self.visited: list[str] = []
        self.framed = ""
        self.context.route("**/forms/colours.js", give_form)
        self.context.route(f"{TURK}/**", self._show_frame)
        self.context.route("https://evil.example/**", self._show_frame)
        self.context.route(POSTED_TO, self._take_post)
        self.context.route("https://app.prolific.com/**", self._visit)
        self.page = self.context.new_page()
        self.page.set_default_timeout(20_000)

    def entrance(self, sent: dict[str, str]) -> str:
        return f"{self.address}/collect/crowd?{urlencode({'key': self.key, 'task': TASK, **sent})}"

    def open_framed(self, sent: dict[str, str], by: str = TURK) -> Any:
        """The platform's page with ours in a frame."""
        self.framed = self.entrance(sent)
        self.page.goto(f"{by}/projects/1/tasks/2")
        return self.page.frame_locator("iframe")

    def look(self, name: str) -> None:
        """At the platform's page, and at ours in it."""
        self.page.bring_to_front()
        shoot(self.page, name)
        (frame,) = self.page.main_frame.child_frames
        assert barriers(frame) == []

    def _show_frame(self, route: Any) -> None:
        frame = (
            f'<iframe title="HIT" width="900" height="600" src="{escape(self.framed)}"></iframe>'
        )
        body = f'<!doctype html><html lang="en"><title>HIT</title><main><h1>HIT</h1>{frame}'
        route.fulfill(content_type="text/html", body=body)

    def _take_post(self, route: Any) -> None:
        assert route.request.method == "POST"
        self.posted.append(parse_qs(route.request.post_data))
        route.fulfill(content_type="text/html", body="<title>Turk</title><p>Thank you</p>")

    def _visit(self, route: Any) -> None:
        self.visited.append(route.request.url)
        link = escape(self.entrance(PROLIFIC))
        body = f'<title>Prolific</title><a href="{link}" target="_blank">Open study</a>'
        route.fulfill(content_type="text/html", body=body)


@pytest.fixture
def crowd(browser: Any, site: CollectSite) -> Iterator[CrowdBrowser]:
    with listening(site.app) as address:
        opened = CrowdBrowser(browser, site, address)
        yield opened
        opened.context.close()


def do_the_work(page: Any) -> None:
    """The test, and one set."""
    page.set_default_timeout(20_000)
    page.get_by_role("button", name="Begin the test").click()
    for _ in range(2):
        page.get_by_label("Colour").fill("red")
        page.get_by_role("button", name="Hand in").click()
        page.get_by_role("heading", name="Handed in").wait_for()
        if page.get_by_text("You passed the test").count():
            assert not page.get_by_text("One step is left").count(), "a test is no work"
            page.get_by_role("button", name="Next").click()


def test_preview_in_the_frame(crowd: CrowdBrowser, site: CollectSite) -> None:
    frame = crowd.open_framed(PREVIEW)
    frame.get_by_text("This is a preview").wait_for()
    crowd.look("crowd-preview")
    assert not frame.get_by_role("link", name="Open the work").count()
    assert site.project.accounts.people() == []


def test_from_the_frame_to_the_work_and_back(crowd: CrowdBrowser) -> None:
    frame = crowd.open_framed(ACCEPTED)
    with crowd.context.expect_page() as opened:
        frame.get_by_role("link", name="Open the work").click()
    crowd.look("crowd-frame")
    work = opened.value
    do_the_work(work)
    shoot(work, "crowd-handed-in")
    frame.get_by_role("link", name="I have handed it in").click()
    frame.get_by_role("button", name="Hand it in at Mechanical Turk").wait_for()
    crowd.look("crowd-frame-done")
    frame.get_by_role("button", name="Hand it in at Mechanical Turk").click()
    frame.get_by_text("Thank you").wait_for()
    assert crowd.posted == [{"assignmentId": ["A1"], "receipt": ["S2"]}]


def test_back_from_the_window_of_the_work(crowd: CrowdBrowser) -> None:
    frame = crowd.open_framed(ACCEPTED)
    with crowd.context.expect_page() as opened:
        frame.get_by_role("link", name="Open the work").click()
    do_the_work(opened.value)
    opened.value.goto(f"{crowd.address}/collect/")  # the receipt is closed too early
    opened.value.get_by_role("button", name="Hand it in at Mechanical Turk").click()
    opened.value.get_by_text("Thank you").wait_for()
    assert crowd.posted == [{"assignmentId": ["A1"], "receipt": ["S2"]}]


def test_nothing_is_handed_in_before_the_work_is_done(crowd: CrowdBrowser) -> None:
    frame = crowd.open_framed(ACCEPTED)
    frame.get_by_role("link", name="I have handed it in").click()
    frame.get_by_role("link", name="Open the work").wait_for()
    assert not frame.get_by_role("button").count()


def test_another_site_cannot_frame_it(crowd: CrowdBrowser) -> None:
    crowd.open_framed(ACCEPTED, by="https://evil.example")
    crowd.page.wait_for_load_state("networkidle")
    (frame,) = crowd.page.main_frame.child_frames
    assert "Open the work" not in frame.content()


def test_only_the_entrance_is_framed(crowd: CrowdBrowser) -> None:
    crowd.framed = f"{crowd.address}/collect/login"
    crowd.page.goto(f"{TURK}/projects/1")
    crowd.page.wait_for_load_state("networkidle")
    (frame,) = crowd.page.main_frame.child_frames
    assert "Lacuna" not in frame.content()


def test_prolific_there_and_back(crowd: CrowdBrowser) -> None:
    crowd.page.goto("https://app.prolific.com/studies/S1")
    with crowd.context.expect_page() as opened:
        crowd.page.get_by_role("link", name="Open study").click()
    study = opened.value
    do_the_work(study)
    study.get_by_text("CODE1").wait_for()
    shoot(study, "crowd-prolific")
    study.goto(crowd.entrance(PROLIFIC))  # the same participant, who has lost the page
    study.get_by_text("CODE1").wait_for()
    study.get_by_role("link", name="Back to Prolific").click()
    study.wait_for_url("https://app.prolific.com/**")
    back = urlsplit(crowd.visited[-1])
    assert (back.path, parse_qs(back.query)) == ("/submissions/complete", {"cc": ["CODE1"]})


def test_a_wrong_address_is_told_in_words(crowd: CrowdBrowser) -> None:
    crowd.key = "guessed"
    frame = crowd.open_framed(ACCEPTED)
    frame.get_by_text("This address is not complete. Ask the requester.").wait_for()
    crowd.page.goto(crowd.entrance(PROLIFIC))
    crowd.page.get_by_text("This address is not complete. Ask the requester.").wait_for()
    assert barriers(crowd.page) == []
