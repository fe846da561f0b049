"""Supporting sentences put back among paragraphs."""

from __future__ import annotations

import pytest

from lacuna.datasets.hotpotqa import document_of
from lacuna.types import Answer, Document, Evidence, Gold, Question, SupportingFact
from lacuna_lab.data.hotpotqa import GoldParagraphs, articles_of


@pytest.mark.parametrize(
    ("knowledge", "expected"),
    [
        ("It closed in 1846.First is read.", ["It closed in 1846.", "First is read."]),
        ('He made "Babe".The Award is old.', ['He made "Babe".', "The Award is old."]),
        ("M.S. Dhoni won. It was 1.5 m.", ["M.S. Dhoni won. It was 1.5 m."]),
        ('He sang "Go Now" in 1964.', ['He sang "Go Now" in 1964.']),
    ],
)
def test_articles_begin_where_no_space_is(knowledge: str, expected: list[str]) -> None:
    assert [article.text for article in articles_of(knowledge)] == expected


def gold_question(knowledge: str) -> Question:
    document = Document("knowledge", knowledge)
    gold = Gold((Answer.span("Ada Quill"),), evidence=(Evidence("knowledge", 0, len(knowledge)),))
    return Question("q", "Who built the ferry Marrow?", documents=(document,), gold=gold)


POOL = [
    document_of("Marrow", ["Marrow is a ferry.", " It sails.", " Ada Quill built it."]),
    document_of("Ada Quill", ["Ada Quill is a pilot.", " She sails."]),
    *(document_of(f"Ferry {n}", [f"Ferry {n} is a ferry.", " It is old."]) for n in range(6)),
]


def test_gold_sentences_get_their_paragraphs_and_others_beside_them() -> None:
    knowledge = "Marrow is a ferry. Ada Quill built it.Ada Quill is a pilot."
    (made,) = GoldParagraphs(POOL).questions([gold_question(knowledge)], seed=1)
    assert made.gold is not None
    assert made.gold.supporting_facts == (
        SupportingFact("Marrow", 0),
        SupportingFact("Marrow", 2),
        SupportingFact("Ada Quill", 0),
    )
    assert made.gold.evidence is not None
    assert {piece.document for piece in made.gold.evidence} == {"Marrow", "Ada Quill"}
    others = [document for document in made.documents if document.title.startswith("Ferry")]
    assert 2 <= len(others) <= 4
    assert len(made.documents) == 2 + len(others)


def test_unknown_gold_keeps_its_sentences_and_names_are_unique() -> None:
    knowledge = "Tarn is a lake. Ada Quill saw it.It is deep.It was sold. She knew."
    for seed in range(20):
        (made,) = GoldParagraphs(POOL).questions([gold_question(knowledge)], seed=seed)
        assert made.gold is not None
        assert made.gold.supporting_facts is None
        titles = [document.title for document in made.documents]
        assert "" not in titles
        assert len(set(titles)) == len(titles)
        texts = {document.title: document.text for document in made.documents}
        assert {texts[piece.document] for piece in made.gold.evidence or ()} == {
            "Tarn is a lake. Ada Quill saw it.",
            "It is deep. It was sold. She knew.",
        }
