"""Previews of links, as WCAG 1.4.13 wants them: dismissible, hoverable, persistent."""

from __future__ import annotations

from typing import Any

from browsing import WINDOWS, fits, needs_chromium, opened_narrow, shoot, show

pytestmark = needs_chromium

LONGER_THAN_THE_WAIT = 900


def test_a_link_that_is_focused_shows_where_it_leads(anywhere: Any) -> None:
    page = anywhere
    show(page, corpus="demo", doc="Torrow")
    if page.size in ("phone", "zoomed"):
        page.get_by_role("button", name="Document", exact=True).press("Enter")
    link = page.locator(".document-text a", has_text="Tresk Shipyard")
    page.locator(".document-head a").last.focus()
    while not link.evaluate("(node) => node === document.activeElement"):
        page.keyboard.press("Tab")
    preview = page.get_by_role("tooltip")
    preview.wait_for()
    assert preview.locator("b").inner_text() == "Tresk Shipyard"
    assert "the largest shipyard of the Selmory Islands" in preview.locator("p").inner_text()
    assert "documents link to it." in preview.locator("small").inner_text()
    assert link.get_attribute("aria-describedby") == "preview"
    box = preview.bounding_box()
    window = page.viewport_size
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= window["width"]
    assert box["y"] >= 0
    assert box["y"] + box["height"] <= window["height"]
    assert fits(page)
    shoot(page, f"preview-{page.size}")
    page.keyboard.press("Escape")
    preview.wait_for(state="hidden")
    assert link.evaluate("(node) => node === document.activeElement"), "focus stays"
    assert link.is_visible(), "only the preview closes"
    assert link.get_attribute("aria-describedby") is None
    page.keyboard.press("Tab")
    preview.wait_for()  # of the next link
    page.keyboard.press("Enter")
    preview.wait_for(state="hidden")


def test_it_can_be_pointed_at_itself_and_goes_with_the_pointer(page: Any) -> None:
    show(page, corpus="demo", doc="Torrow")
    link = page.locator(".document-text a", has_text="Tresk Shipyard")
    preview = page.get_by_role("tooltip")
    link.hover()
    preview.wait_for()
    box = preview.bounding_box()
    page.mouse.move(box["x"] + 30, box["y"] + 20, steps=5)
    page.wait_for_timeout(LONGER_THAN_THE_WAIT)
    assert preview.is_visible()
    page.mouse.move(20, 900, steps=3)
    preview.wait_for(state="hidden")
    link.hover()
    preview.wait_for()
    page.keyboard.press("Escape")
    preview.wait_for(state="hidden")
    page.wait_for_timeout(LONGER_THAN_THE_WAIT)
    assert not preview.is_visible(), "it stays away until the link is pointed at anew"
    link.click()
    page.locator(".document-head h2", has_text="Tresk Shipyard").wait_for()
    assert not preview.is_visible()


def test_a_finger_sees_none(browser: Any, address: str) -> None:
    context = browser.new_context(**WINDOWS["phone"])
    page = opened_narrow(context, address)
    show(page, corpus="demo", doc="Torrow")
    page.get_by_role("button", name="Document", exact=True).tap()
    link = page.locator(".document-text a", has_text="Tresk Shipyard")
    touch = {"pointerType": "touch", "bubbles": True}
    link.dispatch_event("pointerover", touch)  # as where a finger scrolls over it
    page.wait_for_timeout(LONGER_THAN_THE_WAIT)
    assert not page.get_by_role("tooltip").is_visible()
    link.tap()
    page.locator(".document-head h2", has_text="Tresk Shipyard").wait_for()
    page.wait_for_timeout(LONGER_THAN_THE_WAIT)
    assert not page.get_by_role("tooltip").is_visible()
    context.close()


def test_a_preview_that_cannot_be_had_is_none(page: Any) -> None:
    page.route("**/preview?*", lambda route: route.fulfill(status=500, json={}))
    show(page, corpus="demo", doc="Torrow")
    page.locator(".document-text a").first.hover()
    page.wait_for_timeout(LONGER_THAN_THE_WAIT)
    assert not page.get_by_role("tooltip").is_visible()
    page.errors.clear()  # the browser notes every refusal by itself
