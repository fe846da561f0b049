"""IIRC's forms in a real browser, on a page with nothing else, and what they hand in."""

from __future__ import annotations

import json
from typing import Any

from browsing import browser, needs_chromium, shoot
from form_page import form, mark, show, work
from iirc_work import ANSWERS, ONE, QUESTIONS, SMALL, WRITING

from lacuna_collect.tasks.iirc import answer_trial
from lacuna_collect.tasks.task import Json, TaskSettings

__all__ = ["browser", "form"]
pytestmark = needs_chromium


def astral(payload: Json) -> Json:
    """The same with a character before everything that JavaScript counts as two."""
    moved: Json = json.loads(json.dumps(payload))
    for paragraph in moved["paragraphs"]:
        paragraph["text"] = "𝔐" + paragraph["text"]
        paragraph["sentences"] = [[a + 1, b + 1] for a, b in paragraph["sentences"]]
        for link in paragraph["links"]:
            link["start"], link["end"] = link["start"] + 1, link["end"] + 1
    return moved


def test_a_question_is_written_by_keys_alone(form: Any) -> None:
    payload = astral(WRITING)
    show(form, "iirc-questions", QUESTIONS.shown(payload, ONE), loop=True)
    form.get_by_label("About paragraph").select_option("Marl Point Light#0")
    form.get_by_label("Question", exact=True).fill("How old was its designer then?")
    form.get_by_role("button", name="Can the model answer it here?").press("Enter")
    form.get_by_text("asked questions.0: How old was its designer then?").wait_for()
    text = form.get_by_role("group", name="Paragraph of question 1")
    text.focus()
    for key in ("ArrowDown", "ArrowDown", "Shift+ArrowRight", "Shift+ArrowRight", "Enter"):
        form.keyboard.press(key)
    assert text.locator("mark").inner_text() == "It was designed"
    form.get_by_label("Ada Fenn").press("Space")
    given = work(form)
    assert QUESTIONS.check(payload, given, ONE) == []
    (question,) = given["questions"]
    ((start, end),) = question["context"]
    assert payload["paragraphs"][0]["text"][start:end] == "It was designed"
    shoot(form, f"iirc-question-{form.shots}")


def test_a_selection_of_the_pointer_is_marked_and_taken_back(form: Any) -> None:
    payload = astral(WRITING)
    draft = {"questions": [{"paragraph": "Marl Point Light#0", "text": "Who?", "links": []}]}
    show(form, "iirc-questions", QUESTIONS.shown(payload, ONE), draft)
    text = form.get_by_role("group", name="Paragraph of question 1")
    text.locator(".link", has_text="Orne").click()
    form.get_by_role("button", name="Mark the whole sentence").click()
    assert work(form)["questions"][0]["context"] == [payload["paragraphs"][0]["sentences"][0]]
    text.locator(".link", has_text="Tarrick").dblclick()
    form.get_by_role("button", name="Mark what is selected").click()
    assert text.locator("mark", has_text="Tarrick").count() == 1
    form.get_by_role("button", name="Remove Tarrick").click()
    assert len(work(form)["questions"][0]["context"]) == 1
    mark(form, QUESTIONS.check(payload, work(form), ONE))
    assert form.get_by_text("Write a whole question").is_visible()
    assert form.get_by_text("Choose at least one link").is_visible()
    assert form.get_by_label("Question", exact=True).get_attribute("aria-invalid") == "true"
    shoot(form, f"iirc-question-problems-{form.shots}")
    mark(form, [])
    assert not form.get_by_text("Choose at least one link").is_visible()


def test_the_test_of_the_question_task(form: Any) -> None:
    (item,) = QUESTIONS.qualification(SMALL)
    assert item.gold is not None
    show(form, "iirc-questions", QUESTIONS.shown(item.payload, SMALL))
    verdicts = {
        one["name"]: one["label"] for one in QUESTIONS.shown(item.payload, SMALL)["verdicts"]
    }
    for number, judgement in enumerate(item.gold["judgements"], 1):
        card = form.get_by_role("group", name=f"Question {number}", exact=True)
        card.get_by_label(verdicts[judgement["verdict"]]).check()
        for title in judgement["links"]:
            card.get_by_label(title).check()
    assert QUESTIONS.check(item.payload, work(form), SMALL) == []
    assert QUESTIONS.score(item.payload, work(form), item.gold) == 1
    shoot(form, f"iirc-judging-{form.shots}")


def test_a_set_is_answered(form: Any) -> None:
    item = answer_trial()
    assert item.gold is not None
    settings = TaskSettings(pay_cents=300)
    show(form, "iirc-answers", ANSWERS.shown(item.payload, settings))
    kinds = {
        "span": "Words from a text",
        "number": "A number with its unit",
        "yes": "Yes",
        "none": "The texts do not say",
        "bad": "The question is bad",
    }
    for number, answer in enumerate(item.gold["answers"]):
        card = form.locator("details.question").nth(number)
        if number:
            card.locator("summary").first.press("Enter")
        card.get_by_role("group", name="The answer is").get_by_label(kinds[answer["kind"]]).check()
        if answer["kind"] == "number":
            card.get_by_label("Number, in digits").fill(answer["number"])
            card.get_by_label("Unit:").fill(answer["unit"])
        for name, button in (("spans", "Add as answer"), ("context", "Add as context")):
            for span in answer.get(name, ()):
                find(card, quoted(item.payload, span))
                card.get_by_role("button", name=button).click()
        if answer["kind"] == "bad":
            card.get_by_label("It makes no sense").check()
        shoot(form, f"iirc-answer-{number}-{form.shots}")
    given = work(form)
    assert ANSWERS.check(item.payload, given, settings) == []
    assert ANSWERS.score(item.payload, given, item.gold) == 1
    assert given["answers"][0]["context"] == item.gold["answers"][0]["context"]

    shown = ANSWERS.shown(item.payload, settings)
    show(form, "iirc-answers", shown, given)
    mark(form, ANSWERS.check(item.payload, {"answers": [{"kind": "yes"}] * 6}, settings))
    assert form.get_by_text("Mark what one must read to answer this").count() == 6
    shoot(form, f"iirc-answer-problems-{form.shots}")


def quoted(payload: Json, span: Json) -> str:
    if span["source"] == "paragraph":
        text = payload["paragraphs"][0]["text"]
    else:
        text = payload["articles"][span["title"]]["text"]
    words: str = text[span["start"] : span["end"]]
    return words


def find(card: Any, words: str) -> None:
    """By the search, which selects what it found."""
    card.get_by_label("Search all texts").fill(words)
    card.locator(".hit").last.click()
