"""The demo's knowledge is whole, and fills the gaps of its questions without giving them away."""

from __future__ import annotations

from pathlib import Path

import pytest

from lacuna import Question, demo, get_dataset
from lacuna.datasets.openbookqa import is_short
from lacuna.models.gapqa.relations import direction_of
from lacuna.retrieve.knowledge.knowledge_base import BaseReport, KnowledgeBase, build_base
from lacuna.text import content_stems, sameness_key
from lacuna_lab.gapqa.recipe import rule_span


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, BaseReport]:
    folder = tmp_path_factory.mktemp("base")
    return folder, build_base((demo.TRIPLES, demo.SENTENCES), folder)


@pytest.fixture(scope="module")
def base(built: tuple[Path, BaseReport]) -> KnowledgeBase:
    return KnowledgeBase.open(built[0])


@pytest.fixture(scope="module")
def questions() -> list[Question]:
    with get_dataset("openbookqa").open(demo.OPENBOOK) as reader:
        return list(reader.questions())


def span_of(question: Question) -> str:
    assert question.fact is not None
    start, end = rule_span(question.fact, question.text)
    return question.fact[start:end]


def right(question: Question) -> str:
    assert question.gold is not None
    return question.gold.answers[0].texts[0]


def test_every_row_is_kept(built: tuple[Path, BaseReport]) -> None:
    _, report = built
    assert set(report.parts) == {"triples", "sentences"}
    for part in report.parts.values():
        assert part.kept == part.rows, str(part)
        assert part.kept > 100


def test_all_of_it_is_our_own(base: KnowledgeBase) -> None:
    assert base.triples is not None
    assert base.sentences is not None
    assert base.triples.sources == base.sentences.sources == {"demo"}


def test_no_fact_stands_among_the_sentences(questions: list[Question]) -> None:
    lines = demo.SENTENCES.read_text("utf-8").splitlines()
    sentences = {sameness_key(line.split("\t")[1]) for line in lines}
    assert not [one.fact for one in questions if sameness_key(one.fact or "") in sentences]


def test_questions_are_varied_and_short(questions: list[Question]) -> None:
    assert len(questions) == 20
    assert len({one.fact for one in questions}) == 20
    assert all(map(is_short, questions))
    assert all(len({choice.text for choice in one.choices}) == 4 for one in questions)
    labels = [one.gold.answers[0].label for one in questions if one.gold]
    assert {labels.count(label) for label in "ABCD"} == {5}


def test_the_gap_is_open_and_can_be_filled(base: KnowledgeBase, questions: list[Question]) -> None:
    relations = set()
    for question in questions:
        span, answer = span_of(question), right(question)
        assert not set(content_stems(answer)) & set(content_stems(question.fact or "")), question
        known = base.about(span, answer)
        assert known.sentences, question
        assert known.triples, question
        best = known.triples[0].triple
        head = set(content_stems(best.head)) & set(content_stems(span))
        relations.add(direction_of(best.relation, span_is_head=bool(head)))
    assert len(relations - {None}) >= 5, "not always the same relation"


def test_something_is_known_of_wrong_choices_too(
    base: KnowledgeBase, questions: list[Question]
) -> None:
    """Else it would be enough to see for which choice anything is found."""
    for question in questions:
        wrong = [one.text for one in question.choices if one.text != right(question)]
        assert any(base.about(span_of(question), choice).found for choice in wrong), question
