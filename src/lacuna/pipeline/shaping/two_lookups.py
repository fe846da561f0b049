"""Questions that two simpler ones answer together: a difference, a time between, the larger of two.

The parts are plain questions, so that each can be looked up by itself, in different documents.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from enum import StrEnum
from typing import NamedTuple


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
