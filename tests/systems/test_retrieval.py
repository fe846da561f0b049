"""Which documents are gold, and how retrievers are compared by them."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

import lacuna
from lacuna.corpus.store import Store
from lacuna.errors import LacunaError
from lacuna.evaluation.retrieval import gold_documents, rankings
from lacuna.metrics.retrieval import paper_scores
from lacuna.retrieve.registry import Hit, Retriever
from lacuna.types import Answer, Document, Gold, Question, SupportingFact

SOME = (Answer.yes(),)


class Listed:
    """Finds the same passages whatever is asked."""

    name = "listed"

    def __init__(self, *titles: str) -> None:
        self.hits = [Hit(title, 1.0, 0, 1) for title in titles]

    def search(self, query: str, k: int = 10) -> list[Hit]:
        return self.hits[:k]

    def search_many(
        self, queries: Iterable[str], k: int = 10, *, threads: int = 1
    ) -> list[list[Hit]]:
        return [self.search(query, k) for query in queries]


@pytest.fixture
def corpus(tmp_path: Path, examples: Path) -> Path:
    with Store.create(tmp_path / "corpus") as store, store.writer() as writer:
        with lacuna.get_dataset("hotpotqa").open(examples / "hotpotqa.json") as reader:
            documents = {d.title: d for q in reader.questions() for d in q.documents}
        writer.add(documents.values())
    return tmp_path / "corpus"


def test_gold_documents_are_those_of_facts_or_links() -> None:
    passage = Document("Page", "text")
    facts = (SupportingFact("A", 0), SupportingFact("B &amp; C", 1), SupportingFact("A", 2))
    questions = [
        Question("1", "one?", gold=Gold(SOME, supporting_facts=facts)),
        Question("2", "two?", passage, gold=Gold(SOME, links=("a", "lost"))),
        Question("3", "three?", passage, gold=Gold(SOME, links=())),
        Question("4", "four?", passage, gold=Gold(SOME, links=("b",))),
        Question("5", "five?"),
    ]
    known = {"A": "A", "B & C": "B & C", "a": "A", "b": "B"}
    texts = {"A": "It says yes.", "B & C": "", "B": ""}
    wanted = gold_documents(questions, known.get, texts.__getitem__)
    assert [(one.question, set(one.titles), one.group) for one in wanted] == [
        ("one?", {"A", "B & C"}, 1),
        ("two?", {"A", "lost"}, 2),
        ("four?", {"B"}, 2),
    ]


def test_a_document_has_the_rank_of_its_best_passage() -> None:
    assert rankings(Listed("B", "A", "B", "C"), ["?", "?"], 4) == [["B", "A", "C"]] * 2


def test_retrievers_are_compared(corpus: Path, examples: Path) -> None:
    retrievers: list[Retriever | str] = ["bm25", "hotpotqa", Listed("Nowhere")]
    table = lacuna.evaluate_retrieval(
        retrievers, "hotpotqa", examples / "hotpotqa.json", corpus=corpus, k=5
    )
    assert [system.name for system in table.systems] == ["bm25", "hotpotqa", "listed"]
    bm25, _, listed = table.systems
    assert listed.scores["hits@10"] == 0.0
    assert listed.scores["mean_rank"] == 6.0, "right after the five"
    assert listed.scores["paper_mean_rank"] == 2.0, "right after the one that was found"
    assert listed.scores["paper_map"] == pytest.approx((3 / 4 + 5 / 6) / 2), "it flatters"
    assert (bm25.scores["hits@10"] or 0) > 0
    tests = table.tests[2]
    assert tests is not None
    assert tests["map"] is not None
    assert tests["map"].difference == -(bm25.scores["map"] or 0)
    assert "| mean_rank | listed | 6.0 |" in table.to_markdown()


def test_the_rank_of_the_document_that_has_the_answer() -> None:
    facts = (SupportingFact("A", 0), SupportingFact("B", 0))
    questions = [
        Question("1", "one?", gold=Gold((Answer.span("Osk"),), supporting_facts=facts)),
        Question("2", "two?", gold=Gold((Answer.no(),), supporting_facts=facts)),
    ]
    texts = {"A": "Nothing.", "B": "The ferry to OSK."}
    span, no = gold_documents(questions, lambda title: title, texts.__getitem__)
    assert span.with_answer == {"B"}
    assert no.with_answer == frozenset(), "yes and no stand in no document"
    assert paper_scores(["x", "B"], span.titles, span.with_answer)["answer_rank"] == 2
    assert paper_scores(["x"], span.titles, span.with_answer)["answer_rank"] == 2, "after the one"
    assert paper_scores(["x"], no.titles, no.with_answer)["answer_rank"] is None


def test_what_cannot_be_evaluated(corpus: Path, examples: Path) -> None:
    hotpotqa, squad = examples / "hotpotqa.json", examples / "squad.json"
    with pytest.raises(LacunaError, match="Give one with --corpus DIR"):
        lacuna.evaluate_retrieval("bm25", "hotpotqa", hotpotqa)
    with pytest.raises(LacunaError, match="says which documents answer it"):
        lacuna.evaluate_retrieval("bm25", "squad", squad, corpus=corpus)
    with pytest.raises(LacunaError, match="Two retrievers are called 'bm25'"):
        lacuna.evaluate_retrieval(["bm25", "bm25"], "hotpotqa", hotpotqa, corpus=corpus)
    with pytest.raises(LacunaError, match="at least one"):
        lacuna.evaluate_retrieval([], "hotpotqa", hotpotqa, corpus=corpus)
    with pytest.raises(LacunaError, match="numbered from 0"):
        lacuna.evaluate_retrieval(["bm25"], "hotpotqa", hotpotqa, corpus=corpus, baseline=3)


def test_the_demo_is_searched_without_a_file() -> None:
    table = lacuna.evaluate_retrieval(["bm25"], "iirc", k=10)
    assert 0.5 < (table.systems[0].scores["hits@10"] or 0) < 1
