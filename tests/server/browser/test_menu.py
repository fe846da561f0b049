"""Earlier dialogs, files of a dialog, settings and keys, in a real browser over a few notes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from browsing import ask, needs_chromium, shoot, survey
from stand_in import Site

pytestmark = needs_chromium


@pytest.fixture
def site(tmp_path: Path) -> Site:
    return Site(tmp_path, feedback=tmp_path / "feedback.jsonl")


def open_menu(page: Any) -> Any:
    page.get_by_role("button", name="More …").click()
    page.get_by_role("heading", name="Dialogs and settings").wait_for()
    return page.locator("#menu")


def follow_up(page: Any, question: str) -> None:
    page.locator("#question").fill(question)
    page.keyboard.press("Enter")
    page.locator(".turn").nth(1).locator(".card:not([aria-busy])").wait_for()


def saved(page: Any, button: str) -> str:
    with page.expect_download() as download:
        page.get_by_role("button", name=button).click()
    return Path(download.value.path()).read_text(encoding="utf-8")


def test_an_earlier_dialog_is_opened_though_the_server_forgot_it(notes: Any) -> None:
    ask(notes, "What is it?")
    follow_up(notes, "Who is it?")
    notes.get_by_role("button", name="New dialog").click()
    notes.locator(".welcome").wait_for()
    gone = json.dumps({"code": "answer-gone", "message": "The answer is gone."})
    notes.route("**/api/v1/answers/*", lambda route: route.fulfill(status=404, body=gone))
    menu = open_menu(notes)
    entry = menu.get_by_role("button", name="What is it? notes, 2 questions")
    entry.click()
    notes.locator(".turn").nth(1).wait_for()
    assert notes.locator(".turn-question").all_inner_texts() == ["What is it?", "Who is it?"]
    assert not menu.is_visible()
    menu = open_menu(notes)
    menu.get_by_role("button", name="Clear all").click()
    menu.get_by_text("None yet.").wait_for()
    assert notes.evaluate("localStorage.getItem('dialogs')") is None
    notes.errors.clear()  # the browser notes every refusal by itself


def test_earlier_dialogs_are_renamed_and_deleted(notes: Any) -> None:
    ask(notes, "What is it?")
    notes.get_by_role("button", name="New dialog").click()
    ask(notes, "Who is it?")
    menu = open_menu(notes)
    menu.get_by_role("button", name="Rename Who is it?").press("Enter")
    name = menu.get_by_label("Its name")
    assert name.input_value() == "Who is it?"
    name.fill("The ferry <b>")
    survey(notes, "rename-dialog")
    name.press("Enter")
    menu.get_by_role("button", name="The ferry <b> notes, 1 question").wait_for()
    menu.get_by_role("button", name="Delete What is it?").press("Enter")
    assert menu.locator(".corpus-list li").count() == 1
    survey(notes, "earlier-dialogs")
    notes.keyboard.press("Escape")
    follow_up(notes, "Where is it?")
    menu = open_menu(notes)
    menu.get_by_role("button", name="The ferry <b> notes, 2 questions").wait_for()
    menu.get_by_role("button", name="Delete The ferry <b>").press("Enter")
    menu.get_by_text("None yet.").wait_for()


def test_an_earlier_dialog_can_be_read_though_its_upload_is_gone(notes: Any) -> None:
    ask(notes, "What is it?")
    notes.get_by_role("button", name="New dialog").click()
    notes.evaluate(
        """() => {
          const kept = JSON.parse(localStorage.getItem("dialogs"));
          const answers = kept[0].answers.map((answered) => ({ ...answered, corpus: "gone" }));
          const gone = [{ ...kept[0], corpus: "gone", name: "birds", answers }];
          localStorage.setItem("dialogs", JSON.stringify(gone));
        }"""
    )
    open_menu(notes).get_by_role("button", name="What is it? birds").click()
    notes.get_by_text("This corpus is not open here").wait_for()
    assert notes.locator(".turn-question").all_inner_texts() == ["What is it?"]
    survey(notes, "dialog-of-a-gone-upload")
    told = notes.locator(".document-pane .problem")
    assert told.evaluate("(said) => getComputedStyle(said).color") != notes.locator(
        "body"
    ).evaluate("() => getComputedStyle(document.querySelector('#ask-hint')).color"), (
        "what went wrong is not said in the grey of hints"
    )
    notes.get_by_role("button", name="Open or upload documents").press("Enter")
    notes.get_by_role("heading", name="Choose a corpus").wait_for()
    notes.keyboard.press("Escape")
    assert "as a follow-up" not in notes.locator("#asked-of").inner_text()
    with notes.expect_request("**/api/v1/ask/stream") as sent:
        notes.locator("#question").fill("Who is it?")
        notes.locator("#question").press("Enter")
    assert sent.value.post_data_json["after"] is None, "another corpus begins another dialog"
    notes.locator(".turn .card:not([aria-busy])").wait_for()
    assert notes.locator(".turn-question").all_inner_texts() == ["Who is it?"]
    notes.errors.clear()  # the browser notes every refusal by itself


def test_a_dialog_as_markdown_json_and_on_paper(notes: Any) -> None:
    ask(notes, "What is it?")
    follow_up(notes, "Nothing asked")
    open_menu(notes)
    markdown = saved(notes, "Save as Markdown")
    assert markdown.index("**What is it?**") < markdown.index("---") < markdown.index("**Nothing")
    answers = json.loads(saved(notes, "Save as JSON"))["answers"]
    assert [one["question"] for one in answers] == ["What is it?", "Nothing asked"]
    notes.keyboard.press("Escape")
    notes.emulate_media(media="print", color_scheme="dark")
    notes.locator("html").evaluate("(root) => root.setAttribute('data-theme', 'dark')")
    scheme = notes.locator("body").evaluate("(body) => getComputedStyle(body).colorScheme")
    assert scheme == "light", "light words on white paper cannot be read"
    assert not notes.locator("#ask").is_visible()
    turns = notes.locator("#turns")
    assert turns.evaluate("(box) => box.scrollHeight <= box.clientHeight + 1"), "it is cut off"
    assert notes.locator("body").evaluate("(body) => body.scrollHeight > innerHeight / 2")
    shoot(notes, "printed", whole=True)


def test_settings_are_sent_and_kept(notes: Any) -> None:
    menu = open_menu(notes)
    menu.get_by_label("How sure an answer is to be").select_option(label="90 %")
    menu.get_by_label("Other answers to show").select_option(label="2")
    notes.reload()
    notes.wait_for_selector(".start h2")
    with notes.expect_request("**/api/v1/ask/stream") as sent:
        card = ask(notes, "What is it?")
    asked = sent.value.post_data_json
    assert (asked["min_confidence"], asked["alternatives"]) == (0.9, 2)
    assert card.locator(".degree summary").inner_text().startswith("Probably")


def test_a_question_mark_shows_the_keys(notes: Any) -> None:
    notes.keyboard.press("?")
    notes.locator("#menu").get_by_text("begins a new line").wait_for()
    assert notes.evaluate("document.activeElement.textContent") == "Keys"
    notes.keyboard.press("Escape")
    notes.locator("#menu").wait_for(state="hidden")
    notes.locator("#question").fill("what")
    notes.locator("#question").press("?")
    assert not notes.locator("#menu").is_visible()


def test_the_card_and_the_menu_in_every_window(notes: Any) -> None:
    card = ask(notes, "What is it?")
    card.get_by_role("button", name="Wrong").click()
    card.get_by_label("What would be right?").wait_for()
    survey(notes, "card")
    open_menu(notes)
    survey(notes, "menu")


def test_what_is_announced_is_heard_in_an_open_window(notes: Any) -> None:
    """What is outside of a modal window is inert: no live region there speaks."""
    notes.context.grant_permissions(["clipboard-read", "clipboard-write"])
    ask(notes, "What is it?")
    menu = open_menu(notes)
    said = menu.get_by_role("status")
    assert said.count() == 1, "it is there before anything is said"
    menu.get_by_role("button", name="Copy a link to it").click()
    menu.get_by_text("The link was copied.").wait_for(state="attached")
    assert "copied" not in notes.locator("#announcer").inner_text()
    shoot(notes, "menu-copied")
    notes.keyboard.press("Escape")
    notes.locator(".card").get_by_role("button", name="Copy a link").click()
    notes.locator("#announcer", has_text="The link was copied.").wait_for(state="attached")
