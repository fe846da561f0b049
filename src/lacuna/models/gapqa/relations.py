"""The relations that may be missing between a key span and a choice (GapQA, section 3.2).

Nine relations, each but the last in both directions. A relation runs from the span to the choice;
its inverse runs from the choice to the span.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final, NamedTuple


class Relation(StrEnum):
    """The nine relations of the paper."""

    CAUSES = "causes"
    DEFINED_AS = "defined as"
    ENABLES = "enables"
    IS_A = "is a"
    LOCATED_IN = "located in"
    MADE_OF = "made of"
    PART_OF = "part of"
    PROVIDES = "provides"
    SYNONYM_OF = "synonym of"


WORDS: Final = {
    Relation.CAUSES: "causes",
    Relation.DEFINED_AS: "is defined as",
    Relation.ENABLES: "enables",
    Relation.IS_A: "is a kind of",
    Relation.LOCATED_IN: "is found in",
    Relation.MADE_OF: "is made of",
    Relation.PART_OF: "is part of",
    Relation.PROVIDES: "provides",
    Relation.SYNONYM_OF: "means the same as",
}

PLACES: Final = frozenset(
    {"above", "along", "among", "around", "at", "behind", "below", "beneath", "beside", "between"}
    | {"by", "in", "inside", "near", "on", "outside", "over", "under", "underneath", "within"}
)
"""Words with which an end may say itself how something is placed there."""


class Direction(NamedTuple):
    """A relation and which way it runs."""

    relation: Relation
    inverse: bool = False

    @property
    def name(self) -> str:
        """A short name: the inverse has a minus one, as in the paper.

        >>> Direction(Relation.MADE_OF, inverse=True).name
        'made of⁻¹'
        """
        return f"{self.relation}{'⁻¹' if self.inverse else ''}"

    def sentence(self, span: str, choice: str) -> str:
        """The filled gap in words.

        >>> Direction(Relation.MADE_OF, inverse=True).sentence("metal", "a steel spoon")
        'a steel spoon is made of metal'
        >>> Direction(Relation.LOCATED_IN).sentence("sea ice", "in the Arctic")
        'sea ice is found in the Arctic'
        >>> Direction(Relation.LOCATED_IN).sentence("magma", "Below the ground")
        'magma is found Below the ground'
        """
        first, second = (choice, span) if self.inverse else (span, choice)
        words = WORDS[self.relation]
        if self.relation is Relation.LOCATED_IN and second.split(" ")[0].casefold() in PLACES:
            words = words.removesuffix(" in")
        return f"{first} {words} {second}"


DIRECTIONS: Final = tuple(
    Direction(relation, inverse)
    for relation in Relation
    for inverse in (False, True)
    if not (inverse and relation is Relation.SYNONYM_OF)
)
"""All seventeen, in the order of the model's scores: a model must be trained anew if it changes."""

# What ConceptNet calls them: (relation, whether head and tail change places).
CONCEPTNET: Final = {
    "AtLocation": (Relation.LOCATED_IN, False),
    "Causes": (Relation.CAUSES, False),
    "CreatedBy": (Relation.PROVIDES, True),
    "DefinedAs": (Relation.DEFINED_AS, False),
    "HasA": (Relation.PART_OF, True),
    "HasPrerequisite": (Relation.ENABLES, True),
    "HasSubevent": (Relation.CAUSES, False),
    "InstanceOf": (Relation.IS_A, False),
    "IsA": (Relation.IS_A, False),
    "LocatedNear": (Relation.LOCATED_IN, False),
    "MadeOf": (Relation.MADE_OF, False),
    "PartOf": (Relation.PART_OF, False),
    "SimilarTo": (Relation.SYNONYM_OF, False),
    "Synonym": (Relation.SYNONYM_OF, False),
    "UsedFor": (Relation.ENABLES, False),
    "product": (Relation.PROVIDES, False),
}


def direction_of(conceptnet: str, *, span_is_head: bool) -> Direction | None:
    """What a triple between the span and the choice says; None where it is none of the nine.

    >>> direction_of("HasA", span_is_head=True).name
    'part of⁻¹'
    """
    if conceptnet not in CONCEPTNET:
        return None
    relation, swapped = CONCEPTNET[conceptnet]
    inverse = span_is_head is swapped
    return Direction(relation, inverse and relation is not Relation.SYNONYM_OF)
