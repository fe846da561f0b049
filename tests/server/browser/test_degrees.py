"""Degrees, alternatives, and what a follow-up was read as, in a real browser over a few notes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from browsing import ask, fits, needs_chromium, shoot, survey
from stand_in import Site

pytestmark = needs_chromium

READ_AS = "Who built the ferry Marrow?"


@pytest.fixture
def site(tmp_path: Path) -> Site:
    """Answers that are less sure than was asked for, with two alternatives."""
    site = Site(tmp_path)
    others = (
        site.stand_in.other("Marrow", "a ferry", 0.314),
        site.stand_in.other("Ada Quill", "1897", 0.062),
    )
    site.stand_in.changes |= {"probable": True, "alternatives": others, "read_as": READ_AS}
    return site


def test_a_probable_answer_says_so_and_what_that_means(notes: Any) -> None:
    card = ask(notes, "Who built it?")
    degree = card.locator(".degree summary")
    assert degree.inner_text().startswith("Probably")
    assert card.locator(".card-head .sure").inner_text() == "Fairly confident, 50 %"
    said = notes.locator("#announcer").inner_text()
    assert said.startswith(f"Read as: {READ_AS} Probably: Ada Quill was born")
    meaning = card.get_by_text("the likeliest answer", exact=False)
    assert not meaning.is_visible()
    degree.press("Enter")
    assert meaning.is_visible()
    assert fits(notes)


def test_what_a_model_says_of_itself_is_not_called_measured(notes: Any, site: Site) -> None:
    card = ask(notes, "Who built it?")
    folded = card.locator(".meaning summary")
    folded.press("Enter")
    assert "this was measured" in card.locator(".meaning p").inner_text()
    site.stand_in.changes["measured"] = False
    card = ask(notes, "Who built it?")
    assert card.locator(".card-head .sure").inner_text() == "50 %, says the model"
    card.locator(".meaning summary").press("Enter")
    said = card.locator(".meaning p").inner_text()
    assert "says of itself" in said
    assert "not measured" in said
    assert "Of 100 answers" not in said
    assert "50 percent sure, says the model" in notes.locator("#announcer").inner_text()


def test_advice_stands_in_the_place_of_a_report(notes: Any, site: Site) -> None:
    site.stand_in.changes |= {"advice": "Ask for a fact.", "alternatives": (), "read_as": ""}
    card = ask(notes, "hello")
    assert card.locator(".advice").inner_text() == "Ask for a fact."
    assert "What is missing" not in card.inner_text()
    assert notes.locator("#announcer").inner_text() == "Ask for a fact."
    survey(notes, "advice")


def test_a_sure_answer_and_none_are_not_probable(notes: Any, site: Site) -> None:
    site.stand_in.changes["probable"] = False
    assert ask(notes, "Who built it?").locator(".degree").count() == 0
    assert notes.locator("#announcer").inner_text().startswith(f"Read as: {READ_AS} Answer: ")
    assert ask(notes, "Nothing asked").locator(".degree").count() == 0


def test_other_answers_lead_to_their_places(notes: Any) -> None:
    card = ask(notes, "Who built it?")
    folded = card.locator(".alternatives summary")
    assert folded.inner_text() == "Other answers that were considered: 2"
    assert not card.locator(".alternatives .quote").first.is_visible()
    folded.press("Enter")
    others = card.locator(".alternatives > ol > li")
    assert others.locator("b").all_inner_texts() == ["a ferry", "1897"]
    assert others.locator(".sure").all_text_contents() == ["31 % confident", "6 % confident"]
    assert others.first.locator("mark").inner_text() == "a ferry"
    assert others.last.locator(".source span").inner_text() == "Ada Quill.md:3"
    assert fits(notes)
    others.first.locator("a.quote").press("Enter")
    notes.get_by_role("heading", name="Marrow", exact=True).wait_for()
    here = notes.locator(".document-text .here")
    assert "".join(here.all_inner_texts()) == "The Marrow is a ferry."
    shoot(notes, "alternative-source")


def test_where_no_answer_was_sure_enough(notes: Any) -> None:
    card = ask(notes, "Nothing asked")
    card.get_by_text("Considered, and not sure enough: 2", exact=True).click()
    assert card.locator(".alternatives a.quote").count() == 2
    survey(notes, "gap-alternatives")
    assert fits(notes)


def test_without_alternatives_nothing_is_said_of_them(notes: Any, site: Site) -> None:
    site.stand_in.changes |= {"alternatives": (), "read_as": ""}
    card = ask(notes, "Who built it?")
    assert card.locator(".alternatives").count() == 0
    assert not notes.locator(".read-as").is_visible()


def test_what_it_was_read_as_stays_in_a_shared_link(notes: Any) -> None:
    ask(notes, "Who built it?")
    line = notes.locator(".turn .read-as")
    assert line.inner_text() == f"Read as: {READ_AS}"
    notes.reload()
    line.wait_for()
    assert line.inner_text() == f"Read as: {READ_AS}"
    assert notes.locator(".turn .turn-of").inner_text() == "read from Ada Quill"


def test_in_every_window(notes: Any) -> None:
    card = ask(notes, "Who built it?")
    card.locator(".degree summary").click()
    card.locator(".alternatives summary").click()
    survey(notes, "probable")
    card.locator(".alternatives").scroll_into_view_if_needed()
    survey(notes, "alternatives")
