"""What a line of knowledge states of a key span and a choice: which of the nine relations.

A triple says it itself: its relation is known, and which of its ends is the span. A sentence says
what the model reads in it. Either counts only where it is about these two and little else.
"""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from lacuna.find.knowledge import Triple
from lacuna.find.knowledge.stems import content_stems
from lacuna.spot.relations import DIRECTIONS, Direction, direction_of

ABOUT = 0.5
"""The share of words that a line and the pair must have in common."""
LIKELY = 0.5
"""How likely a sentence must state a relation for it to count."""


class Statement(NamedTuple):
    """A relation, how much a line is about the pair, and how likely the model finds it there."""

    about: float
    likely: float
    direction: Direction


def triple_states(
    triple: Triple, span: str, choice: str, relations: Sequence[float]
) -> Statement | None:
    """What a triple states, if its ends are the span and the choice."""
    forward, backward = ends_shared(triple, span, choice)
    ways = {direction_of(triple.relation, span_is_head=forward > backward)}
    if forward == backward:  # it can be read either way, which matters unless that is the same
        ways.add(direction_of(triple.relation, span_is_head=True))
    (direction, *others) = ways
    if direction is None or others or max(forward, backward) < ABOUT:
        return None
    likely = relations[DIRECTIONS.index(direction)]
    return Statement(max(forward, backward), likely, direction)


def sentence_states(
    sentence: str, span: str, choice: str, relations: Sequence[float]
) -> Statement | None:
    """What a sentence states, if it says little else."""
    pair = {*content_stems(span), *content_stems(choice)}
    about, likely = shared(set(content_stems(sentence)), pair), max(relations)
    if about < ABOUT or likely < LIKELY:
        return None
    return Statement(about, likely, DIRECTIONS[relations.index(likely)])


def ends_shared(triple: Triple, span: str, choice: str) -> tuple[float, float]:
    """How much of their words the ends of a triple share with span and choice, the worse end of
    the two: with the span as head, and with the choice as head."""
    head, tail, first, second = (
        set(content_stems(text)) for text in (triple.head, triple.tail, span, choice)
    )
    return (
        min(shared(head, first), shared(tail, second)),
        min(shared(tail, first), shared(head, second)),
    )


def shared(some: AbstractSet[str], others: AbstractSet[str]) -> float:
    """The words of both as a share of the words of either.

    >>> shared({"steel", "spoon"}, {"spoon"})
    0.5
    """
    return len(some & others) / max(1, len(some | others))
