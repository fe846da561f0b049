"""Answers that say the same: what speaks for one of them speaks for all."""

from __future__ import annotations

from collections.abc import Sequence

from lacuna.types import Answer, AnswerKind

AROUND = ".,;:!?\"'()[]“”‘’"
"""Signs around words that say nothing."""


def grouped(answers: Sequence[Answer], chances: Sequence[float]) -> list[list[int]]:
    """The numbers of the answers that say the same; in each group the likeliest comes first."""
    groups: list[list[int]] = []
    for number in sorted(range(len(answers)), key=lambda each: -chances[each]):
        for group in groups:
            if say_the_same(answers[group[0]], answers[number]):
                group.append(number)
                break
        else:
            groups.append([number])
    return groups


def say_the_same(one: Answer, other: Answer) -> bool:
    """By their words; of numbers the amount counts, and a span may be part of a longer one.

    >>> say_the_same(Answer.span("Cargo.lock"), Answer.span("the Cargo.lock file"))
    True
    >>> say_the_same(Answer.span("lock"), Answer.span("locked"))
    False
    """
    if one.kind is not other.kind:
        return False
    if one.kind is AnswerKind.NUMBER and one.value is not None and other.value is not None:
        units = {one.unit, other.unit} - {""}
        return one.value == other.value and len(units) <= 1
    if one.text.casefold().split() == other.text.casefold().split():
        return True
    return one.kind is AnswerKind.SPAN and _is_part(*sorted((one.text, other.text), key=len))


def _is_part(short: str, long: str) -> bool:
    inner, outer = (
        [word.strip(AROUND) for word in text.casefold().split()] for text in (short, long)
    )
    places = range(len(outer) - len(inner) + 1)
    return bool(inner) and any(outer[at : at + len(inner)] == inner for at in places)
