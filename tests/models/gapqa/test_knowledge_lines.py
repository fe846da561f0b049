from __future__ import annotations

import pytest
from gap_toys import FACT, QUESTION, build

from lacuna.models.gapqa.rows import search_knowledge
from lacuna.retrieve.knowledge.knowledge_base import Knowledge, KnowledgeBase
from lacuna.types import Span

METAL = Span(0, 5)


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> KnowledgeBase:
    extra = "book\tHeat makes wool warm."
    return build(tmp_path_factory.mktemp("base"), sentences=[extra, "book\tMetal is in a spoon."])


def texts(known: Knowledge) -> set[str]:
    return {found.text for found in known.sentences}


def test_each_choice_is_looked_up_with_the_span(base: KnowledgeBase) -> None:
    oar, spoon, sock = search_knowledge(base, QUESTION, METAL)
    assert [one.choice for one in (oar, spoon, sock)] == [one.text for one in QUESTION.choices]
    assert {one.span for one in (oar, spoon, sock)} == {"metal"}
    assert not oar.found
    assert texts(spoon) == {"Metal is in a spoon."}
    assert {found.triple.head for found in spoon.triples} == {"spoon", "steel"}
    assert texts(sock) == set()
    assert {found.triple.relation for found in sock.triples} == {"Antonym"}


def test_by_the_whole_fact_more_is_found_but_the_span_is_read(base: KnowledgeBase) -> None:
    known = search_knowledge(base, QUESTION, METAL, by_span=False)
    assert texts(known[2]) == {"Heat makes wool warm."}
    assert {one.span for one in known} == {FACT[:5]}
