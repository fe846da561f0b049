"""The relations that may be missing in a gap, and what lines of knowledge state."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from enum import StrEnum
from typing import TYPE_CHECKING, Final, NamedTuple

from lacuna.text import content_stems, sameness_key

if TYPE_CHECKING:
    from lacuna.retrieve.knowledge.build import Triple


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
    """The relation that a triple between the span and the choice states; None where it is none of
    the nine.

    >>> direction_of("HasA", span_is_head=True).name
    'part of⁻¹'
    """
    if conceptnet not in CONCEPTNET:
        return None
    relation, swapped = CONCEPTNET[conceptnet]
    inverse = span_is_head is swapped
    return Direction(relation, inverse and relation is not Relation.SYNONYM_OF)


# What a line of knowledge states of a key span and a choice: which of the nine relations.
#
# A triple states it itself: its relation is known, and which of its ends is the span. A sentence
# states what the model reads in it. Either counts only where it is about these two and little
# else.


ABOUT = 0.5
"""The share of words that a line and the pair must have in common."""
LIKELY = 0.9
"""The least probability with which a sentence must state a relation to count."""


class Statement(NamedTuple):
    """A relation, how much a line is about the pair, and how likely the model finds it there."""

    about: float
    likely: float
    direction: Direction


def triple_states(
    triple: Triple, span: str, choice: str, relations: Sequence[float]
) -> Statement | None:
    """The relations that a triple states, if its ends are the span and the choice."""
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
    """The relations that a sentence states, if it is about the two, says little else, and says it
    clearly."""
    stems, first, second = (_stems(text) for text in (sentence, span, choice))
    about, likely = shared(stems, first | second), max(relations)
    of_both = stems & (first - second) and stems & (second - first)
    if not of_both or about < ABOUT or likely < LIKELY:
        return None
    return Statement(about, likely, DIRECTIONS[relations.index(likely)])


def ends_shared(triple: Triple, span: str, choice: str) -> tuple[float, float]:
    """The share of their words that the ends of a triple have in common with span and choice, the
    worse end of the two: with the span as head, and with the choice as head."""
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
    """Tell if a choice is the key span itself.

    >>> same_words("the metals", "metal"), same_words("+", "-")
    (True, False)
    """
    key = sameness_key(span)
    return key == sameness_key(choice) and (bool(key) or span == choice)


def _stems(text: str) -> set[str]:
    return set(content_stems(text))
