"""The paper's relations as KGD's files name them, and what their statements are made of."""

from __future__ import annotations

from lacuna.collect.tasks.task import Json
from lacuna.models.gapqa.relations import DIRECTIONS, PLACES, WORDS, Direction


def label_of(direction: Direction) -> str:
    """A relation as KGD's files write it.

    >>> from lacuna.models.gapqa.relations import Relation
    >>> label_of(Direction(Relation.MADE_OF, inverse=True))
    'madeof-1'
    """
    return f"{direction.relation.replace(' ', '')}{'-1' if direction.inverse else ''}"


BY_LABEL = {label_of(direction): direction for direction in DIRECTIONS}
"""All seventeen: nine relations, and the inverse of each but the last."""
STATEMENTS: list[Json] = [
    {"name": label, "words": WORDS[direction.relation], "inverse": direction.inverse}
    for label, direction in BY_LABEL.items()
]
"""A statement runs from the key term to the choice, an inverse one from the choice to the term."""
PLACE_WORDS = sorted(PLACES)
"""Words before which "is found in" becomes "is found": the place says how itself."""
