"""Pronouns of a question, with what they mean put in their place."""

from __future__ import annotations

import re
from dataclasses import dataclass

from lacuna.pipeline.dialog.kinds import NameKind
from lacuna.pipeline.dialog.memory import DialogMemory
from lacuna.pipeline.dialog.pointing import fill_pointed, fill_times
from lacuna.pipeline.dialog.words import CONJUNCTIONS, is_capital, is_code, words_of

GENDER = {
    **dict.fromkeys(("he", "him", "his"), NameKind.MAN),
    **dict.fromkeys(("she", "her"), NameKind.WOMAN),
}
THING = frozenset(("it", "its"))
SEVERAL = frozenset(("they", "them", "their"))
ACTING = frozenset(("he", "she", "it", "they"))
OWNING = frozenset(("his", "its", "their"))
PRONOUN = re.compile(r"\b(he|him|his|she|her|it|its|they|them|their|there)\b", re.IGNORECASE)
AFTER_OBJECT = frozenset(
    ("a", "an", "the", "to", "for", "in", "on", "at", "by", "of", "with", "from", "and", "or",
     "as", "when", "while", "after", "before", "during", "do", "die", "leave", "become", "was")
)  # fmt: skip
NOTHING = re.compile(
    r"\b(?:is|was|be) it (?:\w+ly )?(?:possible|true|necessary|allowed|required|better|best|common|"
    r"legal|known|said|important|okay|ok|enough|likely|time|safe to \w+ (?:a|the))\b"
    r"|\bdoes it (?:take|cost|matter|need) (?:\w+ )?(?:to|if|whether|that)\b|\btime is it\b",
    re.IGNORECASE,
)
"""Where "it" stands for nothing that was said before."""
EXISTS = re.compile(
    r"\b(?:is|are|was|were|be|been|will|has|have|had|exist) there\b"
    r"|\bthere (?:is|are|was|were|be|been)\b",
    re.IGNORECASE,
)
CLAUSE = frozenset(("when", "while", "if", "before", "after", "because", "since", "that", "which",
                    "who", "where", "until", "once", "unless")) | CONJUNCTIONS  # fmt: skip
MOVES = frozenset(
    ("move", "moved", "go", "went", "come", "came", "travel", "get", "sail", "return", "fly",
     "drive", "flee", "emigrate")
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class FilledIn:
    """A question with names in the place of pronouns; ``centre`` is what "it" or "they" meant."""

    text: str
    centre: str = ""
    unclear: frozenset[str] = frozenset()
    """Pronouns that are left, since nothing is known of them."""


def fill_in(question: str, memory: DialogMemory) -> FilledIn:
    """Put what is meant into the place of pronouns, as far as it is known."""
    text, centre = fill_pointed(fill_times(question, memory), memory)
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
    """Whether a pronoun stands for something that was said before the question.

    >>> [has_pronoun(text) for text in ("Is it old?", "Is there a lake?", "Is it true?")]
    [True, False, False]
    """
    return any(_means_something(question, found) for found in PRONOUN.finditer(question))


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
    searched = before[1:] if owning else before[1:clause] if clause and word in ACTING else []
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
        name = _owner(name) if word == "its" else name
        return f"{name}'" if name.endswith("s") and word == "their" else f"{name}'s"
    if word == "them" and before.lower().endswith(" of ") and name.split()[0].islower():
        return name if name.startswith("the ") else f"the {name}"
    return name[:1].upper() + name[1:] if not before.strip() else name


def _owner(name: str) -> str:
    """Whose it is: that of the setting, not of its value.

    >>> _owner("the default value of cache_size"), _owner("the plum cake")
    ('cache_size', 'the plum cake')
    """
    part = name.rpartition(" of ")[2]
    return part if is_capital(part) or is_code(part) else name


def _names_a_thing(rest: str) -> bool:
    """Whether "her" is followed by what is hers, not by the rest of a sentence about her.

    >>> _names_a_thing(" ship called?"), _names_a_thing(" for the drawings?"), _names_a_thing("?")
    (True, False, False)
    """
    following = re.match(r"\s+([\w-]+)", rest)
    return following is not None and following[1].lower() not in AFTER_OBJECT
