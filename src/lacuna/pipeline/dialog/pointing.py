""" "That year", "then", "this parameter", "that": with what they point to in their place."""

from __future__ import annotations

import re

from lacuna.pipeline.dialog.kinds import NameKind
from lacuna.pipeline.dialog.memory import DialogMemory
from lacuna.pipeline.dialog.verbs import COMMON, looks_finite
from lacuna.pipeline.dialog.words import (
    AUXILIARIES,
    DO,
    PREPOSITIONS,
    PRONOUNS,
    WH,
    is_code,
    words_of,
)

POINTED = re.compile(r"\b(?i:(this|that|these|those)) ([a-z][\w-]*)")
TIME = re.compile(
    r"(?:\b(?P<when>in|on|of|during|at|from|since|until) )?\b(?:this|that|the same) "
    r"(?:year|time|day|month|point)\b|(?<=\w )then(?=\s*\?|$)",
    re.IGNORECASE,
)
ALONE = re.compile(
    r"\b(?P<before>\w+) (?P<that>this|that)(?=\s*\?|\s+(?:\w+ed|made|done|true|the|a|an)\b)",
    re.IGNORECASE,
)
NO_NOUN = WH | AUXILIARIES | PREPOSITIONS | PRONOUNS | frozenset(
    ("much", "many", "the", "a", "an", "of", "long", "often", "article", "page", "text",
     "document", "great", "good", "first", "second", "last", "next", "new", "old", "two", "kind",
     "way", "year", "years", "time", "times", "day", "days", "month", "point", "period", "case")
)  # fmt: skip
"""What may follow "that" and is nothing that a dialog speaks of."""
SOMEONE = {"man": NameKind.MAN, "woman": NameKind.WOMAN, "person": NameKind.PERSON}


def points_back(question: str) -> bool:
    """Whether a question points to what was said before it.

    >>> points_back("How was that received?"), points_back("Is it true that ships sink?")
    (True, False)
    """
    return bool(_nouns(question) or TIME.search(question) or _alone(question))


def fill_times(question: str, memory: DialogMemory) -> str:
    """With the time that was spoken of in the place of "that year" and "then"."""
    time = memory.time()
    if not time:
        return question

    def filled(found: re.Match[str]) -> str:
        if found["when"] is None or found["when"].lower() in ("in", "at", "on"):
            return time
        return f"{found['when']} {re.sub(r'^(?:in|on|during) ', '', time)}"

    return TIME.sub(filled, question)


def fill_pointed(question: str, memory: DialogMemory) -> tuple[str, str]:
    """With what was spoken of in the place of "that parameter" or "that"; and what it is."""
    for found in _nouns(question):
        noun = found[2]
        if noun in SOMEONE:
            filled = name = memory.person(SOMEONE[noun])
        else:
            several = found[1].lower() in ("these", "those")
            name = memory.several() if several else memory.thing()
            filled = _with_noun(name, noun)
        if filled and name and (noun in name.lower() or memory.was_just_said(name)):
            return question[: found.start()] + filled + question[found.end() :], name
    alone = _alone(question)
    name = memory.thing() if alone else ""
    if alone and name:
        start, end = alone.span("that")
        return question[:start] + name + question[end:], name
    return question, ""


def _alone(question: str) -> re.Match[str] | None:
    """ "That", unless it is all that was said: "for that", "called that"."""
    found = ALONE.search(question)
    before = found["before"].lower() if found else ""
    return None if before in PREPOSITIONS | {"of", "called", "do", "did", "regarding"} else found


def _nouns(question: str) -> list[re.Match[str]]:
    """Where "that" goes with the noun after it, not with a clause or a verb."""
    found = []
    for match in POINTED.finditer(question):
        before = words_of(question[: match.start()])
        last = before[-1].lower if before else "of"
        verb = last in DO and match[2] in COMMON
        opened = last in PREPOSITIONS | AUXILIARIES | {"of", "and", "or"} or looks_finite(last)
        if opened and not verb and match[2] not in NO_NOUN:
            found.append(match)
    return found


def _with_noun(name: str, noun: str) -> str:
    """ "That lake" is the lake itself where its name says so; "" where it may be another thing.

    >>> _with_noun("Lake Orm", "lake"), _with_noun("the value of cache_size", "parameter")
    ('Lake Orm', 'the parameter cache_size')
    >>> _with_noun("Caddo", "program"), _with_noun("the festival", "band")
    ('the program Caddo', '')
    """
    if noun in name.lower().split():
        return name
    typed = name.rpartition(" of ")[2]
    if is_code(typed):
        return f"the {noun} {typed}"
    return f"the {noun} {name}" if name[:1].isupper() and "'s " not in name else ""
