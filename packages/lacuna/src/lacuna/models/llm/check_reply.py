"""Check what a model claims against the passages that it was given, calculations included."""

from __future__ import annotations

import ast
import math
import operator
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from lacuna.answers import MAY_QUOTE_THE_QUESTION, AnswerMode
from lacuna.models.llm.llm_prompt import ClaimedQuote, LLMReply, NumberedPassage
from lacuna.quantities.arithmetic import asked_unit, time_between, written
from lacuna.quantities.find_quantities import Quantity, QuantityKind, find_quantities
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

_SAME = {
    **dict.fromkeys("‘’‚‛ʼ′`´", "'"),
    **dict.fromkeys("“”„‟«»″", '"'),
    **dict.fromkeys("‐‑‒–—―−", "-"),
    "…": "...",
    **dict.fromkeys("\u00ad\u200b\u2060\ufeff", ""),  # nothing is seen of these
}
_CLOSING = ".,;: "


def find_verbatim(text: str, words: str, *, ignore_case: bool = False) -> Span | None:
    """The first place of the words in the text, as words of their own; None where they do not.

    >>> find_verbatim("It was  “old”,\\nthey say.", '"old", they')
    Span(start=8, end=19)
    >>> find_verbatim("in 1931", "31") is None
    True
    """
    plain, places = _plain(text, ignore_case)
    wanted = _plain(words, ignore_case)[0].strip()
    for copied in dict.fromkeys((wanted, wanted.rstrip(_CLOSING))):
        at = plain.find(copied) if copied else -1
        while at >= 0:
            end = at + len(copied)
            if not (_inside_word(plain, at) or _inside_word(plain, end)):
                return Span(places[at], places[end - 1] + 1)
            at = plain.find(copied, at + 1)
    return None


def _plain(text: str, ignore_case: bool) -> tuple[str, list[int]]:
    """The text with its signs made alike, and where in the text each character comes from."""
    characters: list[str] = []
    places: list[int] = []
    for place, character in enumerate(text):
        if character.isspace():
            if characters and characters[-1] == " ":
                continue
            character = " "
        else:
            character = _SAME.get(character, character)
            if ignore_case:
                character = character.lower()
        characters += character
        places += [place] * len(character)
    return "".join(characters), places


def _inside_word(text: str, at: int) -> bool:
    return 0 < at < len(text) and text[at - 1].isalnum() and text[at].isalnum()


LONGEST = 200
_SIGNS = str.maketrans("×·÷−–—", "**/---")
_SIGN = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2})|\s*([-+*/()])\s*")
_BETWEEN = re.compile(r"[-+*/()\s]*")
_OPERATIONS: dict[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}


@dataclass(frozen=True, slots=True)
class Operand:
    """A number of an expression, as it is written there."""

    text: str
    quantity: Quantity


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The result of an expression, and the numbers it was calculated from."""

    value: float
    operands: tuple[Operand, ...]


def evaluate_expression(expression: str, question: str = "") -> Evaluation | None:
    """The result of an expression; None where it is more than +, −, × and ÷ over numbers.

    The difference of two dates comes in the unit that the question asks for.

    >>> evaluate_expression("(1,250 + 30) × 2").value
    2560.0
    >>> evaluate_expression("12 March 1987 − 3 May 1950", "How many days was it?").value
    13462.0
    >>> evaluate_expression("the number of ships") is None
    True
    """
    # Signs stand apart, so that "1984-85" is a difference here and no range of years.
    apart = _SIGN.sub(
        lambda match: match[1] or f" {match[2]} ",
        expression.partition("=")[0].translate(_SIGNS),
    ).strip()
    if len(apart) > LONGEST:
        return None
    quantities = find_quantities(apart)
    if not quantities:
        return None
    operands = tuple(Operand(apart[one.start : one.end], one) for one in quantities)
    value = _time_between(apart, quantities, question)
    if value is None:
        value = _value(apart, quantities)
    return None if value is None else Evaluation(value, operands)


def _time_between(expression: str, quantities: tuple[Quantity, ...], question: str) -> float | None:
    if len(quantities) != 2 or expression[quantities[0].end : quantities[1].start].strip() != "-":
        return None
    later, earlier = (quantity.date for quantity in quantities)
    if later is None or earlier is None or not (later.month or earlier.month):
        return None
    if expression[: quantities[0].start].strip() or expression[quantities[1].end :].strip():
        return None
    return float(time_between(later, earlier, asked_unit(question))[0])


def _value(expression: str, quantities: tuple[Quantity, ...]) -> float | None:
    """The value by the rules of arithmetic; a part of something is written in per cent."""
    parts: list[str] = []
    reached = 0
    multiplies = "*" in expression or "/" in expression
    for quantity in quantities:
        parts.append(expression[reached : quantity.start])
        percent = quantity.kind is QuantityKind.PERCENT and multiplies
        parts.append(f"({quantity.value / 100 if percent else quantity.value!r})")
        reached = quantity.end
    parts.append(expression[reached:])
    if not all(_BETWEEN.fullmatch(part) for part in parts[::2]):
        return None
    try:
        return _result(ast.parse("".join(parts).strip(), mode="eval").body)
    except (SyntaxError, ValueError, ArithmeticError, RecursionError, MemoryError):
        return None


def _result(node: ast.expr) -> float:
    match node:
        case ast.Constant(value=float(value)):
            return value
        case ast.BinOp(left, operation, right) if type(operation) in _OPERATIONS:
            return _OPERATIONS[type(operation)](_result(left), _result(right))
        case ast.UnaryOp(ast.USub(), inner):
            return -_result(inner)
        case _:  # (2)(3) would be a call
            raise ValueError("no arithmetic")


COMMON_NUMBERS = frozenset({1, 2, 7, 10, 12, 24, 60, 100, 365, 1000})
"""Numbers that a calculation may use without a quote: one of a count, per cent, months, days, hours
…"""
LONGEST_SHOWN = 160
_DIGITS = re.compile(r"-?[0-9]+(?:,[0-9]{3})*(?:\.[0-9]+)?")


class Refused(Exception):  # noqa: N818 - it becomes the gap of a prediction
    """A claim of a model that does not hold."""


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
    """The place of a quote: in the passage it names, or else in another one.

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
    """The places of the numbers of a calculation; each must, but for those that all know."""
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
    """Tell if two numbers are the same; a year is the same as a day of that year."""
    if one.date and one.date.month and one.date != other.date:
        return False
    return math.isclose(one.value, other.value)


def _agree(calculated: float, said: str, value: float) -> bool:
    """Tell if a result is the number that was said, as far as that one goes."""
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
