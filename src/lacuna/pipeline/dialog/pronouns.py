"""Pronouns of a question, with what they mean put in their place."""

from __future__ import annotations

import re
from dataclasses import dataclass

from lacuna.pipeline.dialog.kinds import Kind
from lacuna.pipeline.dialog.memory import DialogMemory
from lacuna.pipeline.dialog.verbs import COMMON, looks_finite
from lacuna.pipeline.dialog.words import (
    AUXILIARIES,
    CONJUNCTIONS,
    DO,
    PREPOSITIONS,
    WH,
    head_of,
    is_capital,
    is_code,
    words_of,
)

GENDER = {
    **dict.fromkeys(("he", "him", "his"), Kind.MAN),
    **dict.fromkeys(("she", "her"), Kind.WOMAN),
}
THING = frozenset(("it", "its"))
SEVERAL = frozenset(("they", "them", "their"))
OWNING = frozenset(("his", "its", "their"))
PRONOUN = re.compile(r"\b(he|him|his|she|her|it|its|they|them|their|there)\b", re.IGNORECASE)
AFTER_OBJECT = frozenset(
    ("a", "an", "the", "to", "for", "in", "on", "at", "by", "of", "with", "from", "and", "or",
     "as", "when", "while", "after", "before", "during", "do", "die", "leave", "become", "was")
)  # fmt: skip
NOTHING = re.compile(
    r"\b(?:is|was|be) it (?:\w+ly )?(?:possible|true|necessary|allowed|required|safe to \w+ (?:a|the)|"
    r"better|best|common|legal|known|said|important|okay|ok|enough|likely|time)\b"
    r"|\bdoes it (?:take|cost|matter|need) (?:\w+ )?(?:to|if|whether|that)\b|\btime is it\b",
    re.IGNORECASE,
)
"""Where "it" stands for nothing that was said before."""
EXISTS = re.compile(
    r"\b(?:is|are|was|were|be|been|will|has|have|had|exist) there\b|\bthere (?:is|are|was|were|be|been)\b",
    re.IGNORECASE,
)
CLAUSE = frozenset(("when", "while", "if", "before", "after", "because", "since", "that", "which",
                    "who", "where", "until", "once", "unless")) | CONJUNCTIONS  # fmt: skip
POINTED = re.compile(r"\b(?i:(this|that|these|those)) ([a-z][\w-]*)")
POINTED_TIME = re.compile(
    r"(?:\b(in|on|of|during|at|from|since|until) )?\b(?:this|that|the same) (?:year|time|day|month|point)\b"
    r"|(?<=\w )then(?=\s*\?|$)",
    re.IGNORECASE,
)
ALONE = re.compile(r"(?<!called )(?<!after )(?<!before )(?<!like )(?<!than )(?<!with )\b(?:this|that)(?=\s*\?|\s+(?:\w+ed|made|done|true|the|a|an)\b)", re.IGNORECASE)
NO_NOUN = frozenset(("much", "many", "is", "was", "are", "were", "the", "a", "an", "have", "has",
                     "can", "in", "of", "they", "he", "she", "it", "long", "often",
                     "article", "page", "text", "document", "great", "good", "first", "second",
                     "last", "next", "new", "old", "one", "two", "kind", "way")) | AUXILIARIES  # fmt: skip
PERSON_NOUNS = {"man": Kind.MAN, "woman": Kind.WOMAN, "person": None}
MOVES = frozenset("move go come travel get went moved came sail return fly drive flee emigrate".split())


@dataclass(frozen=True, slots=True)
class FilledIn:
    """A question with names in the place of pronouns; ``centre`` is what "it" or "they" meant."""

    text: str
    centre: str = ""
    unclear: frozenset[str] = frozenset()
    """Pronouns that are left, since nothing is known of them."""


def fill_in(question: str, memory: DialogMemory) -> FilledIn:
    """Put what is meant into the place of pronouns, as far as it is known."""
    text, centre = _fill_pointed(_fill_times(question, memory), memory)
    unclear: set[str] = set()
    done: set[str] = set()
    start = 0
    while found := PRONOUN.search(text, start):
        word = found[1].lower()
        start = found.end()
        group = _group(word)
        if group in done or not _means_something(text, found):
            continue
        done.add(group)
        name = _meant(word, group, memory)
        if not name:
            unclear.add(group)
            continue
        if word in GENDER:
            memory.call(name, GENDER[word])
        elif group != "there":
            centre = centre or name
        filled = _inflected(word, name, text[: found.start()], text[found.end() :])
        text = text[: found.start()] + filled + text[found.end() :]
        start = found.start() + len(filled)
    return FilledIn(text, centre, frozenset(unclear))


def has_pronoun(question: str) -> bool:
    """Whether a question points to something that was said before it.

    >>> [has_pronoun(text) for text in ("Is it old?", "Is there a lake?", "How was that received?")]
    [True, False, True]
    """
    words = any(_means_something(question, found) for found in PRONOUN.finditer(question))
    pointed = any(
        found[2].lower() not in NO_NOUN and _points(question, found)
        for found in POINTED.finditer(question)
    )
    return words or pointed or bool(POINTED_TIME.search(question) or ALONE.search(question))


def _group(word: str) -> str:
    if word in GENDER:
        return GENDER[word].value
    return "it" if word in THING else "they" if word in SEVERAL else "there"


def _meant(word: str, group: str, memory: DialogMemory) -> str:
    if word in GENDER:
        return memory.person(GENDER[word])
    return {"it": memory.thing, "they": memory.several, "there": memory.place}[group]()


def _means_something(text: str, found: re.Match[str]) -> bool:
    """Whether a pronoun stands for something that the question itself does not name before it."""
    word = found[1].lower()
    if word == "there":
        return not any(one.start() <= found.start() < one.end() for one in EXISTS.finditer(text))
    if any(one.start() <= found.start() < one.end() for one in NOTHING.finditer(text)):
        return False
    before = words_of(text[: found.start()])
    clause = next((at for at in range(len(before) - 1, 0, -1) if before[at].lower in CLAUSE), 0)
    owning = word in OWNING or (word == "her" and _names_a_thing(text[found.end() :]))
    searched = before[1:clause] if clause and not owning else before[1:] if owning else []
    if word in GENDER:
        return not any(is_capital(one.text) for one in searched)
    return not any(
        is_capital(one.text) or one.lower in ("the", "a", "an", "each", "every") for one in searched
    )


def _inflected(word: str, name: str, before: str, rest: str) -> str:
    """The name as the pronoun's place needs it."""
    if word == "there":
        words = words_of(before)
        last = words[-1].lower if words else ""
        if last in ("from", "in", "to", "near") or name.startswith(("in ", "at ", "on ")):
            return name
        return f"{'to' if last in MOVES else 'in'} {name}"
    if word in OWNING or (word == "her" and _names_a_thing(rest)):
        return f"{name}'" if name.endswith("s") and word == "their" else f"{name}'s"
    if word == "them" and before.lower().endswith(" of ") and name.split()[0].islower():
        return name if name.startswith("the ") else f"the {name}"
    return name[:1].upper() + name[1:] if not before.strip() else name


def _names_a_thing(rest: str) -> bool:
    """Whether "her" is followed by what is hers, not by the rest of a sentence about her.

    >>> _names_a_thing(" ship called?"), _names_a_thing(" for the drawings?"), _names_a_thing("?")
    (True, False, False)
    """
    following = re.match(r"\s+([\w-]+)", rest)
    return following is not None and following[1].lower() not in AFTER_OBJECT


def _fill_times(question: str, memory: DialogMemory) -> str:
    """ "That year" and "then" as the time that was spoken of."""

    def filled(found: re.Match[str]) -> str:
        time = memory.time()
        if not time:
            return found[0]
        if found[1] and found[1].lower() not in ("in", "at", "on"):
            return f"{found[1]} {re.sub(r'^(?:in|on|during) ', '', time)}" if _year_of(time) else found[0]
        return time

    return POINTED_TIME.sub(filled, question)


def _year_of(time: str) -> bool:
    return bool(re.search(r"\d{4}", time))


def _fill_pointed(question: str, memory: DialogMemory) -> tuple[str, str]:
    """ "That parameter", and "that" alone, as what was spoken of; and what that is."""
    for found in POINTED.finditer(question):
        noun = found[2].lower()
        if noun in NO_NOUN | WH or not _points(question, found) or _is_time_noun(noun):
            continue
        if noun in PERSON_NOUNS:
            name = memory.person(PERSON_NOUNS[noun])
        else:
            name = memory.several() if found[1].lower() in ("these", "those") else memory.thing()
        if name and (noun in name.lower() or memory.was_just_said(name)):
            filled = _with_noun(name, noun)
            return question[: found.start()] + filled + question[found.end() :], name
    found_alone = ALONE.search(question)
    name = memory.thing() if found_alone else ""
    if found_alone and name:
        return question[: found_alone.start()] + name + question[found_alone.end() :], name
    return question, ""


def _points(question: str, found: re.Match[str]) -> bool:
    """Whether "that" goes with the noun after it, not with the clause of the one before it."""
    before = words_of(question[: found.start()])
    last = before[-1].lower if before else "of"
    if last in DO and found[2] in COMMON:
        return False
    return last in PREPOSITIONS | AUXILIARIES | {"of", "and", "or"} or looks_finite(last)


def _is_time_noun(noun: str) -> bool:
    return noun.rstrip("s") in ("year", "time", "day", "month", "point", "period", "case")


def _with_noun(name: str, noun: str) -> str:
    """ "That lake" is the lake itself where its name says so.

    >>> _with_noun("Lake Orm", "lake"), _with_noun("the value of cache_size", "parameter")
    ('Lake Orm', 'the parameter cache_size')
    """
    if name.split()[0].islower() and not is_code(name) and not name.startswith("the "):
        return f"the {noun}"
    says = noun in name.lower().split() or head_of(name).lower() == noun
    typed = name.rpartition(" of ")[2]
    if not says and is_code(typed):
        return f"the {noun} {typed}"
    return name if says or name.startswith("the ") or "'s " in name else f"the {noun} {name}"
