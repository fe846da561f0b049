"""Patterns that can match the same text in many ways, which may take for ever to find out.

A repeat is ambiguous where two branches of what it repeats begin with the same sign, or where what
it repeats may go on with the sign that it begins with. Repeats that give nothing back are safe.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from typing import Any

# What `re` is made of has no types.
code: Any = import_module("re._constants")
_parser: Any = import_module("re._parser")
FEW = 20
"""Times that something may be repeated without harm."""
SIGNS = frozenset(map(chr, range(256))) | frozenset("–—“”İé日\u2028")
ONE_SIGN = (code.LITERAL, code.NOT_LITERAL, code.ANY, code.IN)
REPEATS = (code.MAX_REPEAT, code.MIN_REPEAT)
CLASSES: dict[str, Callable[[str], bool]] = {
    "DIGIT": str.isdigit,
    "SPACE": str.isspace,
    "WORD": lambda sign: sign.isalnum() or sign == "_",
}


def ambiguous(pattern: re.Pattern[str]) -> list[str]:
    """What is wrong with a pattern: the signs that can be taken in several ways.

    >>> ambiguous(re.compile(r"(?:[^x]|a)*y"))
    ['two branches begin with a']
    >>> ambiguous(re.compile(r"(?:a+b?)*y")), ambiguous(re.compile(r"(?:a+b)*y"))
    (['it goes on as it begins, with a'], [])
    """
    return list(_faults(_parser.parse(pattern.pattern, pattern.flags), pattern.flags))


def _faults(items: Iterable[Any], flags: int) -> Iterator[str]:
    for kind, value in items:
        if kind in REPEATS and value[1] > FEW:
            yield from _repeat(list(value[2]), flags)
        for inner in _inner(kind, value):
            yield from _faults(inner, flags)


def _repeat(body: list[Any], flags: int) -> Iterator[str]:
    while len(body) == 1 and body[0][0] is code.SUBPATTERN:
        body = list(body[0][1][3])
    if len(body) == 1 and body[0][0] in ONE_SIGN:
        return
    if len(body) == 1 and body[0][0] is code.BRANCH:
        seen: set[str] = set()
        for branch in body[0][1][1]:
            begins = _first(branch, flags)[0]
            if both := sorted(seen & begins):
                yield f"two branches begin with {both[0]}"
            seen |= begins
    if both := sorted(_may_go_on(body, flags) & _first(body, flags)[0]):
        yield f"it goes on as it begins, with {both[0]}"


def _inner(kind: Any, value: Any) -> list[Any]:
    if kind in (*REPEATS, code.POSSESSIVE_REPEAT):
        return [value[2]]
    if kind is code.SUBPATTERN:
        return [value[3]]
    if kind is code.BRANCH:
        return list(value[1])
    if kind in (code.ASSERT, code.ASSERT_NOT):
        return [value[1]]
    return [value] if kind is code.ATOMIC_GROUP else []


def _first(items: Iterable[Any], flags: int) -> tuple[set[str], bool]:
    """The signs that it may begin with, and whether it may be empty."""
    signs: set[str] = set()
    for kind, value in items:
        if kind in ONE_SIGN:
            return signs | _signs(kind, value, flags), False
        empty = kind not in (code.SUBPATTERN, code.BRANCH, code.ATOMIC_GROUP)
        if kind in (*REPEATS, code.POSSESSIVE_REPEAT):
            empty = value[0] == 0
        if kind not in (code.ASSERT, code.ASSERT_NOT):
            for inner in _inner(kind, value):
                begins, nothing = _first(inner, flags)
                signs |= begins
                empty |= nothing
        if not empty:
            return signs, False
    return signs, True


def _may_go_on(items: Iterable[Any], flags: int) -> set[str]:
    """The signs that what was matched could have had more of at its end."""
    signs: set[str] = set()
    for kind, value in reversed(list(items)):
        if kind in REPEATS and value[1] > value[0]:
            signs |= _first(value[2], flags)[0]
        elif kind in (code.SUBPATTERN, code.BRANCH):
            for inner in _inner(kind, value):
                signs |= _may_go_on(inner, flags)
        if not _first([(kind, value)], flags)[1]:
            break
    return signs


def _signs(kind: Any, value: Any, flags: int) -> set[str]:
    if kind is code.LITERAL:
        return {chr(value)}
    if kind is code.NOT_LITERAL:
        return set(SIGNS - {chr(value)})
    if kind is code.ANY:
        return set(SIGNS) if flags & re.DOTALL else set(SIGNS - {"\n"})
    signs: set[str] = set()
    for part, what in value:
        if part is code.LITERAL:
            signs.add(chr(what))
        elif part is code.RANGE:
            signs |= {sign for sign in SIGNS if what[0] <= ord(sign) <= what[1]}
        elif part is code.CATEGORY:
            name = str(what)
            belongs = CLASSES[name.rpartition("_")[2]]
            signs |= {sign for sign in SIGNS if bool(belongs(sign)) != ("NOT" in name)}
    return set(SIGNS - signs) if value[0][0] is code.NEGATE else signs
