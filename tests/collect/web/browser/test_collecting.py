"""A requester, a worker and a reviewer in a real browser.

LACUNA_SHOTS=FOLDER keeps a picture of every state; axe looks at each for what hinders people.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from browsing import browser, needs_chromium
from collect_site import PASSWORD, CollectSite
from colours_in_browser import ColourNamer
from stand_in import listening
from stand_in_family import HIDDEN

__all__ = ["browser"]
pytestmark = needs_chromium


@pytest.fixture
def address(site: CollectSite) -> Iterator[str]:
    with listening(site.app) as at:
        yield at


@pytest.fixture
def someone(browser: Any, address: str) -> Iterator[Any]:
    made: list[ColourNamer] = []

    def make(**options: Any) -> ColourNamer:
        made.append(ColourNamer(browser, address, **options))
        return made[-1]

    yield make
    for one in made:
        one.context.close()
        assert one.errors == []


def test_from_the_invitation_to_the_export(site: CollectSite, someone: Any) -> None:
    rita = someone()
    rita.go("/collect/")
    rita.page.get_by_role("heading", name="Log in").wait_for()
    rita.look("login")
    rita.register(site.invite("requester"), "Rita")
    rita.go("/collect/console/invitations")
    rita.page.get_by_role("button", name="Make an invitation").click()
    link = rita.page.locator("#invitation").inner_text()
    rita.look("invitations")

    wanda = someone()
    wanda.watch()
    wanda.register(link.rpartition("/")[2], "Wanda")
    wanda.look("tasks")
    wanda.go("/collect/tasks/iirc-questions")
    wanda.page.get_by_role("button", name="Begin the test").wait_for()
    wanda.look("instructions")
    wanda.begin()
    wanda.hand_in("red")
    wanda.page.get_by_text("You passed the test").wait_for()
    wanda.page.get_by_role("button", name="Next").click()
    wanda.page.get_by_text("shade 0").wait_for()
    wanda.page.get_by_role("button", name="Hand in").click()
    wanda.page.locator("#colour-problem", has_text="Name the colour.").wait_for()
    wanda.look("problem")

    wanda.page.get_by_label("Colour").fill("blu")
    wanda.page.locator(".save-state", has_text="Saving").wait_for()
    wanda.page.locator(".save-state", has_text="Saved").wait_for()
    wanda.page.reload()
    wanda.page.get_by_label("Colour").wait_for()
    assert wanda.page.get_by_label("Colour").input_value() == "blu"
    wanda.look("work")
    wanda.hand_in("blue")
    wanda.look("receipt")

    rita.go("/collect/console/queue")
    rita.look("queue")
    rita.page.get_by_role("link", name="S2").click()
    rita.page.get_by_role("button", name="Send back").click()
    rita.page.get_by_label("Why?").fill("Which blue?")
    rita.look("send-back")
    rita.page.locator("#question").get_by_role("button", name="Send back").click()
    rita.page.get_by_text("Nothing waits for a review.").wait_for()

    wanda.begin()
    wanda.page.get_by_text("Which blue?").wait_for()
    wanda.look("returned")
    wanda.hand_in("sky blue")
    rita.go("/collect/console/review/3")
    rita.page.get_by_label("Colour").fill("sky-blue")
    rita.page.get_by_role("button", name="Accept as repaired").click()
    rita.page.get_by_text("Nothing waits for a review.").wait_for()
    rita.go("/collect/console")
    rita.page.locator("figcaption", has_text="Throughput").wait_for()
    rita.look("console")
    with rita.page.expect_download() as download:
        rita.page.get_by_role("button", name="Export the dataset").click()
    assert download.value.suggested_filename == "project.zip"
    rita.go("/collect/console/workers")
    rita.page.get_by_role("heading", name="Quality of their work").wait_for()
    rita.look("people")
    rita.page.get_by_role("link", name="Wanda").first.click()
    rita.page.get_by_role("button", name="Write").wait_for()
    rita.look("person")

    wanda.go("/collect/earnings")
    wanda.page.get_by_text("$4.00").first.wait_for()
    wanda.look("earnings")
    assert len(wanda.traffic) > 10
    assert not [text for text in wanda.traffic if HIDDEN in text]


def test_two_tabs_and_a_server_that_is_away(site: CollectSite, someone: Any) -> None:
    wanda = someone()
    wanda.register(site.invite(), "Wanda")
    wanda.begin()
    other = wanda.tab()
    other.goto(wanda.page.url)
    other.get_by_label("Colour").fill("from the other tab")
    other.locator(".save-state", has_text="Saving").wait_for()
    other.locator(".save-state", has_text="Saved").wait_for()
    wanda.page.get_by_label("Colour").fill("from this tab")
    wanda.page.get_by_text("open in another tab").wait_for()
    wanda.look("two-tabs")
    wanda.page.get_by_role("button", name="Keep what is on this page").click()
    wanda.page.locator(".save-state", has_text="Saved").wait_for()
    other.reload()
    other.get_by_label("Colour").wait_for()
    assert other.get_by_label("Colour").input_value() == "from this tab"

    wanda.context.set_offline(True)
    wanda.page.get_by_label("Colour").fill("typed offline")
    wanda.page.get_by_text("The server does not answer").wait_for()
    wanda.look("offline")
    wanda.context.set_offline(False)
    wanda.page.locator(".save-state", has_text="Saved").wait_for()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_on_a_phone_by_keyboard(site: CollectSite, someone: Any, scheme: str) -> None:
    phone = {"width": 360, "height": 740}
    wanda = someone(viewport=phone, color_scheme=scheme)
    wanda.register(site.invite(), "Wanda with a rather long name")
    wanda.look(f"phone-tasks-{scheme}")
    wanda.begin()
    wanda.page.get_by_label("Colour").focus()
    wanda.page.keyboard.type("red")
    wanda.page.keyboard.press("Tab")
    wanda.look(f"phone-work-{scheme}")
    wanda.page.keyboard.press("Enter")
    wanda.page.get_by_role("heading", name="Handed in").wait_for()
    wanda.look(f"phone-receipt-{scheme}")
    rita = someone(viewport=phone, color_scheme=scheme)
    rita.register(site.invite("requester"), "Rita")
    for path in ("console", "console/workers", "console/invitations", "console/queue", "messages"):
        rita.go(f"/collect/{path}")
        rita.page.locator("main h1").wait_for()
        rita.look(f"phone-{path.replace('/', '-')}-{scheme}")


def test_somebody_who_is_blocked(site: CollectSite, someone: Any) -> None:
    wanda = someone()
    wanda.register(site.invite(), "Wanda")
    person = site.project.accounts.people()[0]
    site.project.accounts.block(person.id, "<b>Copied</b> texts.")
    wanda.go("/collect/")
    wanda.page.get_by_text("You cannot work here any more. <b>Copied</b> texts.").wait_for()
    wanda.look("blocked")


def test_passwords_and_roles_are_changed(site: CollectSite, someone: Any) -> None:
    wanda = someone()
    wanda.register(site.invite(), "Wanda")
    wanda.page.get_by_role("link", name="Wanda").click()
    wanda.page.get_by_label("Password", exact=True).fill("not the password")
    wanda.page.get_by_label("New password").fill("another long one")
    wanda.page.get_by_role("button", name="Change it").click()
    wanda.page.get_by_text("The old password is wrong.").wait_for()
    wanda.look("account")
    wanda.page.get_by_label("Password", exact=True).fill(PASSWORD)
    wanda.page.get_by_role("button", name="Change it").click()
    wanda.page.get_by_text("Your password is changed.").wait_for()
    wanda.go("/collect/")
    wanda.page.get_by_role("heading", name="Tasks").wait_for()

    rita = someone()
    rita.register(site.invite("requester"), "Rita")
    rita.go("/collect/console/workers")
    rita.page.get_by_role("link", name="Wanda").first.click()
    rita.page.get_by_label("Role").select_option("reviewer")
    rita.page.get_by_role("button", name="Change the role").click()
    rita.page.locator(".facts", has_text="reviewer").wait_for()
    rita.page.get_by_role("button", name="New password").click()
    rita.page.get_by_role("button", name="Make it").click()
    password = rita.page.locator("main code").inner_text()
    rita.look("new-password")

    wanda.go("/collect/")
    wanda.page.get_by_label("Name").fill("Wanda")
    wanda.page.get_by_label("Password").fill(password)
    wanda.page.keyboard.press("Enter")
    wanda.page.get_by_role("link", name="Console").wait_for()


def test_hostile_text_is_text_on_every_page(site: CollectSite, someone: Any) -> None:
    hostile = '<img src=x onerror="window.broken=1"><script>alert(1)'
    worker = site.person("worker", hostile)
    worker.pass_test()
    assignment = worker.next()
    worker.post(f"work/{assignment}/report", {"text": hostile})
    worker.post("messages", {"body": hostile})
    worker.submit(assignment, hostile)
    rita = someone()
    rita.register(site.invite("requester"), "Rita")
    for path in ("workers", f"workers/{worker.id}", "queue", "review/2", "reports"):
        rita.go(f"/collect/console/{path}")
        rita.page.locator("main h1").wait_for()
        if path == "review/2":
            assert rita.page.get_by_label("Colour").input_value() == hostile
        else:
            rita.page.get_by_text(hostile).first.wait_for()
        assert rita.page.evaluate("window.broken === undefined"), path
        assert rita.page.locator("img[src=x]").count() == 0, path

    wanda = someone()
    wanda.go("/collect/login")
    wanda.page.get_by_label("Name").fill(hostile)
    wanda.page.get_by_label("Password").fill(PASSWORD)
    wanda.page.keyboard.press("Enter")
    wanda.page.get_by_role("heading", name="Tasks").wait_for()
    site.project.work.reviews.send_back(2, hostile, reviewer=None)
    for path in (f"work/{assignment}", "messages", "earnings"):
        wanda.go(f"/collect/{path}")
        wanda.page.get_by_text(hostile).first.wait_for()
        assert wanda.page.evaluate("window.broken === undefined"), path
        assert wanda.page.locator("img[src=x]").count() == 0, path
