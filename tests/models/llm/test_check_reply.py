from __future__ import annotations

from dataclasses import replace

import pytest

from lacuna.answers import AnswerMode
from lacuna.models.llm.check_reply import check_reply
from lacuna.models.llm.llm_prompt import ClaimedQuote, LLMReply, numbered_passages
from lacuna.types import (
    Answer,
    AnswerKind,
    Choice,
    Document,
    Evidence,
    Prediction,
    Question,
    Role,
    Span,
    SupportingFact,
)

BORN = ClaimedQuote(1, "Ada Quill was born in Ellery in 1897.")
BUILT = ClaimedQuote(2, "Quill built the Marrow in 1931.")
COST = ClaimedQuote(2, "It cost 3.5 million keels.")


def checked(question: Question, reply: LLMReply, mode: AnswerMode = AnswerMode.ASK) -> Prediction:
    return check_reply(reply, question, numbered_passages(question), mode)


def refusal(question: Question, reply: LLMReply, mode: AnswerMode = AnswerMode.ASK) -> str:
    prediction = checked(question, reply, mode)
    assert prediction.answer == Answer.none()
    assert not prediction.evidence
    assert prediction.confidence == 0
    (gap,) = prediction.gaps
    assert gap.looked_in == ("Ada Quill", "Marrow")
    return gap.missing


def test_a_span_is_what_the_document_has(question: Question) -> None:
    quote = ClaimedQuote(1, 'She was "the last" of three sisters.')
    reply = LLMReply(AnswerKind.SPAN, ('The  "last"',), (quote,), confidence=0.7)
    assert refusal(question, reply).endswith("stands in none of its quotes.")
    prediction = checked(question, replace(reply, answers=("“THE LAST”",)))
    assert question.context is not None
    text = question.context.text
    place = prediction.evidence[0]
    assert text[place.start : place.end] == "She was  “the last” of three sisters."
    assert prediction.answer is not None
    assert prediction.answer.text == "“the last”"
    (found_at,) = prediction.answer.found_at
    assert text[found_at.start : found_at.end] == "“the last”"
    assert found_at.role is Role.ANSWER
    assert prediction.confidence == 0.7
    assert not prediction.gaps


def test_several_spans(question: Question) -> None:
    reply = LLMReply(AnswerKind.SPANS, ("Ellery", "Marrow"), (BORN, BUILT))
    answer = checked(question, reply).answer
    assert answer is not None
    assert answer.texts == ("Ellery", "Marrow")
    assert [place.document for place in answer.found_at] == ["Ada Quill", "Marrow"]


def test_a_quote_must_stand_in_a_passage(question: Question) -> None:
    invented = ClaimedQuote(2, "Quill built the Marrow in 1932.")
    assert refusal(question, LLMReply(AnswerKind.SPAN, ("1932",), (BORN, invented))) == (
        "The model's answer “1932” was refused: its quote “Quill built the Marrow in 1932.” does "
        "not stand in passage 2 (Marrow), nor in any other."
    )
    assert "does not stand in passage 9, nor" in refusal(
        question, LLMReply(AnswerKind.NO, (), (ClaimedQuote(9, "She never built it."),))
    )
    assert "without a quote" in refusal(question, LLMReply(AnswerKind.SPAN, ("1931",)))


@pytest.mark.parametrize("number", [0, 1, 9])
def test_a_quote_under_a_wrong_number_is_put_right(question: Question, number: int) -> None:
    reply = LLMReply(AnswerKind.SPAN, ("1931",), (ClaimedQuote(number, BUILT.text),))
    assert checked(question, reply).evidence == (Evidence("Marrow", 0, 31),)


def test_the_quote_that_does_stand_is_the_nearest(question: Question) -> None:
    invented = ClaimedQuote(2, "in 1932")
    reply = LLMReply(AnswerKind.YES, (), (BORN, invented))
    assert checked(question, reply).gaps[0].nearest == Evidence("Ada Quill", 0, 37)


def test_a_number_keeps_its_calculation(question: Question) -> None:
    reply = LLMReply(AnswerKind.NUMBER, ("34 years",), (BORN, BUILT), "1931 - 1897 = 34")
    answer = checked(question, reply).answer
    assert answer is not None
    assert (answer.value, answer.text, answer.expression) == (34, "34 years", "1931 - 1897")
    assert answer.found_at == (
        Evidence("Marrow", 26, 30, Role.ANSWER),
        Evidence("Ada Quill", 32, 36, Role.ANSWER),
    )


@pytest.mark.parametrize(
    ("answer", "expression", "reason"),
    [
        ("33 years", "1931 - 1897", "does not agree with its calculation, 1931 - 1897 = 34"),
        ("41", "1931 - 1890", "1890, which it calculates with, stands in none of its quotes"),
        ("12", "", "no calculation is given for it"),
        ("12", "born, then built", "“born, then built” is no calculation that could be checked"),
        ("24", "12 * 2", "no number that it calculates with stands in one of its quotes"),
        ("many", "1931 - 1897", "there is no number in it"),
    ],
)
def test_a_number_that_does_not_hold(
    question: Question, answer: str, expression: str, reason: str
) -> None:
    reply = LLMReply(AnswerKind.NUMBER, (answer,), (BORN, BUILT), expression)
    assert reason in refusal(question, reply)


@pytest.mark.parametrize(
    ("answer", "expression", "value"),
    [
        ("1931", "", 1931),
        ("1897", "1897", 1897),
        ("2", "1 + 1", 2),
        ("408 months", "(1931 - 1897) * 12", 408),
        ("7 million keels", "3.5 * 2", 7e6),
        ("1.17 million keels", "3.5 / (1 + 2)", 1.17e6),
        ("3.5 million keels", "", 3.5e6),
    ],
)
def test_a_number_that_holds(
    question: Question, answer: str, expression: str, value: float
) -> None:
    reply = LLMReply(AnswerKind.NUMBER, (answer,), (BORN, BUILT, COST), expression)
    prediction = checked(question, reply)
    assert prediction.answer is not None, prediction.gaps
    assert prediction.answer.kind is AnswerKind.NUMBER, prediction.gaps
    assert prediction.answer.value == pytest.approx(value)


def test_none_says_what_is_missing(question: Question) -> None:
    reply = LLMReply(AnswerKind.NONE, missing="her age", confidence=0.6)
    prediction = checked(question, reply)
    assert prediction.answer == Answer.none()
    assert prediction.gaps[0].missing == "her age"
    assert prediction.confidence == 0.6


def test_the_question_may_hold_the_answer_where_the_mode_allows_it(question: Question) -> None:
    asked = replace(question, text="Which is older, the Kestrel or the Marrow?")
    reply = LLMReply(AnswerKind.SPAN, ("kestrel",), (BUILT,))
    answer = checked(asked, reply).answer
    assert answer is not None
    assert (answer.text, answer.found_at) == ("Kestrel", ())
    assert "none of its quotes" in refusal(asked, reply, AnswerMode.ABSTAIN)


@pytest.mark.parametrize("said", ["B", "b", "dynamite", "B: Dynamite", "B Dynamite"])
def test_choices(question: Question, said: str) -> None:
    choices = (Choice("A", "steam"), Choice("B", "Dynamite"))
    asked = Question("q", "What blows up?", choices=choices, fact="some substances explode")
    answer = checked(asked, LLMReply(AnswerKind.CHOICE, (said,))).answer
    assert answer == Answer.choice("B", "Dynamite")
    assert "none of the choices (A, B)" in refusal(
        replace(question, choices=choices), LLMReply(AnswerKind.CHOICE, ("C",), (BORN,))
    )
    assert "none at all" in refusal(question, LLMReply(AnswerKind.CHOICE, ("A",), (BORN,)))


def test_supporting_sentences_of_hops() -> None:
    text = "Ada was born in 1897. She sailed. She died."
    document = Document("Ada", text, sentences=(Span(0, 21), Span(22, 33), Span(34, 43)))
    question = Question("q", "When was she born?", documents=(document,))
    reply = LLMReply(AnswerKind.SPAN, ("1897",), (ClaimedQuote(1, "born in 1897. She sailed"),))
    assert checked(question, reply, AnswerMode.HOP).supporting_facts == (
        SupportingFact("Ada", 0),
        SupportingFact("Ada", 1),
    )


def test_offsets_hold_where_a_long_document_was_cut() -> None:
    filler = " ".join(f"Nothing of note happened in the {n}th week." for n in range(900))
    document = Document("Log", f"{filler} The Marrow sank off Cape Orlet. {filler}")
    question = Question("q", "Where did the Marrow sink?", documents=(document,))
    (passage,) = numbered_passages(question)
    assert len(passage.text) < len(document.text) / 2
    reply = LLMReply(
        AnswerKind.SPAN, ("Cape Orlet",), (ClaimedQuote(1, "The Marrow sank off Cape Orlet."),)
    )
    prediction = checked(question, reply)
    assert prediction.answer is not None
    (place,) = prediction.answer.found_at
    assert document.text[place.start : place.end] == "Cape Orlet"
