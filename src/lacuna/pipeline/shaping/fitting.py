"""How well the text of an answer fits the kind of thing that was asked for."""

from __future__ import annotations

import re
from collections.abc import Callable
from statistics import fmean

from lacuna.pipeline.shaping.expected_kind import ExpectedKind
from lacuna.quantities.dates import MONTH
from lacuna.quantities.find_quantities import QuantityKind, find_quantities
from lacuna.quantities.measures import Dimension, find_measures
from lacuna.types import Answer, AnswerKind

UNDECIDED = 0.5
"""Of an answer to a question whose form asks for nothing in particular."""
_SHORT = 7
"""Words up to which a name, a date or a number is as short as it should be."""

_WORDS = re.compile(r"[^\s|]+")
_CAPITAL = re.compile(r"\b[A-Z][\w'’.-]*")
_DIGIT = re.compile(r"[0-9]")
_PRONOUN = re.compile(r"(?:he|she|it|they|him|her|them|this|that|you|we|i)$", re.IGNORECASE)
_PEOPLE = re.compile(
    r"\b(?:\w{2,}(?:ers?|ors?|ists?|ants?|ees?|ians?)|men|women|man|woman|people|team|members?"
    r"|users?"
    r"|chief|head|king|queen|president|staff|company|group|committee|government)\b",
    re.IGNORECASE,
)
_PATH = re.compile(r"(?:^|\s)(?:~|\.{0,2})/[\w.~$-]|https?://|\b[\w-]+\.[a-z]{2,5}\b|\w/\w|\w\\\w")
_WHERE = re.compile(
    r"(?:in|at|on|near|under|over|behind|inside|outside|along|within|around|from|between|north"
    r"|south"
    r"|east|west|above|below|next)\b",
    re.IGNORECASE,
)
_CALENDAR = re.compile(
    rf"\b{MONTH}\b|(?i:\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|\b(?:centur(?:y|ies)"
    rf"|millennium|BP)\b"
    r"|\b(?:spring|summer|autumn|winter|today|yesterday|tomorrow|midnight|noon|easter|christmas)\b"
    r"|\b[0-9]{1,2}(?::[0-9]{2})? ?[ap]\.?m\b|\b[0-9]{1,2}:[0-9]{2}\b|\b[0-9]{3,4}0s\b)"
)
_AN_EVENT = re.compile(
    r"(?:when|after|before|during|until|since|once|as soon as|at the (?:end|beginning|start)"
    r"|upon)\b",
    re.IGNORECASE,
)
_TIME_WORD = re.compile(
    r"\b(?:seconds?|minutes?|hours?|days?|weeks?|months?|years?|decades?|centur(?:y|ies)"
    r"|nights?)\b",
    re.IGNORECASE,
)
_ENDLESS = re.compile(
    r"\b(?:forever|indefinitely|permanently|until|always|never|life)\b", re.IGNORECASE
)
_EVERY = re.compile(
    r"\b(?:every|each|per|once|twice|times|hourly|daily|weekly|monthly|quarterly|annually|yearly"
    r"|bi-?weekly|biannually|always|never|rarely|often|continuously|regularly|annual|biennial)\b",
    re.IGNORECASE,
)
_ANY_NUMBER = re.compile(
    r"\b(?:no|none|zero|several|many|few|both|single|dozens|hundreds|half"
    r"|twice|double|\w+fold)\b",
    re.IGNORECASE,
)
_OFFICE = re.compile(
    r"\b(?:officer|director|manager|president|chair(?:man|woman|person)?|secretary|engineer"
    r"|administrator|owner|maintainer|leader|team|department|committee)s?\W*$",
    re.IGNORECASE,
)
_BECAUSE = re.compile(
    r"\b(?:because|due to|since|so that|in order to|as a result|owing|caused|for fear)\b|^(?:to"
    r"|for)\b",
    re.IGNORECASE,
)
_BY = re.compile(r"(?:by|using|with|via|through|use|run|call|add|set|click|you)\b", re.IGNORECASE)
_JOINED = re.compile(r",|;| and | or |\n|\|")


def fits(answer: Answer, expected: ExpectedKind) -> float:
    """From 0 (cannot be what was asked for) to 1 (looks like it).

    >>> round(fits(Answer.span("15 minutes"), ExpectedKind.DURATION), 2)
    1.0
    >>> fits(Answer.span("Ellen Voss"), ExpectedKind.DURATION) < 0.2
    True
    """
    if answer.kind is AnswerKind.NONE:
        return 0.0
    says_yes_or_no = answer.kind in (AnswerKind.YES, AnswerKind.NO)
    if expected is ExpectedKind.YES_NO or says_yes_or_no:
        return 1.0 if (expected is ExpectedKind.YES_NO) is says_yes_or_no else 0.05
    if expected is ExpectedKind.OTHER or answer.kind is AnswerKind.CHOICE:
        return UNDECIDED
    if answer.kind is AnswerKind.SPANS and len(answer.texts) > 1:
        if expected is ExpectedKind.LIST:
            return 1.0
        return 0.8 * fmean(_FITTING[expected](text.strip()) for text in answer.texts)
    text = answer.text.strip()
    return _FITTING[expected](text) if text else 0.0


def _brevity(text: str, short: int = _SHORT) -> float:
    """1 for a text of a few words, less and less for a longer one."""
    return min(1.0, short / max(1, len(_WORDS.findall(text))))


def _capitals(text: str) -> float:
    """The share of words that begin with a capital; small words inside a name do not count."""
    words: list[str] = [
        word for word in _WORDS.findall(text) if word[:1].isupper() or len(word) > 3
    ]
    capital = sum(word.strip("(\"'“‘[")[:1].isupper() for word in words)
    return capital / max(1, len(words))


def _person(text: str) -> float:
    if _PRONOUN.match(text) or (_DIGIT.search(text) and not _CAPITAL.search(text)):
        return 0.05
    score = 0.35 + 0.6 * _capitals(text)
    if not _CAPITAL.search(text):
        score = 0.5 if _PEOPLE.search(text) else 0.2
    if len(_WORDS.findall(text)) == 1 and _CAPITAL.match(text):
        score -= 0.15
    if _DIGIT.search(text):
        score *= 0.4
    if _OFFICE.search(text):  # who it is was asked, not what the post is called
        score = min(score, 0.4)
    return score * _brevity(text)


def _place(text: str) -> float:
    if _PATH.search(text):
        return 0.9 * _brevity(text)
    dated = any(quantity.date for quantity in find_quantities(text))
    score = 0.35 + 0.55 * _capitals(text)
    if _WHERE.match(text):
        score = max(score, 0.8)
    return score * _brevity(text, 10) * (0.3 if dated and not _WHERE.match(text) else 1.0)


def _date(text: str) -> float:
    if any(quantity.date for quantity in find_quantities(text)):
        return _brevity(text, 9)
    if _CALENDAR.search(text):
        return 0.9 * _brevity(text, 9)
    if _AN_EVENT.match(text):
        return 0.7
    return 0.3 if _DIGIT.search(text) else 0.15


def _duration(text: str) -> float:
    if any(measure.dimension is Dimension.TIME for measure in find_measures(text)):
        return _brevity(text, 9)
    if _TIME_WORD.search(text):
        return 0.7 * _brevity(text, 9)
    if _ENDLESS.search(text):
        return 0.6 * _brevity(text, 12)
    quantities = find_quantities(text)
    if any(quantity.date for quantity in quantities):
        return 0.4 * _brevity(text)
    return 0.4 * _brevity(text) if quantities else 0.08


def _frequency(text: str) -> float:
    if _EVERY.search(text):
        return _brevity(text, 9)
    return 0.6 * _duration(text)


def _number(text: str) -> float:
    quantities = find_quantities(text)
    if any(quantity.kind is not QuantityKind.DATE for quantity in quantities):
        return _brevity(text, 6)
    if quantities or _DIGIT.search(text):
        return 0.7 * _brevity(text, 6)
    return 0.4 * _brevity(text, 4) if _ANY_NUMBER.search(text) else 0.08


def _amount(text: str) -> float:
    measured = find_measures(text)
    if any(measure.dimension is not Dimension.COUNT for measure in measured):
        return _brevity(text, 8)
    return 0.85 * _number(text)


def _list(text: str) -> float:
    return 0.8 if _JOINED.search(text) else 0.35


def _definition(text: str) -> float:
    words = _WORDS.findall(text)
    if sum(map(str.isalpha, text)) < len(text) / 2:
        return 0.15
    return min(1.0, 0.25 * max(1, len(words))) * min(1.0, 40 / max(1, len(words)))


def _reason(text: str) -> float:
    words = len(_WORDS.findall(text))
    return 1.0 if _BECAUSE.search(text) and words > 2 else min(0.8, 0.1 + 0.15 * max(0, words - 1))


def _method(text: str) -> float:
    words = len(_WORDS.findall(text))
    return 1.0 if _BY.match(text) and words > 1 else min(0.85, 0.35 + 0.15 * max(0, words - 1))


_FITTING: dict[ExpectedKind, Callable[[str], float]] = {
    ExpectedKind.PERSON: _person,
    ExpectedKind.PLACE: _place,
    ExpectedKind.DATE: _date,
    ExpectedKind.DURATION: _duration,
    ExpectedKind.FREQUENCY: _frequency,
    ExpectedKind.NUMBER: _number,
    ExpectedKind.AMOUNT: _amount,
    ExpectedKind.LIST: _list,
    ExpectedKind.DEFINITION: _definition,
    ExpectedKind.REASON: _reason,
    ExpectedKind.METHOD: _method,
}
