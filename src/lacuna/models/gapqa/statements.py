"""What a line of knowledge states of a key span and a choice: which of the nine relations.

A triple states it itself: its relation is known, and which of its ends is the span. A sentence
states what the model reads in it. Either counts only where it is about these two and little else.
"""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from lacuna.models.gapqa.relations import DIRECTIONS, Direction, direction_of
from lacuna.retrieve.knowledge import Triple
from lacuna.text import content_stems, sameness_key

ABOUT = 0.5
"""The share of words that a line and the pair must have in common."""
LIKELY = 0.9
"""How likely a sentence must state a relation for it to count: below, it is rarely so."""


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
    about = max(forward, backward)
    # Words that span and choice share fit both ends, so that they tell nothing by themselves.
    if about < (1 if _stems(span) & _stems(choice) else ABOUT):
        return None
    ahead, back = (direction_of(triple.relation, span_is_head=head) for head in (True, False))
    if forward == backward and ahead != back:  # it can be read either way, and that matters
        return None
    direction = ahead if forward >= backward else back
    if direction is None:
        return None
    return Statement(about, relations[DIRECTIONS.index(direction)], direction)


def sentence_states(
    sentence: str, span: str, choice: str, relations: Sequence[float]
) -> Statement | None:
    """What a sentence states, if it is about the two, says little else, and says it clearly."""
    stems, first, second = (_stems(text) for text in (sentence, span, choice))
    about, likely = shared(stems, first | second), max(relations)
    of_both = stems & (first - second) and stems & (second - first)
    if not of_both or about < ABOUT or likely < LIKELY:
        return None
    return Statement(about, likely, DIRECTIONS[relations.index(likely)])


def ends_shared(triple: Triple, span: str, choice: str) -> tuple[float, float]:
    """How much of their words the ends of a triple share with span and choice, the worse end of
    the two: with the span as head, and with the choice as head."""
    head, tail, first, second = (_stems(text) for text in (triple.head, triple.tail, span, choice))
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


def same_words(span: str, choice: str) -> bool:
    """Whether a choice is the key span itself.

    >>> same_words("the metals", "metal"), same_words("+", "-")
    (True, False)
    """
    key = sameness_key(span)
    return key == sameness_key(choice) and (bool(key) or span == choice)


def _stems(text: str) -> set[str]:
    return set(content_stems(text))
