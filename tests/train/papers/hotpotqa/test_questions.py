"""Questions of others in HotpotQA's form."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

pytest.importorskip("torch")

from lacuna.errors import LacunaError
from lacuna.types import Answer, Document, Evidence, Gold, Question, Role, SupportingFact
from lacuna_lab.papers.hotpotqa import (
    NEIGHBOURS,
    among_neighbours,
    check_sources,
    source_files,
    source_questions,
)

TEXTS = [
    "The mill stands in Orr. It was built in 1841.",
    "Grain came by boat. The last boat came in 1902.",
    "Ada Quill bought the mill. She sold it later.",
    "In 1841 the harbour froze. Nobody sailed.",
    "The roof burned. It was mended by hand.",
]


def _question(number: int, text: str, answer: str) -> Question:
    start = text.index(answer)
    place = Evidence("Orr Mill", start, start + len(answer), Role.ANSWER)
    gold = Gold((Answer.span(answer, place),))
    return Question(str(number), "When?", context=Document("Orr Mill", text), gold=gold)


ASKED = [
    _question(0, TEXTS[0], "1841"),
    *(_question(n, text, text.split()[0]) for n, text in enumerate(TEXTS[1:], 1)),
]


def test_a_question_stands_among_other_paragraphs_of_its_article() -> None:
    first = next(among_neighbours(ASKED, Random(1)))
    texts = [document.text for document in first.documents]
    assert TEXTS[0] in texts
    assert len(texts) == 1 + NEIGHBOURS
    assert TEXTS[3] not in texts  # it names the answer, too
    assert len({document.title for document in first.documents}) == len(texts)
    assert first.context is None


def test_the_sentence_with_the_answer_supports() -> None:
    first = next(among_neighbours(ASKED, Random(1)))
    own = next(document for document in first.documents if document.text == TEXTS[0])
    assert first.gold is not None
    assert first.gold.supporting_facts == (SupportingFact(own.title, 1),)
    assert first.gold.answers == (Answer.span("1841"),)


def test_the_own_paragraph_is_not_always_in_one_place() -> None:
    places = {
        [document.text for document in question.documents].index(question_text)
        for seed in range(20)
        for question, question_text in [(next(among_neighbours(ASKED, Random(seed))), TEXTS[0])]
    }
    assert len(places) > 1


def test_every_sentence_of_what_is_known_supports_where_only_that_is_known(tmp_path: Path) -> None:
    folder = tmp_path / "hotpotqa"
    folder.mkdir()
    knowledge = "Marrow is a ship. She sails to Orr.Ada Quill was her master."
    asked = {
        "question": "Who sailed the ship to Orr?",
        "knowledge": knowledge,
        "answer": "Ada Quill",
    }
    (folder / "train_gold_only.jsonl").write_text(json.dumps(asked) + "\n")
    pool = [
        {"title": f"Ship {n}", "sentences": [f"Ship {n} sails to the port of Orr.", " It is old."]}
        for n in range(6)
    ]
    (folder / "abstracts_pool.jsonl").write_text("".join(json.dumps(p) + "\n" for p in pool))
    assert len(source_files(["hotpotqa_gold"], tmp_path)) == 2
    (question,) = source_questions(["hotpotqa_gold"], tmp_path)
    assert question.gold is not None
    assert question.gold.supporting_facts
    supported = {fact.title for fact in question.gold.supporting_facts}
    gold = [document for document in question.documents if document.title in supported]
    assert sum(len(document.sentences) for document in gold) == 3
    assert len(question.gold.supporting_facts) == 3
    assert len(question.documents) > len(gold)


@pytest.mark.parametrize("sources", [[], ["hotpotqa", "wikidata"]])
def test_unknown_sources_are_refused(sources: list[str]) -> None:
    with pytest.raises(LacunaError, match=r"sources|wikidata"):
        check_sources(sources, "first.toml")
