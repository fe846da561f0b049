from __future__ import annotations

import pytest

from lacuna.retrieve.knowledge.build import Triple
from lacuna.retrieve.knowledge.search import WORDS, inverse_sentence_of, sentence_of

SYMMETRIC = {
    "Antonym",
    "BackOff",
    "ConceptuallyRelatedTo",
    "DistinctFrom",
    "EtymologicallyRelatedTo",
    "LocatedNear",
    "RelatedTo",
    "SimilarSize",
    "SimilarTo",
    "Synonym",
}


def test_the_example_of_the_paper() -> None:
    assert sentence_of(Triple("MadeOf", "belt buckle", "metal")) == "belt buckle is made of metal"


@pytest.mark.parametrize(
    ("triple", "forward", "backward"),
    [
        (Triple("HasA", "cat", "tail"), "cat has tail", "tail belongs to cat"),
        (Triple("NotHasA", "bird", "tooth"), "bird does not have tooth", None),
        (Triple("PartOf", "roof", "house"), "roof is part of house", "house contains roof"),
        (Triple("capital", "peru", "lima"), None, "lima is the capital of peru"),
    ],
)
def test_both_directions(triple: Triple, forward: str | None, backward: str | None) -> None:
    assert forward is None or sentence_of(triple) == forward
    assert backward is None or inverse_sentence_of(triple) == backward


def test_a_relation_without_words_of_its_own_goes_by_the_paper_s_rule() -> None:
    triple = Triple("PoweredBy", "lamp", "battery")
    assert sentence_of(triple) == "lamp is powered by battery"
    assert inverse_sentence_of(triple) == "battery is what lamp is powered by"


@pytest.mark.parametrize("relation", sorted(WORDS))
def test_a_relation_reads_alike_from_both_sides_only_if_it_is_symmetric(relation: str) -> None:
    forward, backward = WORDS[relation]
    assert (forward == backward) == (relation in SYMMETRIC)


@pytest.mark.parametrize("relation", sorted(WORDS))
def test_only_negative_relations_are_negated(relation: str) -> None:
    for words in WORDS[relation]:
        assert ("not" in words.replace("cannot", "can not").split()) == relation.startswith("Not")
