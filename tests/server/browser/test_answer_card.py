"""The card of an answer in a real browser: sources, what its confidence means, copies, feedback."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from browsing import WIDE, ask, fits, needs_chromium, opened, survey
from stand_in import Site, listening

pytestmark = needs_chromium


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    return tmp_path / "feedback.jsonl"


@pytest.fixture
def site(tmp_path: Path, kept: Path) -> Site:
    return Site(tmp_path, feedback=kept)


def test_a_citation_opens_its_place(notes: Any) -> None:
    card = ask(notes, "What is it?")
    cite = card.get_by_role("link", name="Source 1: Ada Quill")
    assert cite.inner_text() == "1"
    survey(notes, "citations")
    cite.press("Enter")
    notes.wait_for_selector(".document-text .here")
    shown = "".join(notes.locator(".document-text .here").all_inner_texts())
    assert shown == "Ada Quill was born in Port Ellery in 1897."
    assert fits(notes)


def test_each_text_of_a_list_has_its_own_source(notes: Any) -> None:
    made = notes.evaluate(
        """async () => {
          const { answerText } = await import("/static/js/answer-text.js");
          const { answerMarkdown } = await import("/static/js/markdown.js");
          const quote = (document, start) => ({
            document, section: [], text: "*a* b", start, end: start + 5,
            marks: [[start, start + 1]],
          });
          const place = (document, start) => ({ document, start, end: start + 1 });
          const texts = ["b", "a"];
          const found_at = [place("B", 12), place("A", 0)];
          const answered = {
            question: "Which?", degree: "answer", confidence: 0.8, gaps: [], corpus: "c", id: "i",
            answer: { kind: "spans", text: "b, a", texts, found_at, expression: "" },
            quotes: [quote("A", 0), quote("B", 10)],
          };
          const shown = answerText(answered)[0].querySelectorAll("li");
          return [[...shown].map((item) => item.textContent), answerMarkdown(answered)];
        }"""
    )
    assert made[0] == ["b2", "a1"]
    assert "- b [2]\n- a [1]\n" in made[1]
    assert made[1].endswith("1. “\\*a\\* b” (A)\n2. “\\*a\\* b” (B)\n")


def test_the_confidence_is_explained_and_no_raw_scores_are_shown(notes: Any) -> None:
    card = ask(notes, "What is it?")
    card.get_by_text("What this means").click()
    assert card.get_by_text("about 50 are right", exact=False).is_visible()
    card.locator(".steps > summary").click()
    card.locator(".step > summary").first.click()
    heads = card.locator(".candidates th").all_inner_texts()
    assert heads == ["Considered, the best first"]
    survey(notes, "explained")
    gap = ask(notes, "Nothing asked")
    gap.get_by_text("What this means").click()
    assert gap.get_by_text("90 % likely that the documents do not", exact=False).is_visible()


def test_copy_with_sources(notes: Any) -> None:
    notes.context.grant_permissions(["clipboard-read", "clipboard-write"])
    card = ask(notes, "What is it?")
    card.get_by_role("button", name="Copy with sources").click()
    card.get_by_role("button", name="Copied").wait_for()
    assert notes.evaluate("navigator.clipboard.readText()") == (
        "**What is it?**\n\n"
        "Ada Quill was born in Port Ellery in 1897. [1] (fairly confident, 50 %)\n\n"
        "1. “Ada Quill was born in Port Ellery in 1897.” (Ada Quill, Ada Quill.md:3)\n"
    )
    gap = ask(notes, "Nothing asked")
    gap.get_by_role("button", name="Copy with sources").click()
    gap.get_by_role("button", name="Copied").wait_for()
    assert "No answer was found." in notes.evaluate("navigator.clipboard.readText()")


def test_feedback_with_a_correction_by_keyboard(notes: Any, kept: Path) -> None:
    card = ask(notes, "What is it?")
    card.get_by_role("button", name="Right").press("Enter")
    card.get_by_text("it is kept").wait_for()
    assert card.locator(".thumb[aria-pressed=true]").inner_text() == "✓ Right"
    card.get_by_role("button", name="Wrong").press("Enter")
    field = card.get_by_label("What would be right?")
    field.wait_for()
    notes.keyboard.type("a ferry")
    survey(notes, "correction")
    notes.keyboard.press("Enter")
    card.get_by_text("the correction is kept").wait_for()
    assert not field.is_visible()
    last = json.loads(kept.read_text(encoding="utf-8").splitlines()[-1])
    assert (last["verdict"], last["gold"]) == ("wrong", "a ferry")
    assert fits(notes)


def test_feedback_that_is_refused_says_so(notes: Any) -> None:
    card = ask(notes, "What is it?")
    refusal = json.dumps({"code": "full", "message": "There is no room."})
    notes.route("**/api/v1/feedback", lambda route: route.fulfill(status=507, body=refusal))
    card.get_by_role("button", name="Right").click()
    card.locator(".feedback .problem", has_text="There is no room.").wait_for()
    assert card.locator(".thumb[aria-pressed=true]").count() == 0
    notes.errors.clear()  # the browser notes every refusal by itself


def test_without_a_file_for_it_no_feedback_is_asked_for(browser: Any, tmp_path: Path) -> None:
    context = browser.new_context(viewport=WIDE)
    with listening(Site(tmp_path).app) as address:
        page = opened(context, address)
        assert ask(page, "What is it?").locator(".thumb").count() == 0
        context.close()
