"""The forms of KGD's rounds and of the human check, and what they hand in."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("sqlalchemy", reason="the extra `collect` is not installed")

from browsing import browser, needs_chromium, shoot
from form_page import form, mark, show, work

from lacuna_collect.tasks.human import LIGHT, ROKE, HumanCheck, trial_item
from lacuna_collect.tasks.kgd import KGDFacts, KGDGaps, fact_trial, gap_trial
from lacuna_collect.tasks.task import CollectTask, Json

__all__ = ["browser", "form"]
pytestmark = needs_chromium
FACTS, GAPS, HUMAN = KGDFacts(), KGDGaps(), HumanCheck()


def shown(task: CollectTask, payload: Json) -> Json:
    return task.shown(payload, task.settings)


def is_whole(task: CollectTask, payload: Json, page: Any) -> bool:
    return not task.check(payload, work(page), task.settings)


def test_a_fact_that_does_not_help_is_not_asked_about_again(form: Any) -> None:
    payload = {**fact_trial()[0].payload, "facts": ["iron rusts", "<b>wool</b> is warm"]}
    show(form, "kgd-facts", shown(FACTS, payload))
    first, second = form.locator(".judged-fact").all()
    first.get_by_label("Yes, it helps").check()
    first.get_by_label("Yes, to one").check()
    second.get_by_label("No", exact=True).check()
    assert second.get_by_text("one of the answers alone").is_hidden()
    assert second.get_by_text("<b>wool</b>").count() == 1, "texts are texts"
    assert is_whole(FACTS, payload, form)
    first.get_by_label("No", exact=True).check()
    nothing = {"relevant": False, "unique": None}
    assert work(form) == {"judgements": [nothing, nothing]}


def test_the_key_term_fills_all_statements(form: Any) -> None:
    fact = "𝔐 fish live in water"
    payload = {**gap_trial()[2].payload, "fact": fact}
    show(form, "kgd-gaps", shown(GAPS, payload))
    assert form.get_by_label("water is found in a lake").is_hidden()
    box = form.get_by_role("group", name="The fact")
    box.focus()
    for key in ("End", "Enter"):
        form.keyboard.press(key)
    assert form.locator(".statement label").count() == 17
    form.get_by_label("water is found in a lake", exact=True).check()
    form.get_by_text("Then none of these may be true: “water is found in a desert”").wait_for()
    start = fact.index("water")
    assert work(form)["span"] == [start, start + 5], "code points, as the server counts"
    assert is_whole(GAPS, payload, form)
    form.get_by_text("No words that stand together will do").press("Enter")
    form.get_by_label("The key term, in other words").fill("in the wet")
    form.get_by_label("a lake is found in the wet", exact=True).check()  # a place says how itself
    assert work(form)["span"] is None
    mark(form, GAPS.check(payload, {"relations": ["isa", "isa"]}, GAPS.settings))
    form.get_by_text("Tick each statement once.").wait_for()


def test_a_draft_is_shown_again(form: Any) -> None:
    item = gap_trial()[0]
    show(form, "kgd-gaps", shown(GAPS, item.payload), item.gold)
    assert form.get_by_label("steel nail is made of iron", exact=True).is_checked()
    assert form.locator(".markable mark").inner_text() == "iron"


def test_several_texts_are_searched_and_taken_from(form: Any) -> None:
    payload = trial_item("iirc", "full").payload
    payload = {**payload, "texts": {"0": LIGHT, "1": ROKE}}
    show(form, "human-check", shown(HUMAN, payload))
    assert form.get_by_label("The words").is_hidden()
    form.get_by_role("radio", name="Words from a text").check()
    form.get_by_label("Search all texts").fill("grellby")
    form.locator(".hit").click()
    form.get_by_role("button", name="Take what is selected").click()
    assert work(form)["texts"] == ["Grellby"]
    assert is_whole(HUMAN, payload, form)
    shoot(form, f"form-human-texts-{form.shots}")
    form.get_by_role("radio", name="A number").check()
    form.get_by_label("The number, in digits").fill("a dozen")
    mark(form, HUMAN.check(payload, work(form), HUMAN.settings))
    form.get_by_text("Write a number in digits").wait_for()
    form.get_by_label("The number, in digits").fill("12")
    assert is_whole(HUMAN, payload, form)


def test_a_choice_needs_no_other_kind(form: Any) -> None:
    payload = trial_item("openbookqa", "core-fact").payload
    show(form, "human-check", shown(HUMAN, payload))
    form.get_by_label("B: steel nail").check()
    assert is_whole(HUMAN, payload, form)
