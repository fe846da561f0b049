"""Questions that two simpler ones answer together."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from enum import StrEnum
from typing import NamedTuple

from lacuna.pipeline.result import ALTERNATIVES, Alternative, Candidate, Quote, Result, Stage, Step
from lacuna.quantities.arithmetic import Calculation, calculate, readable
from lacuna.quantities.find_quantities import Quantity, find_quantities
from lacuna.quantities.measures import Dimension, Measure, find_measures
from lacuna.types import Answer, AnswerKind, Prediction


class LookupOperation(StrEnum):
    """What is to be done with the two answers."""

    MINUS = "minus"
    """The first less the second."""
    TIME_BETWEEN = "time between"
    """How far two dates are apart, in the unit of the question."""
    CHOOSE_MORE = "choose more"
    """The one with the greater amount."""
    CHOOSE_LESS = "choose less"
    CHOOSE_SOONER = "choose sooner"
    """The one with the earlier date."""
    CHOOSE_LATER = "choose later"


class TwoLookups(NamedTuple):
    """Two questions and what their answers make; ``names`` are the things to choose from."""

    first: str
    second: str
    operation: LookupOperation
    names: tuple[str, str] = ("", "")


_BE = r"(?P<be>is|are|was|were)"
_DO = r"(?P<do>does|do|did|can|could|may|will|would|must)"
_UNIT = r"(?P<unit>days?|weeks?|months?|years?|centuries|decades)"
_NOUN = r"(?P<noun>[\w-]+(?: [\w-]+){0,2}?)"
_PERSON_ADJECTIVES = {
    "older": ("When was {} born?", LookupOperation.CHOOSE_SOONER),
    "younger": ("When was {} born?", LookupOperation.CHOOSE_LATER),
}
_ADJECTIVES = {
    "older": ("How old is {}?", LookupOperation.CHOOSE_MORE),
    "newer": ("How old is {}?", LookupOperation.CHOOSE_LESS),
    "younger": ("How old is {}?", LookupOperation.CHOOSE_LESS),
    "longer": ("How long is {}?", LookupOperation.CHOOSE_MORE),
    "shorter": ("How long is {}?", LookupOperation.CHOOSE_LESS),
    "larger": ("How large is {}?", LookupOperation.CHOOSE_MORE),
    "bigger": ("How big is {}?", LookupOperation.CHOOSE_MORE),
    "smaller": ("How large is {}?", LookupOperation.CHOOSE_LESS),
    "higher": ("How high is {}?", LookupOperation.CHOOSE_MORE),
    "lower": ("How high is {}?", LookupOperation.CHOOSE_LESS),
    "taller": ("How tall is {}?", LookupOperation.CHOOSE_MORE),
    "deeper": ("How deep is {}?", LookupOperation.CHOOSE_MORE),
    "wider": ("How wide is {}?", LookupOperation.CHOOSE_MORE),
    "heavier": ("How heavy is {}?", LookupOperation.CHOOSE_MORE),
    "lighter": ("How heavy is {}?", LookupOperation.CHOOSE_LESS),
    "faster": ("How fast is {}?", LookupOperation.CHOOSE_MORE),
    "slower": ("How fast is {}?", LookupOperation.CHOOSE_LESS),
    "cheaper": ("How much does {} cost?", LookupOperation.CHOOSE_LESS),
}
_DEGREE = {
    "longer": "long",
    "higher": "high",
    "taller": "tall",
    "older": "old",
    "deeper": "deep",
    "wider": "wide",
    "heavier": "heavy",
    "larger": "large",
    "faster": "fast",
}
_COMPARATIVE = "|".join(_ADJECTIVES)
_LEANS = re.compile(
    r"(?:its|their|his|her|it|they|he|she|that|those|these|ones?)\b|the (?:first|last|\w+est)$",
    re.IGNORECASE,
)
_PRESENT = {
    "sank": "sink",
    "began": "begin",
    "became": "become",
    "left": "leave",
    "died": "die",
    "won": "win",
    "came": "come",
    "went": "go",
    "took": "take",
    "wrote": "write",
}
_EVENT = r"(?P<verb>\w+(?:ed|en|ilt|orn|ounded|ade|un))"


def two_lookups(question: str) -> TwoLookups | None:
    """The two questions behind a question of a clear form; None for any other.

    >>> two_lookups("How many more districts does Brannet have than Osk?")[:2]
    ('How many districts does Brannet have?', 'How many districts does Osk have?')
    """
    asked = " ".join(question.split()).rstrip(" ?.!")
    for form, make in _FORMS:
        if match := form.match(asked):
            # "… than its first", "… than those with one" mean nothing by themselves.
            alone = not _LEANS.match(match["other"]) and not _LEANS.match(match["one"])
            return make(match) if alone else None
    return None


def _count(match: re.Match[str]) -> TwoLookups:
    how = f"How {match['many']} {match['noun']}" if match["noun"] else f"How {match['many']}"
    do, verb = match["do"], match["verb"]
    rest = f" {match['rest']}" if match["rest"] else ""
    return TwoLookups(
        f"{how} {do} {match['one']} {verb}{rest}?",
        f"{how} {do} {_bare(match['other'])} {verb}{rest}?",
        LookupOperation.MINUS,
    )


def _there(match: re.Match[str]) -> TwoLookups:
    one = f"How many {match['noun']} {match['be']} there {match['one']}?"
    other = f"How many {match['noun']} {match['be']} there {match['other']}?"
    return TwoLookups(one, other, LookupOperation.MINUS)


def _between(match: re.Match[str]) -> TwoLookups:
    one, other = match["one"], match["other"]
    if shared := re.match(
        r"(the \w+?(?:ch|sh|ss|x)(?=es )|the \w+(?=s ))e?s of (.+)", one
    ):  # "the births of Ada and Ellen"
        one, other = f"{shared[1]} of {shared[2]}", f"{shared[1]} of {_numbered(shared[2], other)}"
    return TwoLookups(_when(one), _when(other), LookupOperation.TIME_BETWEEN)


def _numbered(one: str, other: str) -> str:
    """ "release 2" for the 2 of "release 1 and 2"."""
    words = re.match(r"(.+ )[0-9]\S*$", one)
    return f"{words[1]}{other}" if words and other[:1].isdigit() else other


def _by_time(match: re.Match[str]) -> TwoLookups:
    front = f"How many {match['counted']} {match['prep']}"
    return TwoLookups(
        f"{front} {match['one']}?", f"{front} {match['other']}?", LookupOperation.MINUS
    )


def _values(match: re.Match[str]) -> TwoLookups:
    return TwoLookups(
        f"What is {match['one']}?", f"What is {match['other']}?", LookupOperation.MINUS
    )


def _after(match: re.Match[str]) -> TwoLookups:
    aux, one, other = match["aux"], match["one"], match["other"]
    earlier = _when(other)
    happened = re.search(rf" {_EVENT}$", one)
    if aux != "did" and happened and earlier == f"When was {other}?":
        earlier = f"When was {other} {happened['verb']}?"  # the same happened to both
    return TwoLookups(f"When {aux} {one}?", earlier, LookupOperation.TIME_BETWEEN)


def _degree(match: re.Match[str]) -> TwoLookups:
    how = _DEGREE[match["how"].lower()]
    be = match["be"]
    return TwoLookups(
        f"How {how} {be} {match['one']}?",
        f"How {how} {be} {_bare(match['other'])}?",
        LookupOperation.MINUS,
    )


def _choice(match: re.Match[str]) -> TwoLookups:
    table = _PERSON_ADJECTIVES if match["who"].lower() == "who" else {}
    how = match["how"].lower()
    form, operation = table.get(how) or _ADJECTIVES[how]
    names = match["one"], match["other"]
    return TwoLookups(form.format(names[0]), form.format(names[1]), operation, names)


def _more_of(match: re.Match[str]) -> TwoLookups:
    more = match["how"].lower() == "more"
    operation = LookupOperation.CHOOSE_MORE if more else LookupOperation.CHOOSE_LESS
    names = match["one"], match["other"]
    form = f"How many {match['noun']} does {{}} have?"
    return TwoLookups(form.format(names[0]), form.format(names[1]), operation, names)


def _first(match: re.Match[str]) -> TwoLookups:
    later = match["how"].lower() in ("later", "last", "second")
    operation = LookupOperation.CHOOSE_LATER if later else LookupOperation.CHOOSE_SOONER
    names = match["one"], match["other"]
    form = f"When was {{}} {match['verb']}?"
    return TwoLookups(form.format(names[0]), form.format(names[1]), operation, names)


def _when(event: str) -> str:
    """A question for the date of an event as it is named in a sentence.

    >>> _when("the founding of the bank"), _when("the ferry sank"), _when("she was born")
    ('When was the founding of the bank?', 'When did the ferry sink?', 'When was she born?')
    """
    if clause := re.match(r"(.+?) (was|were|is|are|had|has|have) (.+)", event):
        return f"When {clause[2]} {clause[1]} {clause[3]}?"
    if clause := re.match(rf"(.+?) ({'|'.join(_PRESENT)})\b(.*)", event):
        return f"When did {clause[1]} {_PRESENT[clause[2]]}{clause[3]}?"
    return f"When was {event}?"


def _bare(name: str) -> str:
    """A name without the verb that a comparison may end with: "than Osk has"."""
    return re.sub(r" (?:has|have|had|does|do|did|is|are|was|were)$", "", name)


_FORMS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], TwoLookups]], ...] = tuple(
    (re.compile(form, re.IGNORECASE), make)
    for form, make in (
        (
            rf"(?:by )?how many (?:more|fewer) {_NOUN} {_BE} there (?P<one>.+?) than (?P<other>.+)",
            _there,
        ),
        (
            rf"how (?P<many>many|much) (?:more|fewer|less) (?P<noun>(?:[\w-]+ ){{0,3}}?[\w-]+"
            rf"|) ?{_DO} "
            r"(?P<one>.+?) (?P<verb>have|need|take|cost|contain|use|hold|produce|employ|weigh|get"
            r"|make|cover|support|earn|receive|score|win|sell)(?: (?P<rest>(?!than\b).+?))? than "
            r"(?P<other>.+)",
            _count,
        ),
        (
            rf"how (?P<many>many) (?P<noun>(?:[\w-]+ ){{0,2}}?[\w-]+) (?:more|fewer|less) {_DO} "
            r"(?P<one>.+?) (?P<verb>have|need|take|cost|contain|use|hold)(?: (?P<rest>(?!than\b).+?"
            r"))? than (?P<other>.+)",
            _count,
        ),
        (
            r"how many (?:more|fewer) (?P<counted>.+?) (?P<prep>in|on|at|during) (?P<one>.+?) than "
            r"(?P=prep) (?P<other>.+)",
            _by_time,
        ),
        (
            r"what is the difference(?: in [\w-]+)? between (?P<one>.+?) and (?P<other>.+)",
            _values,
        ),
        (
            rf"how (?:many|much)(?: [\w-]+)? (?P<how>{'|'.join(_DEGREE)}) {_BE} (?P<one>.+?) than "
            r"(?P<other>.+)",
            _degree,
        ),
        (
            rf"how (?:many {_UNIT}|much time) (?:passed|lie|lay|are there|were there|elapsed|is|are"
            r"|was|were) (?:there )?between (?P<one>.+?) and (?P<other>.+)",
            _between,
        ),
        (
            r"(?:how long|what time) (?:passed|was it|lies"
            r"|lay) between (?P<one>.+?) and (?P<other>.+)",
            _between,
        ),
        (
            rf"how (?:many {_UNIT}|long) (?:after|before) (?P<other>.+),? (?P<aux>was|were|did) "
            r"(?P<one>.+)",
            _after,
        ),
        (
            rf"(?P<who>which|who|what)(?: [\w-]+){{0,2}}? (?:is|was"
            rf"|are) (?:the )?(?P<how>{_COMPARATIVE})"
            r"(?: one)?[,:]? (?P<one>.+?),? or (?P<other>.+)",
            _choice,
        ),
        (
            r"(?:which|who)(?: [\w-]+){0,2}? (?:has|have|had) (?P<how>more"
            r"|fewer) (?P<noun>[\w-]+)[,:] "
            r"(?P<one>.+?),? or (?P<other>.+)",
            _more_of,
        ),
        (
            rf"(?:which|who)(?: [\w-]+){{0,2}}? was {_EVENT} (?P<how>first|earlier|later|last"
            rf"|second)"
            r"[,:]? (?P<one>.+?),? or (?P<other>.+)",
            _first,
        ),
    )
)


DATES = (
    LookupOperation.TIME_BETWEEN,
    LookupOperation.CHOOSE_SOONER,
    LookupOperation.CHOOSE_LATER,
)
CALCULATED = (LookupOperation.MINUS, LookupOperation.TIME_BETWEEN)


class LookedUp(NamedTuple):
    """A number or date that one of the questions was answered with."""

    quantity: Quantity
    measure: Measure
    """The same number with its unit."""
    answer: Answer
    confidence: float
    quotes: tuple[Quote, ...]


def combined(
    asked: Result, lookups: TwoLookups, first: Result, second: Result, *, least: float
) -> Result:
    """What both answers make together, where that is likelier right than what was answered.

    Else it is one of the alternatives; so too where both are right with a smaller chance than
    ``least``. The last step tells of it in any case.
    """
    both = _both(asked.question, lookups, first, second)
    is_better = both is not None and both.confidence >= max(least, _confidence(asked))
    message = f"Two questions were looked up: {lookups.first} {lookups.second}"
    found = (Candidate("", both.confidence, is_better, both.answer.text),) if both else ()
    step = Step(Stage.ANSWER, 0, message, found, 0.0)
    asked = replace(asked, steps=(*asked.steps, *first.steps, *second.steps, step))
    if both is None:
        return asked
    if not is_better:
        return _with_alternative(asked, both)
    if asked.answer.kind is not AnswerKind.NONE:
        before = Alternative(asked.answer, _confidence(asked), asked.quotes)
        asked = _with_alternative(asked, before)
    prediction = Prediction(both.answer, both.answer.found_at, confidence=both.confidence)
    return replace(asked, prediction=prediction, quotes=both.quotes)


def _both(question: str, lookups: TwoLookups, first: Result, second: Result) -> Alternative | None:
    """What the answers of both questions make; as likely right as both of them are."""
    one, other = (_best(result, lookups.operation) for result in (first, second))
    if one is None or other is None or one.answer.found_at == other.answer.found_at:
        return None
    answer = _together(question, lookups, one, other)
    if answer is None:
        return None
    return Alternative(answer, one.confidence * other.confidence, (*one.quotes, *other.quotes))


def _confidence(result: Result) -> float:
    """How likely the answer is right that was given, 0 where none was."""
    return 0.0 if result.answer.kind is AnswerKind.NONE else result.confidence or 0.0


def _with_alternative(result: Result, other: Alternative) -> Result:
    every = sorted((*result.alternatives, other), key=lambda each: -each.confidence)
    return replace(result, alternatives=tuple(every[:ALTERNATIVES]))


def _best(result: Result, operation: LookupOperation) -> LookedUp | None:
    """The likeliest answer that is a number, or where dates are compared, a date."""
    for answer, confidence, quotes in _considered(result):
        found, measures = find_quantities(answer.text), find_measures(answer.text)
        if len(found) == len(measures) == 1 and (operation not in DATES or found[0].date):
            return LookedUp(found[0], measures[0], answer, confidence, quotes)
    return None


def _considered(result: Result) -> Iterator[tuple[Answer, float, tuple[Quote, ...]]]:
    if result.answer.kind is not AnswerKind.NONE:
        yield result.answer, result.confidence or 0.0, result.quotes
    for other in result.alternatives:
        yield other.answer, other.confidence, other.quotes


def _together(question: str, lookups: TwoLookups, one: LookedUp, other: LookedUp) -> Answer | None:
    if not _alike(one.measure, other.measure):
        return None
    places = (*one.answer.found_at, *other.answer.found_at)
    if lookups.operation in CALCULATED:
        difference = _difference(question, one, other)
        if difference is None:
            return None
        unit = difference.unit or one.answer.unit or other.answer.unit
        return Answer.number(
            difference.value,
            readable(difference.value),
            *places,
            unit=unit,
            expression=difference.expression,
        )
    values = _value(one, other), _value(other, one)
    if values[0] == values[1]:
        return None
    most = lookups.operation in (LookupOperation.CHOOSE_MORE, LookupOperation.CHOOSE_LATER)
    chosen = lookups.names[0 if (values[0] > values[1]) is most else 1]
    sign = ">" if values[0] > values[1] else "<"
    expression = f"{one.answer.text} {sign} {other.answer.text}"
    return replace(Answer.span(chosen, *places), expression=expression)


def _alike(one: Measure, other: Measure) -> bool:
    """Tell if two amounts can be compared; a bare number has the unit of the other."""
    if one.dimension is not other.dimension:
        return _is_bare(one) or _is_bare(other)
    return one.dimension is not Dimension.MONEY or one.unit == other.unit


def _is_bare(measure: Measure) -> bool:
    return measure.dimension is Dimension.COUNT and not measure.unit


def _difference(question: str, one: LookedUp, other: LookedUp) -> Calculation | None:
    """The larger less the smaller: which one a question names first says little."""
    if one.measure.dimension is other.measure.dimension and not _same_unit(one, other):
        return None
    larger, smaller = sorted((one.quantity, other.quantity), key=lambda each: -each.value)
    try:
        return calculate([(1, larger), (-1, smaller)], question)
    except ValueError:  # a date and a plain number
        return None


def _same_unit(one: LookedUp, other: LookedUp) -> bool:
    """Tell if the numbers themselves can be subtracted: not metres from kilometres."""
    return math.isclose(
        one.measure.value * other.quantity.value, other.measure.value * one.quantity.value
    )


def _value(own: LookedUp, other: LookedUp) -> tuple[float, ...]:
    """What is compared with the other one."""
    if own.quantity.date and other.quantity.date:
        return tuple(map(float, own.quantity.date.moment))
    alike = own.measure.dimension is other.measure.dimension
    return (own.measure.value if alike else own.quantity.value,)
