"""Relation labels by distant supervision: from triples that directly connect span and choice.

A triple connects them if one of its ends is the span and the other the choice, or the last content
words of each ("spoon" of "steel spoon"): the head of an English noun phrase comes last. As in the
instructions to KGD's annotators, relations that hold for a wrong choice as well are left out.
"""

from __future__ import annotations

from collections.abc import Iterable

from lacuna.models.gapqa.relations import DIRECTIONS, Direction, Relation, direction_of
from lacuna.models.gapqa.statements import ends_shared
from lacuna.retrieve.knowledge import Knowledge, Triple, Triples
from lacuna.text import content_stems
from lacuna.types import Question

CANDIDATES = 30
LONGEST_END = 3
"""Content words of a span or a choice beyond which no single triple relates the two."""
KGD_NAMES = {
    **{str(relation).replace(" ", ""): relation for relation in Relation},
    "synonym": Relation.SYNONYM_OF,
    "definition": Relation.DEFINED_AS,
}


def distant_relations(triples: Triples, span: str, question: Question) -> frozenset[int]:
    """The relations of the right choice, as places in ``DIRECTIONS``; empty if none is known."""
    if question.gold is None or not question.gold.answers:
        return frozenset()
    right = question.gold.answers[0].label
    held = {choice.label: connecting(triples, span, choice.text) for choice in question.choices}
    wrong = frozenset[Direction]().union(*(held[label] for label in held if label != right))
    return frozenset(map(DIRECTIONS.index, held[right] - wrong))


def connecting(triples: Triples, span: str, choice: str) -> frozenset[Direction]:
    """The relations of the triples between a span and a choice."""
    ends = content_stems(span), content_stems(choice)
    if not all(0 < len(end) <= LONGEST_END for end in ends):
        return frozenset()
    directions = set()
    for triple, _ in triples.search(span, choice, CANDIDATES):
        head, tail = content_stems(triple.head), content_stems(triple.tail)
        for span_is_head, (first, second) in ((True, (head, tail)), (False, (tail, head))):
            if _is_end(first, ends[0]) and _is_end(second, ends[1]):
                directions.add(direction_of(triple.relation, span_is_head=span_is_head))
    return frozenset(direction for direction in directions if direction is not None)


def _is_end(phrase: list[str], of: list[str]) -> bool:
    return bool(phrase) and phrase == of[-len(phrase) :]


UNKNOWN = -1
NONE_OF_THEM = len(DIRECTIONS)
"""Labels of lines that are no triples, and of triples whose relation is none of the nine."""


def line_labels(known: Knowledge) -> tuple[int, ...]:
    """The relation that each line of knowledge states about span and choice, if it is a triple.

    Far more lines than questions have a label: from them a model learns what relations look like.
    """
    triples = (_stated(found.triple, known.span, known.choice) for found in known.triples)
    return (*(UNKNOWN for _ in known.sentences), *triples, UNKNOWN)


def _stated(triple: Triple, span: str, choice: str) -> int:
    forward, backward = ends_shared(triple, span, choice)
    if bool(forward) is bool(backward):  # it could be read either way
        return UNKNOWN
    direction = direction_of(triple.relation, span_is_head=bool(forward))
    return NONE_OF_THEM if direction is None else DIRECTIONS.index(direction)


def kgd_relations(names: Iterable[str]) -> frozenset[int]:
    """KGD's own labels as places in ``DIRECTIONS``; "related" and what it has no name for are not
    among the nine.

    >>> sorted(kgd_relations(["isa-1", "madeof"])) == sorted(map(DIRECTIONS.index, (
    ...     Direction(Relation.IS_A, True), Direction(Relation.MADE_OF))))
    True
    """
    places = set()
    for name in names:
        plain = name.casefold().replace(" ", "").replace("_", "").replace("⁻¹", "-1")
        inverse = plain.endswith("-1")
        relation = KGD_NAMES.get(plain.removesuffix("-1"))
        if relation is not None:
            inverse = inverse and relation is not Relation.SYNONYM_OF
            places.add(DIRECTIONS.index(Direction(relation, inverse)))
    return frozenset(places)
