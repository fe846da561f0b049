"""What a question names, and where texts speak of it."""

from __future__ import annotations

import re

from lacuna.pipeline.gaps.asked_for import (
    CONJUNCTIONS,
    DETERMINERS,
    PREPOSITIONS,
    PRONOUNS,
    WH,
)
from lacuna.pipeline.gaps.verbs import AUXILIARY
from lacuna.text import STOP_WORDS, words

_QUOTED = re.compile(r'[“"]([^”"]+)[”"]')
_CODE = re.compile(r"(?<![\w/.-])(?:-{1,2}[A-Za-z][\w-]*|[\w-]+(?:[_/.][\w-]+)+)")
_WORD = r"[A-Z][\w&-]*(?:['’]s(?= [A-Z]))?"
_CAPITALS = re.compile(
    rf"(?<![\w/.'’-]){_WORD}(?: \d[\w.-]*|(?: (?:of|the|and|de|von|for|in)){{0,2}} {_WORD})*"
)
_NO_NAMES = (
    WH
    | AUXILIARY
    | DETERMINERS
    | PREPOSITIONS
    | PRONOUNS
    | CONJUNCTIONS
    | frozenset({"name", "list", "tell", "give", "show", "describe", "explain", "roughly", "my"})
)


def names(question: str) -> list[str]:
    """What is quoted, written like code, or begins with capitals; in the order of the question.

    >>> names("How many pupils does Hobwick Academy have, says “the book”?")
    ['Hobwick Academy', 'the book']
    >>> names("May I read The Salt Road?")
    ['The Salt Road']
    >>> names("Is wal_log_hints on with -x in the Bank of Selmory?")
    ['wal_log_hints', '-x', 'Bank of Selmory']
    """
    found: list[tuple[int, int, str]] = []
    for pattern in (_QUOTED, _CODE, _CAPITALS):
        for match in pattern.finditer(question):
            start, name = match.start(match.re.groups), match[match.re.groups]
            if pattern is _CAPITALS:
                name = _without_ordinary(name, begins=not start or question[start - 2] in ".:;")
            start = match.end(match.re.groups) - len(name)
            name = name.rstrip(".-")
            if name and all(start >= end or start + len(name) <= begin for begin, end, _ in found):
                found.append((start, start + len(name), name))
    return [name for _, _, name in sorted(found)]


def _without_ordinary(name: str, *, begins: bool) -> str:
    """A name without the words before it that are capitals only by chance."""
    first, _, others = name.partition(" ")
    while first == "I" or first.islower() or (begins and _is_ordinary(first, others)):
        name, begins = others, False
        first, _, others = name.partition(" ")
    return name


def _is_ordinary(first: str, others: str) -> bool:
    """Whether a sentence may begin so that is not about a name."""
    return first.lower() in _NO_NAMES or (not others and first[1:].islower())


def content_words(text: str) -> frozenset[str]:
    """The words that carry meaning.

    >>> sorted(content_words("the city where Ada was born"))
    ['ada', 'born', 'city']
    """
    return frozenset(words(text)) - STOP_WORDS


def says(text: str, name: str) -> bool:
    """Whether a text has the name, whatever its case and signs.

    >>> says("The Bank-of Selmory.", "bank of Selmory"), says("Oscar", "Osc")
    (True, False)
    """
    wanted = words(name)
    return bool(wanted) and f" {' '.join(wanted)} " in f" {' '.join(words(text))} "
