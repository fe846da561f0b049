"""Questions that two simpler ones answer together."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from typing import NamedTuple

from lacuna.english import VERBS
from lacuna.pipeline.fitting import PERSON_NOUN
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
            parts = match.groupdict()
            parts["other"] = _spelled_out(parts["one"], parts["other"])
            # "… than its first", "… than those with one" mean nothing by themselves.
            alone = not _LEANS.match(parts["other"]) and not _LEANS.match(parts["one"])
            return make(parts) if alone else None
    return None


def _spelled_out(one: str, other: str) -> str:
    """What is left out of the second of two things, because the first one has it.

    >>> _spelled_out("the parliament of Osk", "that of Tern"), _spelled_out("Osk's coast", "Tern's")
    ('the parliament of Tern', "Tern's coast")
    >>> _spelled_out("for a medium patch", "for a critical one")
    'for a critical patch'
    """
    head, of, _ = one.partition(" of ")
    if of and (match := re.match(r"th(?:at|ose) of (.+)", other)):
        return f"{head} of {match[1]}"
    owned = re.match(r".+?['’]s (.+)", one)
    if owned and (match := re.fullmatch(r"([^'’]+['’]s?)((?: in .+)?)", other)):
        return f"{match[1]} {owned[1]}{match[2]}"
    last = one.split()[-1]
    return re.sub(r"(?<=\S) ones?$", f" {last}", other) if len(other.split()) > 2 else other


def _count(match: Mapping[str, str]) -> TwoLookups:
    how = f"How {match['many']} {match['noun']}" if match["noun"] else f"How {match['many']}"
    do, verb = match["do"], match["verb"]
    rest = f" {match['rest']}" if match["rest"] else ""
    return TwoLookups(
        f"{how} {do} {match['one']} {verb}{rest}?",
        f"{how} {do} {_bare(match['other'])} {verb}{rest}?",
        LookupOperation.MINUS,
    )


def _there(match: Mapping[str, str]) -> TwoLookups:
    one = f"How many {match['noun']} {match['be']} there {match['one']}?"
    other = f"How many {match['noun']} {match['be']} there {match['other']}?"
    return TwoLookups(one, other, LookupOperation.MINUS)


def _between(match: Mapping[str, str]) -> TwoLookups:
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


def _by_time(match: Mapping[str, str]) -> TwoLookups:
    front = f"How many {match['counted']} {match['prep']}"
    return TwoLookups(
        f"{front} {match['one']}?", f"{front} {match['other']}?", LookupOperation.MINUS
    )


def _values(match: Mapping[str, str]) -> TwoLookups:
    return TwoLookups(
        f"What is {match['one']}?", f"What is {match['other']}?", LookupOperation.MINUS
    )


def _after(match: Mapping[str, str]) -> TwoLookups:
    aux, one, other = match["aux"], match["one"], match["other"]
    earlier = _when(other)
    happened = re.search(rf" {_EVENT}$", one)
    if aux != "did" and happened and earlier == f"When was {other}?":
        earlier = f"When was {other} {happened['verb']}?"  # the same happened to both
    return TwoLookups(f"When {aux} {one}?", earlier, LookupOperation.TIME_BETWEEN)


def _degree(match: Mapping[str, str]) -> TwoLookups:
    how = _DEGREE[match["how"].lower()]
    be = match["be"]
    return TwoLookups(
        f"How {how} {be} {match['one']}?",
        f"How {how} {be} {_bare(match['other'])}?",
        LookupOperation.MINUS,
    )


def _compared(match: Mapping[str, str]) -> TwoLookups:
    form, _ = _ADJECTIVES[match["how"].lower()]
    return TwoLookups(
        form.format(match["one"]), form.format(_bare(match["other"])), LookupOperation.MINUS
    )


def _extremes(match: Mapping[str, str]) -> TwoLookups:
    rest = match["rest"]
    one, other = (f"What is the {match[name]} {rest}?" for name in ("one", "other"))
    return TwoLookups(one, other, LookupOperation.MINUS)


def _having(match: Mapping[str, str]) -> TwoLookups:
    one, other = (f"How many {match['noun']} does {match[name]} have?" for name in ("one", "other"))
    return TwoLookups(one, other, LookupOperation.MINUS)


def _choice(match: Mapping[str, str]) -> TwoLookups:
    table = _PERSON_ADJECTIVES if match["who"].lower() == "who" else {}
    how = match["how"].lower()
    form, operation = table.get(how) or _ADJECTIVES[how]
    names = match["one"], match["other"]
    return TwoLookups(form.format(names[0]), form.format(names[1]), operation, names)


def _more_of(match: Mapping[str, str]) -> TwoLookups:
    more = match["how"].lower() == "more"
    operation = LookupOperation.CHOOSE_MORE if more else LookupOperation.CHOOSE_LESS
    names = match["one"], match["other"]
    form = f"How many {match['noun']} does {{}} have?"
    return TwoLookups(form.format(names[0]), form.format(names[1]), operation, names)


def _first(match: Mapping[str, str]) -> TwoLookups:
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


_FORMS: tuple[tuple[re.Pattern[str], Callable[[Mapping[str, str]], TwoLookups]], ...] = tuple(
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
            rf"(?:by )?how (?:many|much)(?: [\w-]+){{0,2}}? (?P<how>{_COMPARATIVE}) than "
            rf"(?P<other>.+?) {_BE} (?P<one>.+)",
            _compared,
        ),
        (
            rf"by how (?:many|much)(?: [\w-]+){{0,2}}? {_BE} (?P<one>.+?) (?P<how>{_COMPARATIVE}) "
            r"than (?P<other>.+)",
            _compared,
        ),
        (
            r"by how (?:many|much)(?: [\w-]+){0,2}? (?:does|do|did) (?P<one>.+?) exceed "
            r"(?P<other>.+)",
            _values,
        ),
        (
            rf"how many (?:more|fewer) {_NOUN} (?:has|have|had) (?P<one>.+?) than (?P<other>.+)",
            _having,
        ),
        (
            rf"how many {_UNIT} (?:lie|lay|passed|are|were)(?: there)? between the "
            r"(?P<one>\w+est) and the (?P<other>\w+est) (?P<rest>.+)",
            _extremes,
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
    return _replaced(asked, both) if is_better else _with_alternative(asked, both)


def _replaced(asked: Result, by: Alternative) -> Result:
    """The result with another answer; what was answered is one of the alternatives."""
    if asked.answer.kind is not AnswerKind.NONE:
        before = Alternative(asked.answer, _confidence(asked), asked.quotes)
        asked = _with_alternative(asked, before)
    prediction = Prediction(by.answer, by.answer.found_at, confidence=by.confidence)
    return replace(asked, prediction=prediction, quotes=by.quotes)


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


class BridgeLookup(NamedTuple):
    """A question about a thing that is only described; another question says which thing it is."""

    which: str
    """Asks which thing it is."""
    about: str
    """Asks what is wanted to know of it, with ``{}`` for its name."""


_NOT_NOUN = r"(?!(?:the|an?|of|in|by|to|for|from|with|on|at|is|are|was|were|and|or)\b)"
_A_NOUN = rf"(?!ones? )(?:{_NOT_NOUN}[\w'’-]+ ){{1,4}}?"
_RELATIVE = (
    r"(?:(?:that|who|which|whose|where)|(?:to|with|from|in|of|for|on|by|behind|at) (?:which|whom"
    r"|whose))\b"
)
_ROLE = (
    r"(?:composer|author|founder|co-founder|director|inventor|creator|writer|painter|architect"
    r"|designer|husband|wife|mother|father|son|daughter|successor|predecessor|ceo|owner|manager"
    r"|head|chair|leader|maintainer|developer|publisher|editor|captain)"
)
_BASE_VERB = rf"(?:{'|'.join(sorted(VERBS))}|use|start|run|work|name|open|end|cost|show|apply)"
_LEFT_OVER = r"(?:called|named|known|born|located|made|founded|do|mean|stand for|used for)"
_ALONE = re.compile(r"(?:wh\w+|how)(?:['’]s| is| are| was| were| does| do| did)?", re.IGNORECASE)
_ASKS = re.compile(r"\b(?:what|which|who|whose|whom|where|when|how)\b", re.IGNORECASE)
_ANOTHER = r"(?:another|an?(?: different| certain| further)?|one) (?P<noun>[\w-]+)"
_BRIDGES = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        # "When does the group that votes on features hold its meeting?"
        rf"(?P<front>.+? (?:does|do|did)) (?P<thing>the {_A_NOUN}{_RELATIVE} .+?)"
        rf" (?P<rest>{_BASE_VERB}\b.*)",
        # "What are the people of the city where he was born called?"
        rf"(?P<front>.+?) (?P<thing>the {_A_NOUN}{_RELATIVE} .+?)(?P<rest> {_LEFT_OVER})?",
        # "Where was the composer of Dido and Aeneas born?"
        rf"(?P<front>.+?) (?P<thing>the (?:[\w-]+ )?{_ROLE} of .+?)(?P<rest> {_LEFT_OVER})?",
    )
)
_TOLD_BEFORE = re.compile(
    rf"(?P<before>.*?)\b{_ANOTHER}\b(?P<after>[^.;:?]*)[.;:] "
    r"(?P<ask>.*)\b(?:that|this)(?: other)? (?P=noun)\b(?P<rest>.*)",
    re.IGNORECASE,
)
_NAMED_BEFORE = re.compile(
    rf"(?P<thing>the {_A_NOUN}{_RELATIVE} [^:;]+)[:;] (?P<ask>.+?)\b(?:its|their|his|her)\b"
    r"(?P<rest>.*)",
    re.IGNORECASE,
)


def bridge_lookup(question: str) -> BridgeLookup | None:
    """What a question describes and does not name, to be found first; None where it names all.

    >>> bridge_lookup("What is the capital of the country that borders Osk?")
    BridgeLookup(which='What is the country that borders Osk?', about='What is the capital of {}?')
    >>> bridge_lookup("Where was the composer of The Salt Road born?").which
    'Who is the composer of The Salt Road?'
    """
    asked = " ".join(question.split()).rstrip(" ?.!").replace("{", "(").replace("}", ")")
    if told := _TOLD_BEFORE.fullmatch(asked):
        which = f"{told['before']}which {told['noun']}{told['after']}?"
        return BridgeLookup(which, f"{_begun(told['ask'])}{{}}{told['rest']}?")
    if named := _NAMED_BEFORE.fullmatch(asked):
        about = f"{_begun(named['ask'])}{{}}'s{named['rest']}?"
        return BridgeLookup(_which(named["thing"]), about)
    for form in _BRIDGES:
        match = form.fullmatch(asked)
        if match is None:
            continue
        rest = (match["rest"] or "").strip()
        # "What is the country that …" names nothing else to be found.
        if _ASKS.search(match["front"]) and (rest or not _ALONE.fullmatch(match["front"])):
            about = " ".join((match["front"], "{}", rest)).strip()
            return BridgeLookup(_which(match["thing"]), f"{about}?")
    return None


_SOMEBODY = re.compile(
    rf"the (?:{_NOT_NOUN}[\w'’-]+ ){{0,3}}?"
    rf"(?:(?:{PERSON_NOUN}|{_ROLE}) (?:of\b|{_RELATIVE})|\S+ who\b)",
    re.IGNORECASE,
)


def _which(thing: str) -> str:
    who = "Who" if _SOMEBODY.match(thing) else "What"
    return f"{who} is {thing[0].lower()}{thing[1:]}?"


def _begun(text: str) -> str:
    return text[:1].upper() + text[1:]


BRIDGES = 2
"""Things that may be the one that is described; each is asked about."""
LONGEST_NAME = 8
"""Words; a longer text is no name."""


def bridges(which: Result) -> list[Alternative]:
    """The likeliest names of what was described."""
    return [
        Alternative(answer, confidence, quotes)
        for answer, confidence, quotes in _considered(which)
        if answer.kind is AnswerKind.SPAN and len(answer.text.split()) <= LONGEST_NAME
    ][:BRIDGES]


class Chain(NamedTuple):
    """A thing that may be the one that is described, and what was answered about it."""

    bridge: Alternative
    about: Result

    def ends(self) -> list[Alternative]:
        """The answers that it leads to; the thing itself is none."""
        return [
            Alternative(answer, _of_both(self.bridge, sure), (*self.bridge.quotes, *quotes))
            for answer, sure, quotes in _considered(self.about)
            if not _stands_in(answer, self.bridge.answer.text)
        ]


def chains(
    lookup: BridgeLookup,
    named: Sequence[Alternative],
    ask: Callable[[str], Result],
    *,
    least: float,
) -> Iterator[Chain]:
    """Ask about each thing, as long as a sure answer would make a surer chain than those before,
    and one at least as sure as ``least``."""
    best = least
    for bridge in named:
        if _of_both(bridge, 1.0) < best:
            return
        chain = Chain(bridge, ask(lookup.about.format(bridge.answer.text)))
        best = max([best, *(end.confidence for end in chain.ends())])
        yield chain


def across(
    asked: Result,
    lookup: BridgeLookup,
    named: Sequence[Alternative],
    found: Sequence[Chain],
    *,
    least: float,
) -> Result:
    """What was answered about the likeliest thing, where that is likelier than what was answered.

    Who stops at the thing itself, or at what it is described with, has not answered.
    """
    reached = [end for chain in found for end in chain.ends()]
    best = max(reached, key=lambda each: each.confidence, default=None)
    stopped = any(_stands_in(asked.answer, bridge.answer.text) for bridge in named)
    rival = 0.0 if stopped else _confidence(asked)
    is_better = best is not None and best.confidence >= max(least, rival)
    names = " or ".join(bridge.answer.text for bridge in named)
    message = f"First it was looked up which it is: {lookup.which} {names}".strip()
    told = (Candidate("", best.confidence, is_better, best.answer.text),) if best else ()
    own = tuple(step for chain in found for step in chain.about.steps)
    asked = replace(asked, steps=(*asked.steps, *own, Step(Stage.ANSWER, 0, message, told, 0.0)))
    if best is None:
        return asked
    return _replaced(asked, best) if is_better else _with_alternative(asked, best)


def _of_both(bridge: Alternative, confidence: float) -> float:
    """How sure a chain is: as sure as its two steps on average.

    That a thing has what is asked for speaks for its being the right one, so the product would be
    too low: of chains with a product from .1 to .5, most are right.
    """
    return math.sqrt(bridge.confidence * confidence)


def _stands_in(answer: Answer, text: str) -> bool:
    own, other = answer.text.casefold(), text.casefold()
    return answer.kind is not AnswerKind.NONE and (own in other or other in own)
