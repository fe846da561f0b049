"""Training questions by source."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from itertools import islice
from pathlib import Path

import pytest

from lacuna.datasets.hotpotqa.hotpotqa_format import document_of
from lacuna.errors import LacunaError
from lacuna.train.data.data_folder import BAD_ITEM, DEV, TRAIN
from lacuna.train.data.gold_only import GoldOnly
from lacuna.train.data.gold_pieces import opening_title, pieces
from lacuna.train.data.sources import training_questions
from lacuna.types import Answer, Document, Evidence, Gold, Question, SupportingFact

PASSAGE = "The ferry sails to Marrow."


def squad(*questions: tuple[str, str, int]) -> dict[str, object]:
    qas = [
        {"id": id_, "question": text, "answers": [{"text": "ferry", "answer_start": start}]}
        for id_, text, start in questions
    ]
    return {"title": "T", "paragraphs": [{"context": PASSAGE, "qas": qas}]}


def write(folder: Path, path: str, *articles: dict[str, object]) -> None:
    (folder / path).parent.mkdir(exist_ok=True)
    with gzip.open(folder / path, "wt") as out:
        json.dump({"version": "1", "data": list(articles)}, out)


def test_bad_offsets_and_dev_questions_are_left_out_and_counted(tmp_path: Path) -> None:
    good, bad = squad(("a", "What sails?", 4)), squad(("b", "What?", 5))
    write(tmp_path, TRAIN["squad1"].path, good, bad)
    write(tmp_path, DEV["squad2"].path)
    left_out: Counter[str] = Counter()
    (only,) = training_questions(
        "squad1", tmp_path, seed=1, left_out=left_out, evaluated=["squad2"]
    )
    assert only.id == "squad1/a"
    assert left_out == {BAD_ITEM: 1}

    write(tmp_path, DEV["squad2"].path, squad(("d", "What is it that sails?", 4)))
    left_out.clear()
    assert not list(
        training_questions("squad1", tmp_path, seed=1, left_out=left_out, evaluated=["squad2"])
    )
    assert left_out == {BAD_ITEM: 1, "passage in squad2 dev": 1}


def test_an_unknown_source_is_named(tmp_path: Path) -> None:
    with pytest.raises(LacunaError, match="squad3"):
        list(training_questions("squad3", tmp_path, seed=1, evaluated=()))


def test_dev_files_are_no_sources() -> None:
    assert not {file.path for file in TRAIN.values()} & {file.path for file in DEV.values()}
    assert not any("dev" in file.path or "contrast" in file.path for file in TRAIN.values())


@pytest.mark.parametrize(
    ("knowledge", "expected"),
    [
        ("It closed in 1846.First is read.", ["It closed in 1846.", "First is read."]),
        ('He made "Babe".The Award is old.', ['He made "Babe".', "The Award is old."]),
        ("M.S. Dhoni won. It was 1.5 m.", ["M.S. Dhoni won. It was 1.5 m."]),
        ('He sang "Go Now" in 1964.', ['He sang "Go Now" in 1964.']),
    ],
)
def test_articles_begin_where_no_blank_is(knowledge: str, expected: list[str]) -> None:
    assert [piece.text for piece in pieces(knowledge)] == expected


def test_opening_titles() -> None:
    assert opening_title("The Owl Service is a novel.") == "Owl Service"
    assert opening_title("David Vitter (born 1961), a lawyer, was elected.") == "David Vitter"
    assert opening_title("The city consists of parts.") == ""


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
    (made,) = GoldOnly(POOL).questions([gold_question(knowledge)], seed=1)
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
        (made,) = GoldOnly(POOL).questions([gold_question(knowledge)], seed=seed)
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


@pytest.mark.parametrize("name", [name for name in TRAIN if name != "hotpotqa_gold"])
def test_real_sources(name: str, data_folder: Path) -> None:
    questions = list(islice(training_questions(name, data_folder, seed=1, evaluated=()), 2000))
    assert questions
    assert len({question.id for question in questions}) == len(questions)
    for question in questions:
        assert question.id.startswith(f"{name}/")
        assert question.gold is not None
        assert question.gold.answers
        texts = {document.title: document.text for document in question.documents}
        if question.context is not None:
            assert question.context.title not in texts or name != "iirc"
            texts[question.context.title] = question.context.text
        for piece in question.gold.evidence or ():
            assert piece.end <= len(texts[piece.document])
