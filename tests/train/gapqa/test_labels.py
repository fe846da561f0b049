from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from gap_toys import QUESTION, build

from lacuna.models.gapqa.relations import DIRECTIONS, Direction, Relation
from lacuna.retrieve.knowledge.build import Triple
from lacuna.retrieve.knowledge.knowledge_base import Knowledge
from lacuna.retrieve.knowledge.search import FoundSentence, FoundTriple, Triples
from lacuna.types import Choice
from lacuna_lab.gapqa.recipe import (
    KGD_NAMES,
    NONE_OF_THEM,
    UNKNOWN,
    connecting,
    distant_relations,
    kgd_relations,
    line_labels,
)

MADE_OF, MADE_OF_INVERSE = Direction(Relation.MADE_OF), Direction(Relation.MADE_OF, inverse=True)
IS_A_INVERSE = Direction(Relation.IS_A, inverse=True)
SYNONYM = Direction(Relation.SYNONYM_OF)


def places(*directions: Direction) -> frozenset[int]:
    return frozenset(map(DIRECTIONS.index, directions))


@pytest.fixture
def triples(tmp_path: Path) -> Triples:
    rows = [
        "MadeOf\tspoon\tmetal\t1\ta",
        "IsA\tsteel\tmetal\t1\ta",
        "IsA\tsock\tmetal\t1\ta",
        "IsA\tspoon\tmetal\t1\ta",
        "Synonym\tmetals\tores\t1\ta",
        "RelatedTo\toar\tmetal\t1\ta",
        "HasA\tmetal\tlustre\t1\ta",
    ]
    made = build(tmp_path, rows, ()).triples
    assert made is not None
    return made


def test_a_relation_that_a_wrong_choice_has_as_well_is_left_out(triples: Triples) -> None:
    assert connecting(triples, "metal", "a steel spoon") == {MADE_OF_INVERSE, IS_A_INVERSE}
    assert connecting(triples, "metal", "a wool sock") == {IS_A_INVERSE}
    assert distant_relations(triples, "metal", QUESTION) == places(MADE_OF_INVERSE)
    fewer = replace(QUESTION, choices=QUESTION.choices[:2])
    assert distant_relations(triples, "metal", fewer) == places(MADE_OF_INVERSE, IS_A_INVERSE)


def test_nothing_is_known_of_a_question_without_an_answer(triples: Triples) -> None:
    assert distant_relations(triples, "metal", replace(QUESTION, gold=None)) == frozenset()


@pytest.mark.parametrize(
    ("span", "choice", "found"),
    [
        ("metal", "the spoons", {MADE_OF_INVERSE, IS_A_INVERSE}),
        ("spoon", "metal", {MADE_OF, Direction(Relation.IS_A)}),
        ("metal", "spoon rest", set()),  # it is about a rest
        ("metal", "ore", {SYNONYM}),
        ("ore", "metal", {SYNONYM}),  # it has no inverse
        ("metal", "oar", set()),  # related, but by none of the nine
        ("metal", "lustre", {Direction(Relation.PART_OF, inverse=True)}),
        ("metal", "a big old cold steel spoon", set()),  # too long for one triple to relate
        ("the", "spoon", set()),
    ],
)
def test_what_connects(triples: Triples, span: str, choice: str, found: set[Direction]) -> None:
    assert connecting(triples, span, choice) == found


def test_kgds_own_names() -> None:
    assert kgd_relations(["madeof", "made of", "MADE_OF"]) == places(MADE_OF)
    assert kgd_relations(["isa-1", "madeof⁻¹"]) == places(IS_A_INVERSE, MADE_OF_INVERSE)
    assert kgd_relations(["synonym-1", "synonymof"]) == places(SYNONYM)
    assert kgd_relations(["related", "related-1", "no such"]) == frozenset()
    assert kgd_relations(KGD_NAMES) == {at for at, one in enumerate(DIRECTIONS) if not one.inverse}
    assert kgd_relations(one.name for one in DIRECTIONS) == set(range(len(DIRECTIONS)))


@pytest.mark.parametrize(
    ("triple", "label"),
    [
        (Triple("MadeOf", "metal", "spoon"), DIRECTIONS.index(MADE_OF)),
        (Triple("MadeOf", "a spoon", "metals"), DIRECTIONS.index(MADE_OF_INVERSE)),
        (Triple("Antonym", "metal", "spoon"), NONE_OF_THEM),
        (Triple("IsA", "metal spoon", "metal spoon"), UNKNOWN),  # could be read either way
        (Triple("IsA", "metal", "fork"), UNKNOWN),
    ],
)
def test_what_a_single_line_says(triple: Triple, label: int) -> None:
    known = Knowledge("metal", "steel spoon", triples=(FoundTriple(triple, 1.0),))
    assert line_labels(known) == (label, UNKNOWN)


def test_a_label_for_every_line() -> None:
    known = Knowledge(
        *("metal", "spoon"),
        (FoundSentence("A spoon is metal.", "book", 2.0),) * 2,
        (FoundTriple(Triple("IsA", "spoon", "metal"), 1.0),),
    )
    labels = line_labels(known)
    assert len(labels) == len(known.texts)
    assert labels == (UNKNOWN, UNKNOWN, DIRECTIONS.index(IS_A_INVERSE), UNKNOWN)
    assert line_labels(Knowledge("metal", Choice("A", "oar").text)) == (UNKNOWN,)
