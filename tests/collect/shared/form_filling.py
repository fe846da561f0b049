"""How people fill in the forms of IIRC's and HotpotQA's tasks, in a real browser."""

from __future__ import annotations

from typing import Any

from linked_notes import ENGINEERS, LIGHTS

from lacuna_collect.tasks.hotpotqa_writing import questions as hotpotqa_trial
from lacuna_collect.tasks.iirc import answer_trial
from lacuna_collect.tasks.iirc_questions import VERDICTS, judging_item
from lacuna_collect.tasks.task import Json

KINDS = {
    "span": "Words from a text",
    "number": "A number with its unit",
    "yes": "Yes",
    "none": "The texts do not say",
    "bad": "The question is bad",
}
BORN = "Where was the engineer born who designed {light}?"


def pass_judging(page: Any) -> None:
    """The test of IIRC's question task, all right."""
    gold = judging_item().gold
    assert gold is not None
    for number, judgement in enumerate(gold["judgements"], 1):
        card = page.get_by_role("group", name=f"Question {number}", exact=True)
        card.get_by_label(VERDICTS[judgement["verdict"]]).check()
        for title in judgement["links"]:
            card.get_by_label(title).check()


def pass_answer_trial(page: Any) -> None:
    """The test of IIRC's answer task, all right."""
    item = answer_trial()
    assert item.gold is not None
    for number, answer in enumerate(item.gold["answers"]):
        card = _card(page, number)
        _choose(card, answer["kind"])
        if answer["kind"] == "number":
            card.get_by_label("Number, in digits").fill(answer["number"])
            card.get_by_label("Unit:").fill(answer["unit"])
        for name in ("spans", "context"):
            for span in answer.get(name, ()):
                _add(card, name, _words(item.payload, span))
        if answer["kind"] == "bad":
            card.get_by_label("It makes no sense").check()


def write_set(page: Any) -> str:
    """A set of two questions about a lighthouse, the second with two links; gives its name."""
    summary: str = page.locator("details.paragraph summary").inner_text()
    light = summary.removeprefix("1. ")
    engineer, island, ship, _ = LIGHTS[light]
    asked = (
        (f"Where was the engineer born who built the tower of {light}?", [engineer]),
        (f"Do more people live where {light} stands than its keeper saved?", [island, ship]),
    )
    for number, (text, links) in enumerate(asked, 1):
        card = page.get_by_role("group", name=f"Question {number}", exact=True)
        card.get_by_label("About paragraph").select_option(f"1. {light}")
        card.get_by_label("Question", exact=True).fill(text)
        shown = card.get_by_role("group", name=f"Paragraph of question {number}")
        for link in links:
            shown.locator(".link", has_text=link).first.click()
            card.get_by_role("button", name="Mark the whole sentence").click()
            card.get_by_role("checkbox", name=link).check()
    return light


def answer_set(page: Any) -> str:
    """Both questions of such a set; gives the lighthouse's name."""
    first = _card(page, 0)
    asked = first.locator("summary").inner_text()
    light = next(name for name in LIGHTS if name in asked)
    town = ENGINEERS[LIGHTS[light][0]][1]
    _choose(first, "span")
    _add(first, "spans", town)
    _add(first, "context", f"was born in {town}")
    second = _card(page, 1)
    _choose(second, "yes")
    _add(second, "context", "inhabitants")
    _add(second, "context", "a crew of")
    return light


def pass_hotpotqa_trial(page: Any, number: int) -> None:
    """One of the three items of HotpotQA's test."""
    item = hotpotqa_trial()[number]
    assert item.gold is not None
    _answer(page, item.gold["answer"])
    for place, at in item.gold["supporting"]:
        _support(page, item.payload["paragraphs"][place]["title"], at)


def write_about_pair(page: Any) -> str:
    """A question about the pair that is shown; gives what kind of pair it is."""
    one, other = page.locator("article.paragraph h2").all_inner_texts()
    if page.locator("article.paragraph mark").count():
        page.get_by_label("Your question").fill(BORN.format(light=one))
        _answer(page, ENGINEERS[other][1])
        _support(page, one, 1)
        _support(page, other, 1)
        return "bridge"
    page.get_by_label("Your question").fill(f"Are both {one} and {other} told of in two sentences?")
    _answer(page, "yes")
    for title in (one, other):
        _support(page, title, 0)
    return "comparison"


def _answer(page: Any, answer: str) -> None:
    if answer in ("yes", "no"):
        page.get_by_role("radio", name=answer.capitalize(), exact=True).check()
    else:
        page.get_by_label("The answer, as").fill(answer)


def _support(page: Any, title: str, at: int) -> None:
    page.get_by_label(f"Sentence {at + 1} of {title} supports").check()


def _card(page: Any, number: int) -> Any:
    card = page.locator("details.question").nth(number)
    if number:
        card.locator("summary").first.press("Enter")
    return card


def _choose(card: Any, kind: str) -> None:
    card.get_by_role("group", name="The answer is").get_by_label(KINDS[kind]).check()


def _add(card: Any, name: str, words: str) -> None:
    """By the search, which selects what it found."""
    card.get_by_label("Search all texts").fill(words)
    card.locator(".hit").last.click()
    button = {"spans": "Add as answer", "context": "Add as context"}[name]
    card.get_by_role("button", name=button).click()


def _words(payload: Json, span: Json) -> str:
    if span["source"] == "paragraph":
        text = payload["paragraphs"][0]["text"]
    else:
        text = payload["articles"][span["title"]]["text"]
    words: str = text[span["start"] : span["end"]]
    return words
