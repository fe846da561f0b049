from __future__ import annotations

from pathlib import Path

import pytest

from lacuna.retrieve.knowledge.build import Triple, build_sentences, build_triples
from lacuna.retrieve.knowledge.knowledge_base import Knowledge, KnowledgeBase, back_off
from lacuna.retrieve.knowledge.search import Sentences, Triples, sentence_of


@pytest.fixture
def sources(tmp_path: Path) -> tuple[Triples, Sentences]:
    (tmp_path / "t").write_text("MadeOf\tbelt buckle\tmetal\t1\ta\n" * 2)
    (tmp_path / "s").write_text("book\tA buckle of metal holds the belt.\n")
    build_triples([tmp_path / "t"], tmp_path / "triples")
    build_sentences([tmp_path / "s"], tmp_path / "sentences")
    return Triples.open(tmp_path / "triples"), Sentences.open(tmp_path / "sentences")


def test_sentences_then_triples_then_the_back_off(sources: tuple[Triples, Sentences]) -> None:
    known = KnowledgeBase(*sources).about("metal", "belt buckle")
    assert known.found
    assert known.texts == (
        "A buckle of metal holds the belt.",
        "belt buckle is made of metal",
        "metal and belt buckle",
    )


def test_a_pair_of_which_nothing_is_known_has_the_back_off(
    sources: tuple[Triples, Sentences],
) -> None:
    known = KnowledgeBase(*sources).about("metal", "cotton candy")
    assert not known.found
    assert known == Knowledge("metal", "cotton candy")
    assert known.texts == (sentence_of(back_off("metal", "cotton candy")),)


def test_the_back_off_claims_no_relation() -> None:
    assert back_off("metal", "jeans") == Triple("BackOff", "metal", "jeans", 0.0)
    assert sentence_of(back_off("metal", "jeans")) == "metal and jeans"
