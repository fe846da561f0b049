"""The page in a real browser, over the demo corpus and the shipped model."""

from __future__ import annotations

import io
import zipfile
from typing import Any

import httpx
from browsing import (
    TIMEOUT_MILLISECONDS,
    WIDE,
    ask,
    fits,
    needs_chromium,
    opened,
    opened_narrow,
    shoot,
    survey,
)
from stand_in import KNOWN, TOKEN

from lacuna.datasets import get_dataset

pytestmark = needs_chromium

QUESTION = "How old was the island's best-known native when the strike that she led began?"
EVIL = "# Evil\n\n`<img src=x onerror=alert(1)>` and `<script>alert(2)</script>` 𝔸 stand here.\n"
HERON = "# Heron\n\nThe heron is a bird that eats fish. It was described by [[Ida Marsh]].\n"
MARSH = "# Ida Marsh\n\nIda Marsh was born in Fenby in 1871. She died in 1940.\n"


def choose(page: Any, title: str) -> None:
    page.get_by_role("combobox", name="Search titles").fill(title)
    page.get_by_role("option", name=title, exact=True).wait_for()
    page.keyboard.press("Enter")
    page.get_by_role("heading", name=title, exact=True).wait_for()


def test_from_a_question_to_its_source_and_on(page: Any) -> None:
    survey(page, "start")
    choose(page, "Torrow")
    shoot(page, "document")
    card = ask(page, QUESTION)
    assert card.locator(".answer-text").inner_text().strip()
    assert card.locator(".kind").is_visible()
    assert card.locator(".card-head .sure").inner_text().endswith(" %")
    assert page.locator(".document-text a.followed").count() > 0
    assert card.locator(".path svg").is_visible()
    assert "percent confident" in page.locator("#announcer").inner_text()
    page.wait_for_timeout(200)
    shoot(page, "answer")
    assert fits(page)

    quote = card.locator("a.quote").first
    marked = quote.locator("blockquote").inner_text()
    quote.click()
    page.wait_for_selector(".document-text .here")
    shown = page.locator(".document-text .here").all_inner_texts()
    assert "".join(shown) == marked
    assert page.locator(".document-text .here").first.is_visible()
    shoot(page, "source")

    card.locator(".steps > summary").click()
    card.locator(".step > summary").first.click()
    assert card.locator(".candidates table").first.is_visible()
    survey(page, "steps")

    follow_up = ask(page, "And when was she born?")
    assert follow_up.locator(".answer-text").inner_text().strip()
    page.wait_for_timeout(200)
    shoot(page, "follow-up")
    assert page.locator(".turn").count() == 2
    assert page.evaluate("document.documentElement.scrollTop") == 0

    page.go_back()
    page.wait_for_selector(".document-text .here")


def test_what_is_missing(page: Any, address: str) -> None:
    title, question = unanswered(address)
    choose(page, title)
    card = ask(page, question)
    assert "gap" in (card.get_attribute("class") or "")
    assert card.get_by_text("What is missing", exact=True).is_visible()
    assert card.locator(".places a").count() > 0
    assert "No answer" in page.locator("#announcer").inner_text()
    survey(page, "gap")
    assert fits(page)


def unanswered(address: str) -> tuple[str, str]:
    """A question of the demo that cannot be answered, and for which no answer is given."""
    from lacuna import demo

    with get_dataset("iirc").open(demo.QUESTIONS) as reader:
        for one in reader.questions():
            assert one.gold is not None
            assert one.context is not None
            if one.gold.answers[0].kind != "none":
                continue
            asked = {"question": one.text, "title": one.context.title}
            got = httpx.post(f"{address}/api/v1/ask", json=asked, headers=KNOWN, timeout=60).json()
            if got["answer"]["kind"] == "none":
                return one.context.title, one.text
    raise AssertionError("an answer was given to every question that has none")


def test_upload_a_folder_and_ask_it(page: Any) -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, text in (("Heron", HERON), ("Ida Marsh", MARSH), ("Evil", EVIL)):
            archive.writestr(f"birds/{name}.md", text)
    page.get_by_role("button", name="Corpus: ").click()
    page.get_by_role("heading", name="Choose a corpus").wait_for()
    shoot(page, "corpora")
    sent = {"name": "birds.zip", "mimeType": "application/zip", "buffer": out.getvalue()}
    page.locator("#files").set_input_files(sent)
    page.get_by_role("heading", name="birds", exact=True).wait_for()
    survey(page, "uploaded")
    card = ask(page, "What does the heron eat?")
    assert card.locator(".answer-text").inner_text().strip()
    page.get_by_role("heading", name="Heron", exact=True).wait_for()  # the context was found
    shoot(page, "upload-answer")

    choose(page, "Evil")
    text = page.locator(".document-text").inner_text()
    assert "<img src=x onerror=alert(1)>" in text
    assert page.locator(".document-text img, .document-text script").count() == 0
    card = ask(page, "<b onclick=alert(3)>What</b> <script>alert(4)</script> stands here?")
    assert page.locator(".turn b, .turn script").count() == 0

    page.reload()  # the upload is in the address, and remembered
    page.get_by_role("heading", name="Evil", exact=True).wait_for()
    page.get_by_role("button", name="Corpus: ").click()
    page.get_by_role("button", name="birds 3 documents").wait_for()


def test_share_and_copy(page: Any, browser: Any, address: str) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=address)
    card = ask(page, "When was Gannery Light first lit?")
    text = card.locator(".answer-text").inner_text()
    card.get_by_role("button", name="Copy as JSON").click()
    page.locator("#announcer", has_text="copied").wait_for(state="attached")
    assert '"question": "When was' in page.evaluate("navigator.clipboard.readText()")
    card.get_by_role("button", name="Copy a link").click()
    page.get_by_text("Copied").first.wait_for()
    link = page.evaluate("navigator.clipboard.readText()")
    assert link.startswith(address)

    context = browser.new_context(viewport=WIDE)
    other = context.new_page()
    other.goto(link.replace("#", f"?token={TOKEN}#"))
    other.locator(".turn .answer-text").wait_for(timeout=TIMEOUT_MILLISECONDS)
    assert other.locator(".turn .answer-text").inner_text() == text
    forgotten = link.replace("answer=", "answer=no")
    other.goto("about:blank")
    other.goto(forgotten)  # is asked again
    other.locator(".turn .card:not([aria-busy]) .answer-text").wait_for(
        timeout=TIMEOUT_MILLISECONDS
    )
    context.close()


def test_dark_and_the_switch(browser: Any, address: str) -> None:
    context = browser.new_context(viewport=WIDE, color_scheme="dark")
    page = opened(context, address)
    paper = "getComputedStyle(document.body).backgroundColor"
    dark = page.evaluate(paper)
    ask(page, "When was Gannery Light first lit?")
    page.wait_for_timeout(200)
    shoot(page, "dark")
    page.get_by_role("button", name="Theme").click()
    assert page.evaluate(paper) != dark
    page.reload()
    assert page.evaluate(paper) != dark
    context.close()


def test_a_narrow_page(browser: Any, address: str) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True)
    page = opened_narrow(context, address)
    shoot(page, "narrow-start")
    assert fits(page)
    page.locator(".example").first.click()
    card = page.locator(".turn .card:not([aria-busy])")
    card.locator(".answer-text").wait_for()
    page.wait_for_timeout(200)
    shoot(page, "narrow-answer")
    assert fits(page)
    card.locator("a.quote").first.click()
    page.wait_for_selector(".document-text .here")
    assert page.locator(".document-text .here").first.is_visible()
    assert not card.is_visible()
    shoot(page, "narrow-source")
    assert fits(page)
    page.keyboard.press("Escape")
    assert card.is_visible()
    context.close()


def test_keys(page: Any) -> None:
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.id") == "skip"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "question"
    page.keyboard.press("Escape")
    assert page.evaluate("document.activeElement.id") != "question"
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.id") == "question"
    page.keyboard.type("/and/or")
    assert page.locator("#question").input_value() == "and/or", "it is no part of a question"
    page.locator("#question").fill("")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Corpus: ").press("Enter")
    page.get_by_role("heading", name="Choose a corpus").wait_for()
    page.keyboard.press("Escape")
    page.locator("#corpora").wait_for(state="hidden")
    search = page.get_by_role("combobox", name="Search titles")
    search.fill("light")
    page.get_by_role("option").first.wait_for()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    title = "(item) => item.firstChild.textContent.trim()"
    second = page.locator("[role=option][aria-selected=true]").evaluate(title)
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.get_by_role("heading", name=second, exact=True).wait_for()


def test_a_question_that_is_too_long_stays_in_the_box(page: Any) -> None:
    question = "why? " * 10_000
    page.locator("#question").fill(question)
    page.keyboard.press("Enter")
    page.get_by_text("longer than 2,000 characters").wait_for()
    assert page.locator("#question").input_value() == question
    shoot(page, "too-long")
    page.locator("#question").fill("When was Gannery Light first lit?")
    page.keyboard.press("Enter")
    page.locator(".turn .answer-text").wait_for()
    assert page.locator("#ask-problem").inner_text() == ""


def test_all_that_the_limit_allows_is_answered(page: Any) -> None:
    """With the real model, which reads less at once than may be typed."""
    before = "I have read about the islands for many weeks now, and still I do not know it. "
    question = f"{before * 23}{'Well. ' * 11}When was Gannery Light first lit?"
    assert len(question) == 1_893  # refused once, though within the limit
    page.locator("#question").fill(question)
    assert page.locator("#ask-length").inner_text() == "1,893 of 2,000 characters"
    page.keyboard.press("Enter")
    card = page.locator(".turn .card:not([aria-busy])")
    card.wait_for()
    assert "2 October 1856" in card.locator(".answer-text").inner_text()
    read = page.locator(".read-as").inner_text()
    assert read == "Read as: When was Gannery Light first lit?"
    survey(page, "long-question")
    assert fits(page)


def test_a_refusal_is_said_in_words(page: Any) -> None:
    page.route("**/api/v1/ask/stream", lambda route: route.fulfill(status=500, body="{}"))
    page.locator("#question").fill("When?")
    page.keyboard.press("Enter")
    problem = page.locator(".card.failed")
    problem.wait_for()
    assert "500" in problem.inner_text()
    shoot(page, "problem")
    page.errors.clear()  # the browser notes every refusal by itself


def test_the_page_about_the_interface(page: Any, address: str) -> None:
    page.goto(f"{address}/docs")
    page.get_by_text("/api/v1/ask/stream").wait_for()
    assert page.locator("#types article").count() > 10
    survey(page, "docs")


def test_the_page_about_the_server_shows_its_limits(page: Any, address: str) -> None:
    page.get_by_role("button", name="More …").click()
    page.get_by_role("link", name="What it is, and its limits").click()
    row = page.get_by_role("row", name="Characters of a question.")
    row.wait_for()
    assert row.locator("td").inner_text() == "2,000"
    upload = page.get_by_role("row", name="Bytes of an upload.", exact=False).first
    assert upload.locator("td").inner_text() == "16 MB"
    kept = page.get_by_role("row", name="How long an upload stays open.")
    assert kept.locator("td").inner_text() == "24 hours"
    told = httpx.get(f"{address}/api/v1/server", headers=KNOWN).json()["limits"]
    assert page.locator("#limits tr").count() == len(told)
    page.get_by_role("row", name="Corpora Selmory Islands (demo) (75 documents)").wait_for()
    survey(page, "status")
