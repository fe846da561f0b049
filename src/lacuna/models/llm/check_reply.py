"""Check what a model claims against the passages that it was given, and make it a prediction."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

from lacuna.answer_mode import MAY_QUOTE_THE_QUESTION, AnswerMode
from lacuna.models.llm.expression import Operand, evaluate_expression
from lacuna.models.llm.llm_prompt import NumberedPassage
from lacuna.models.llm.llm_reply import ClaimedQuote, LLMReply
from lacuna.models.llm.verbatim import find_verbatim
from lacuna.quantities.arithmetic import written
from lacuna.quantities.find_quantities import Quantity, find_quantities
from lacuna.types import (
    Answer,
    AnswerKind,
    Evidence,
    Gap,
    Prediction,
    Question,
    Role,
    Span,
    SupportingFact,
)

COMMON_NUMBERS = frozenset({1, 2, 7, 10, 12, 24, 60, 100, 365, 1000})
"""What a calculation may use without a quote: one of a count, per cent, months, days, hours …"""
LONGEST_SHOWN = 160
_DIGITS = re.compile(r"-?[0-9]+(?:,[0-9]{3})*(?:\.[0-9]+)?")


class Refused(Exception):  # noqa: N818 - it becomes the gap of a prediction
    """What a model claims does not hold."""


@dataclass(frozen=True, slots=True)
class _Quote:
    """A quote that does stand in its passage, there."""

    passage: NumberedPassage
    span: Span

    @property
    def text(self) -> str:
        return self.passage.text[self.span.start : self.span.end]

    def evidence(self, part: Span | None = None, role: Role = Role.SUPPORT) -> Evidence:
        """The quote, or a part of it, as a place in the document."""
        start, end = part or Span(0, len(self.text))
        at = self.span.start
        return self.passage.excerpt.evidence(
            Evidence(self.passage.title, at + start, at + end, role)
        )


def check_reply(
    reply: LLMReply, question: Question, passages: Sequence[NumberedPassage], mode: AnswerMode
) -> Prediction:
    """The prediction that a reply amounts to; what does not hold becomes "none", with the reason.

    Every quote must stand in a passage, a span in a quote, and a number in a quote or in a
    calculation over numbers that do.
    """
    titles = tuple(dict.fromkeys(passage.title for passage in passages))
    if reply.kind is AnswerKind.NONE:
        missing = reply.missing or "The model found no answer in the passages."
        return none_because(missing, titles, confidence=reply.confidence)
    quotes: list[_Quote] = []
    try:
        for quote in reply.quotes:
            quotes.append(_found(quote, passages))  # noqa: PERF401 - those found stay if one is not
        if not quotes and (passages or reply.kind is not AnswerKind.CHOICE):
            raise Refused("it came without a quote")
        answer = _answer(reply, question, quotes, mode)
    except Refused as refused:
        said = _shown("; ".join(reply.answers) or str(reply.kind))
        reason = f"The model's answer {said} was refused: {refused}."
        nearest = quotes[0].evidence() if quotes else None
        return none_because(reason, titles, nearest=nearest)
    facts = _supporting_facts(quotes) if mode is AnswerMode.HOP else None
    evidence = tuple(dict.fromkeys(quote.evidence() for quote in quotes))
    return Prediction(answer, evidence, supporting_facts=facts, confidence=reply.confidence)


def none_because(
    reason: str,
    looked_in: tuple[str, ...],
    *,
    nearest: Evidence | None = None,
    confidence: float | None = 0.0,
) -> Prediction:
    """No answer, and why; how sure that is, is not known where the model did not say so itself."""
    gap = Gap(reason, looked_in, nearest=nearest)
    return Prediction(Answer.none(), gaps=(gap,), confidence=confidence)


def _found(quote: ClaimedQuote, passages: Sequence[NumberedPassage]) -> _Quote:
    """Where a quote stands: in the passage it names, or else in another one.

    Small models copy well and count badly; the words are what is checked.
    """
    named = passages[quote.passage - 1 : quote.passage] if quote.passage else ()
    for passage in (*named, *passages):
        if span := find_verbatim(passage.text, quote.text):
            return _Quote(passage, span)
    where = f"passage {quote.passage} ({named[0].title})" if named else f"passage {quote.passage}"
    others = ", nor in any other" if len(passages) > 1 else ""
    raise Refused(f"its quote {_shown(quote.text)} does not stand in {where}{others}")


def _answer(
    reply: LLMReply, question: Question, quotes: Sequence[_Quote], mode: AnswerMode
) -> Answer:
    match reply.kind:
        case AnswerKind.YES:
            return Answer.yes(*(quote.evidence(role=Role.ANSWER) for quote in quotes))
        case AnswerKind.NO:
            return Answer.no(*(quote.evidence(role=Role.ANSWER) for quote in quotes))
        case AnswerKind.CHOICE:
            return _choice(reply, question)
    if not reply.answers:
        raise Refused(f"it is a {reply.kind} without a text")
    if reply.kind is AnswerKind.NUMBER:
        return _number(reply, question, quotes)
    several = reply.kind is AnswerKind.SPANS
    spans = [
        _span(text, question, quotes, mode) for text in reply.answers[: None if several else 1]
    ]
    places = [place for _, place in spans if place is not None]
    if len(spans) == 1:
        return Answer.span(spans[0][0], *places)
    return Answer.spans(tuple(text for text, _ in spans), *places)


def _choice(reply: LLMReply, question: Question) -> Answer:
    said = " ".join(reply.answers).casefold()
    for choice in question.choices:
        label, text = choice.label.casefold(), choice.text.casefold()
        if said in (label, text, f"{label}: {text}", f"{label} {text}"):
            return Answer.choice(choice.label, choice.text)
    labels = ", ".join(choice.label for choice in question.choices) or "none at all"
    raise Refused(f"it is none of the choices ({labels})")


def _span(
    text: str, question: Question, quotes: Sequence[_Quote], mode: AnswerMode
) -> tuple[str, Evidence | None]:
    """The words as the document has them, and where; no place where the question has them."""
    for quote in quotes:
        if part := find_verbatim(quote.text, text, ignore_case=True):
            return quote.text[part.start : part.end], quote.evidence(part, Role.ANSWER)
    if mode in MAY_QUOTE_THE_QUESTION and (
        part := find_verbatim(question.text, text, ignore_case=True)
    ):
        return question.text[part.start : part.end], None
    raise Refused(f"{_shown(text)} stands in none of its quotes")


def _number(reply: LLMReply, question: Question, quotes: Sequence[_Quote]) -> Answer:
    said = reply.answers[0]
    stated = find_quantities(said)
    if not stated:
        raise Refused("there is no number in it")
    value, unit = stated[0].value, said[stated[0].end :].strip()
    evaluation = evaluate_expression(reply.expression, question.text)
    if evaluation is None or len(evaluation.operands) < 2:
        place = _place(Operand(said[stated[0].start : stated[0].end], stated[0]), quotes)
        if place is None:
            raise Refused(
                f"{_shown(said)} stands in none of its quotes, and "
                + (
                    f"{_shown(reply.expression)} is no calculation that could be checked"
                    if reply.expression
                    else "no calculation is given for it"
                )
            )
        return Answer.number(value, written(value), place, unit=unit)
    places = _places(evaluation.operands, quotes)
    if not _agree(evaluation.value, said, value):
        raise Refused(
            f"it does not agree with its calculation, {reply.expression} = "
            f"{written(evaluation.value)}"
        )
    expression = reply.expression.partition("=")[0].strip()
    return Answer.number(value, written(value), *places, unit=unit, expression=expression)


def _places(operands: Sequence[Operand], quotes: Sequence[_Quote]) -> list[Evidence]:
    """Where the numbers of a calculation stand; each must, but for those that all know."""
    places: list[Evidence] = []
    for operand in operands:
        place = _place(operand, quotes)
        if place is not None:
            places.append(place)
        elif operand.quantity.value not in COMMON_NUMBERS:
            raise Refused(f"{operand.text}, which it calculates with, stands in none of its quotes")
    if not places and any(operand.quantity.value != 1 for operand in operands):
        raise Refused("no number that it calculates with stands in one of its quotes")
    return list(dict.fromkeys(places))


def _place(operand: Operand, quotes: Sequence[_Quote]) -> Evidence | None:
    for quote in quotes:
        for quantity in find_quantities(quote.text):
            if _same(operand.quantity, quantity):
                return quote.evidence(Span(quantity.start, quantity.end), Role.ANSWER)
        if part := find_verbatim(quote.text, operand.text):  # the 3.5 of "3.5 million"
            return quote.evidence(part, Role.ANSWER)
    return None


def _same(one: Quantity, other: Quantity) -> bool:
    """Whether two numbers are the same; a year is the same as a day of that year."""
    if one.date and one.date.month and one.date != other.date:
        return False
    return math.isclose(one.value, other.value)


def _agree(calculated: float, said: str, value: float) -> bool:
    """Whether a result is the number that was said, as far as that one goes."""
    digits = _DIGITS.search(said)
    decimals = len(digits[0].partition(".")[2]) if digits else 0
    stated = [value, *([float(digits[0].replace(",", ""))] if digits else [])]
    return any(
        math.isclose(calculated, one, rel_tol=1e-9)
        or (calculated.is_integer() is False and math.isclose(round(calculated, decimals), one))
        for one in stated
    )


def _supporting_facts(quotes: Sequence[_Quote]) -> tuple[SupportingFact, ...]:
    """The sentences that the quotes stand in."""
    facts: dict[SupportingFact, None] = {}
    for quote in quotes:
        place = quote.evidence()
        for number, (start, end) in enumerate(quote.passage.excerpt.original.sentences):
            if start < place.end and place.start < end:
                facts[SupportingFact(place.document, number)] = None
    return tuple(facts)


def _shown(text: str) -> str:
    return f"“{text if len(text) <= LONGEST_SHOWN else text[: LONGEST_SHOWN - 1] + '…'}”"
