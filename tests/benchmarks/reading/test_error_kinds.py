"""Every kind of wrong answer, on texts made for it."""

from __future__ import annotations

import doctest
from dataclasses import replace
from types import ModuleType

import pytest
from benchmarks.reading.error_kinds import Kind, kind_of

from benchmarks.reading import error_numbers, error_places
from lacuna.types import (
    Answer,
    AnswerKind,
    Choice,
    Document,
    Evidence,
    Gold,
    Question,
    Span,
    SupportingFact,
    Turn,
)

FERRY = Document(
    "Ferry",
    "The ferry Ellen was built in Osk in 1931. She carries 40 cars and 150 people. "
    "Her captain is Mara Lind of Brannet.",
)
OSK = Document("Osk", "Osk is a port. Its mayor is Tor Hale, and it has 900 houses.")
NOVEL = Document("Novel", "A novel of 1950 is set in Harrow.")


def judged(text: str, gold: Answer, said: Answer | None, **more: object) -> Kind:
    asked = Question("1", text, FERRY, (OSK, NOVEL), gold=Gold((gold,)), **more)  # type: ignore[arg-type]
    return kind_of(asked, replace(asked, gold=None), said, gold.kind)


@pytest.mark.parametrize(
    ("gold", "kind"),
    [
        (Answer.yes(), Kind.NONE_YES_NO),
        (Answer.number(110), Kind.NONE_NUMBER),  # 150 − 40
        (Answer.number(7777), Kind.NONE_ABSENT),
        (Answer.span("Mara Lind"), Kind.NONE_TEXT),
        (Answer.span("Nobody at all"), Kind.NONE_ABSENT),
    ],
)
def test_none_is_told_apart_by_what_was_to_be_said(gold: Answer, kind: Kind) -> None:
    assert judged("What about it?", gold, Answer.none()) is kind


@pytest.mark.parametrize("text", ["Which of the two is older?", "Which ship sailed first?"])
def test_none_where_one_of_two_is_asked_for(text: str) -> None:
    assert judged(text, Answer.span("Ellen"), Answer.none()) is Kind.NONE_COMPARED


@pytest.mark.parametrize(
    ("gold", "said", "kind"),
    [
        (Answer.span("Osk"), None, Kind.MISSING),
        (Answer.none(), Answer.span("Osk"), Kind.ANSWERED),
        (Answer.yes(), Answer.no(), Kind.YES_NO),
        (Answer.yes(), Answer.span("Osk"), Kind.OTHER_TYPE),
        (Answer.span("Osk"), Answer.no(), Kind.OTHER_TYPE),
        (Answer.span("Mara Lind"), Answer.span("40"), Kind.OTHER_TYPE),
        (Answer.number(40), Answer.span("Brannet"), Kind.OTHER_TYPE),
        (Answer.number(40), Answer.spans(("40", "150")), Kind.OTHER_TYPE),
    ],
)
def test_types_of_answers(gold: Answer, said: Answer | None, kind: Kind) -> None:
    assert judged("What about it?", gold, said) is kind


@pytest.mark.parametrize(
    ("asked", "gold", "said", "kind"),
    [
        ("How many decks has it?", 3, "2", Kind.COUNT),
        ("How many cars longer than 10 feet go in?", 3, "2", Kind.COUNT),
        ("How many people does it carry?", 150, "40", Kind.OTHER_NUMBER),
        ("How many people does it carry?", 150, "2", Kind.COUNTED),
        ("How many more people than cars does it carry?", 110, "2", Kind.CALCULATION),
        ("How many people does it carry?", 150, "190", Kind.CALCULATION),
        ("How many people does it carry?", 77.5, "190", Kind.NOT_CALCULABLE),
    ],
)
def test_numbers(asked: str, gold: float, said: str, kind: Kind) -> None:
    assert judged(asked, Answer.number(gold), Answer.span(said)) is kind


@pytest.mark.parametrize(
    ("gold", "said", "kind"),
    [
        ("Mara Lind", "captain is Mara Lind of Brannet", Kind.PART),
        ("built in Osk", "in Osk in 1931", Kind.PART),
        ("40 cars", "cars and 150 people", Kind.SENTENCE),  # figures that differ: no part of it
        ("Mara Lind", "Brannet", Kind.SENTENCE),
        ("Mara Lind", "cars", Kind.DOCUMENT),
        ("Mara Lind", "Tor Hale", Kind.ELSEWHERE),
        ("Mara Lind", "Someone", Kind.NOT_QUOTED),
        ("Nobody at all", "Tor Hale", Kind.ABSENT),
    ],
)
def test_texts_by_their_place(gold: str, said: str, kind: Kind) -> None:
    assert judged("Who is it?", Answer.span(gold), Answer.span(said)) is kind


def test_what_the_question_names() -> None:
    right, wrong = Answer.span("Tor Hale"), Answer.span("Mara Lind")
    assert judged("Who is taller, Tor Hale or Mara Lind?", right, wrong) is Kind.OTHER_NAMED
    in_full = Answer.span("Mara Ann Lind")
    assert judged("Who is taller, Tor Hale or Mara Lind?", right, in_full) is Kind.OTHER_NAMED
    assert judged("Who met Mara Lind?", right, wrong) is Kind.ECHO


def test_one_of_several_texts() -> None:
    gold = Answer.spans(("Osk", "Brannet"))
    assert judged("Which places?", gold, Answer.span("Osk")) is Kind.SEVERAL
    assert judged("Which places?", gold, Answer.spans(("Harrow", "cars"))) is Kind.DOCUMENT
    too_many = Answer.spans(("Osk", "Harrow"))
    assert judged("Which place?", Answer.span("Osk"), too_many) is Kind.SEVERAL


def test_a_supporting_fact_counts_as_the_right_sentence() -> None:
    mayor = Span(15, len(OSK.text))
    document = replace(OSK, sentences=(Span(0, 14), mayor))
    gold = Gold((Answer.span("Ellen"),), supporting_facts=(SupportingFact("Osk", 1),))
    asked = Question("1", "Which ship?", documents=(FERRY, document), gold=gold)
    said = Answer.span("Tor Hale")
    assert kind_of(asked, asked, said, AnswerKind.SPAN) is Kind.SENTENCE


def test_a_dialog_knows_before_and_after_and_what_was_said() -> None:
    at = FERRY.text.index("150 people")
    gold = Answer.span("150 people", Evidence("Ferry", at, at + 10))
    turn = Turn("Where was it built?", Answer.span("built in Osk"))
    asked = Question("1", "And who?", FERRY, history=(turn,), gold=Gold((gold,), given=gold))

    def kind(text: str) -> Kind:
        return kind_of(asked, asked, Answer.span(text), AnswerKind.SPAN)

    assert kind("carries 40 cars and 150") is Kind.PART
    assert kind("The ferry Ellen") is Kind.BEFORE
    assert kind("Her captain is Mara Lind") is Kind.AFTER
    assert kind("was built in Osk") is Kind.REPEATED


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("A", Kind.NEARER_CHOICE),
        ("B", Kind.EQUAL_CHOICE),
        ("C", Kind.FARTHER_CHOICE),
    ],
)
def test_choices_by_their_words_of_the_fact(said: str, kind: Kind) -> None:
    choices = ("hot metals", "a metal", "wood", "metal")
    asked = Question(
        "1",
        "What lets heat through?",
        choices=tuple(Choice(label, text) for label, text in zip("ABCD", choices, strict=True)),
        fact="A hot metal glows.",
        gold=Gold((Answer.choice("D", "metal"),)),
    )
    assert kind_of(asked, asked, Answer.choice(said), AnswerKind.CHOICE) is kind
    without = replace(asked, fact=None)
    assert kind_of(asked, without, Answer.choice(said), AnswerKind.CHOICE) is Kind.STRANGE_CHOICE


@pytest.mark.parametrize("module", [error_numbers, error_places])
def test_the_examples_in_the_docstrings(module: ModuleType) -> None:
    result = doctest.testmod(module)
    assert result.attempted
    assert not result.failed
