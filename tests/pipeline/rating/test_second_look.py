"""The likeliest answers, read again with their passages."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from pipeline_parts import TEXTS, FakeReader, FakeRetriever

from lacuna.corpus.store import Store
from lacuna.models.calibration import AnswerScorer
from lacuna.models.reader.reader import ScoredAnswer, SecondLook
from lacuna.pipeline.config import PipelineConfig
from lacuna.pipeline.pipeline import Pipeline
from lacuna.pipeline.query import Query
from lacuna.pipeline.result import Result
from lacuna.pipeline.second_look import LOOKED, NOT_HERE, RIGHT
from lacuna.types import Answer, AnswerKind, Document, Prediction, Question, SupportingFact

TITLES = ("Marrow", "Ada Quill", "Port Ellery")
PLAIN = {"relevance": 1.0}
TWICE = {**PLAIN, RIGHT: 2.0, LOOKED: -1.0}


class LookingReader(FakeReader):
    """Finds one of its answers right when it looks again, and the others not there."""

    looks_twice = True

    def __init__(self, *answers: str, right: str = "") -> None:
        super().__init__(*answers)
        self.right = right
        self.looked: list[tuple[Answer, Document]] = []

    def look_again(
        self, asked: Sequence[tuple[str, Sequence[tuple[Answer, Document]]]]
    ) -> list[list[SecondLook]]:
        self.looked += [pair for _, answers in asked for pair in answers]
        return [[self._look(answer) for answer, _ in answers] for _, answers in asked]

    def _look(self, answer: Answer) -> SecondLook:
        right = answer.text == self.right
        return SecondLook(0.9, 0.05, 0.05) if right else SecondLook(0.05, 0.05, 0.9)


class YesReader(LookingReader):
    """Says yes, by the second sentence of a text."""

    def _score(self, question: Question) -> ScoredAnswer:
        sentences = tuple(
            (SupportingFact(text.title, number), float(number == 1))
            for text in question.documents
            for number in range(len(text.sentences))
        )
        return ScoredAnswer(Prediction(Answer.yes()), -0.1, 4.0, sentences)


def ask(
    store: Store,
    reader: FakeReader,
    weights: dict[str, float],
    *titles: str,
    question: str = "When was it?",
    config: PipelineConfig | None = None,
) -> Result:
    reader.scorer = AnswerScorer(weights, 0.0)
    found = FakeRetriever(*titles)
    return Pipeline(store, reader, retriever=found, config=config or PipelineConfig()).ask(question)


def reader_of(*answers: str, right: str = "") -> LookingReader:
    reader = LookingReader(*answers, right=right)
    reader.relevant = {"Marrow": 2.0, "Ada Quill": 1.0, "Port Ellery": 0.0}
    return reader


def test_a_second_look_may_prefer_what_the_first_did_not(ferries: Store) -> None:
    reader = reader_of("1931", "1897", right="1897")
    assert ask(ferries, reader, PLAIN, *TITLES).answer.text == "1931"
    assert reader.looked == []
    result = ask(ferries, reader, TWICE, *TITLES)
    assert result.answer.text == "1897"
    assert (result.confidence or 0) > 0.9


def test_an_answer_is_judged_in_its_passage(ferries: Store) -> None:
    reader = reader_of("1931", "1897")
    ask(ferries, reader, TWICE, *TITLES)
    assert {answer.text for answer, _ in reader.looked} == {"1931", "1897"}
    for answer, passage in reader.looked:
        (place,) = answer.found_at
        assert place.document == passage.title
        assert passage.text[place.start : place.end] == answer.text
        assert passage.text == TEXTS[passage.title]


def test_none_is_read_again_twice(ferries: Store) -> None:
    reader = reader_of("1931", "1897", "2,300")
    ask(ferries, reader, TWICE, *TITLES, config=PipelineConfig(second_looks=3))
    places = [(answer.text, passage.title) for answer, passage in reader.looked]
    assert len(places) == len(set(places)) == 3


def test_only_the_likeliest_are_read_again(ferries: Store) -> None:
    assert PipelineConfig().second_looks == 2
    reader = reader_of("1931", "1897", "2,300")
    config = PipelineConfig(second_looks=1)
    pipeline = Pipeline(ferries, reader, retriever=FakeRetriever(*TITLES), config=config)
    (considered,) = pipeline.considered_many([Query("When was it?")])
    assert {one.answer.text for one in considered if one.features[LOOKED]} == {
        reader.looked[0][0].text
    }
    for one in considered:
        assert {RIGHT, NOT_HERE} <= one.features.keys()
        assert one.features[LOOKED] or not one.features[RIGHT]


@pytest.mark.parametrize("right", ["yes", "no"])
def test_yes_and_no_are_both_judged_by_the_sentence_that_decides(
    ferries: Store, right: str
) -> None:
    reader = YesReader(right=right)
    reader.relevant = {"Marrow": 1.0}
    result = ask(ferries, reader, TWICE, "Marrow", question="Was she built by Ada Quill?")
    assert result.answer.kind is AnswerKind(right)
    assert {answer.text for answer, _ in reader.looked} == {"yes", "no"}
    for answer, passage in reader.looked:
        (place,) = answer.found_at
        assert passage.text[place.start : place.end] == "She was built by Ada Quill in 1931."


def test_where_nothing_counts_it_or_nothing_can_everything_is_as_before(ferries: Store) -> None:
    plain = FakeReader("1931", "1897")
    plain.relevant = reader_of().relevant
    before = ask(ferries, plain, PLAIN, *TITLES)
    same = ask(ferries, reader_of("1931", "1897", right="1897"), PLAIN, *TITLES)
    unable = ask(ferries, plain, TWICE, *TITLES)
    for result in (same, unable):
        assert result.prediction == before.prediction
        assert result.alternatives == before.alternatives
    none = Pipeline(
        ferries,
        reader_of("1931", "1897", right="1897"),
        retriever=FakeRetriever(*TITLES),
        config=PipelineConfig(second_looks=0),
    )
    (considered,) = none.considered_many([Query("When was it?")])
    assert all(LOOKED not in one.features for one in considered)
    never = reader_of("1931", "1897", right="1897")
    never.looks_twice = False
    assert ask(ferries, never, TWICE, *TITLES).prediction == before.prediction
    yes = YesReader()
    yes.relevant = {"Marrow": 1.0}
    ask(ferries, yes, PLAIN, "Marrow", question="Was she built by Ada Quill?")
    assert yes.looked == []


def test_features_of_a_reader_that_looks_once_are_those_of_before(ferries: Store) -> None:
    pipeline = Pipeline(ferries, FakeReader("1931"), retriever=FakeRetriever("Marrow"))
    (considered,) = pipeline.considered_many([Query("When was it?")])
    assert not any({RIGHT, NOT_HERE, LOOKED} & one.features.keys() for one in considered)
