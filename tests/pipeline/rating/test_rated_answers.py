"""Answers of several texts: rated, compared, and given, doubted or refused."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pipeline_parts import TEXTS, FakeReader, FakeRetriever

from lacuna.corpus.store import Store
from lacuna.models.calibration import AnswerScorer
from lacuna.models.reader.reader import ScoredAnswer
from lacuna.pipeline.config import PipelineConfig
from lacuna.pipeline.pipeline import Pipeline
from lacuna.pipeline.query import Query
from lacuna.pipeline.result import Degree, Result, Stage
from lacuna.types import Answer, AnswerKind, Prediction, Question

BORN = "She was born in Port Ellery in 1897."
TITLES = ("Marrow", "Ada Quill", "Port Ellery")


def ask(
    store: Store,
    reader: FakeReader,
    *,
    titles: Sequence[str] = TITLES,
    config: PipelineConfig | None = None,
    bias: float = 0.0,
) -> Result:
    reader.scorer = AnswerScorer({"relevance": 1.0}, bias)
    pipeline = Pipeline(
        store, reader, retriever=FakeRetriever(*titles), config=config or PipelineConfig()
    )
    return pipeline.ask("When was it?")


def test_the_likeliest_answer_of_all_texts_is_given(ferries: Store) -> None:
    reader = FakeReader("1931", "1897", "2,300")
    reader.relevant = {"Marrow": -1.0, "Ada Quill": 4.0, "Port Ellery": 0.0}
    result = ask(ferries, reader)
    assert result.answer.text == "1897"
    assert result.confidence == pytest.approx(0.958, abs=0.001)
    assert result.degree is Degree.ANSWER
    assert result.quotes[0].document == "Ada Quill"
    others = [(other.answer.text, other.quotes[0].document) for other in result.alternatives]
    assert others == [("2,300", "Port Ellery"), ("1931", "Marrow")]
    assert [other.confidence for other in result.alternatives] == [
        pytest.approx(0.018, abs=0.001), pytest.approx(0.006, abs=0.001),
    ]  # fmt: skip


def test_a_doubtful_answer_is_a_probable_one(ferries: Store) -> None:
    reader = FakeReader("1897")
    reader.relevant = {"Ada Quill": 0.5}
    result = ask(ferries, reader, titles=("Ada Quill",))
    assert (result.answer.text, result.degree) == ("1897", Degree.PROBABLE)
    sure = ask(ferries, reader, titles=("Ada Quill",), config=PipelineConfig(min_confidence=0.6))
    assert sure.degree is Degree.ANSWER


def test_an_answer_that_is_likelier_wrong_is_not_given(ferries: Store) -> None:
    reader = FakeReader("1897")
    result = ask(ferries, reader, titles=("Ada Quill",), bias=-1.0)
    assert result.answer.kind is AnswerKind.NONE
    assert result.degree is Degree.NONE
    assert result.confidence == pytest.approx(0.731, abs=0.001)
    (other,) = result.alternatives
    assert other.answer.text == "1897"
    assert other.confidence == pytest.approx(0.269, abs=0.001)
    assert result.prediction.gaps
    assert result.perhaps is other
    (gap,) = result.prediction.gaps
    assert gap.missing == "Nearest is Ada Quill; no sure answer there: when it was."
    assert gap.nearest is not None
    assert TEXTS["Ada Quill"][gap.nearest.start : gap.nearest.end] == BORN


def test_an_unlikely_answer_is_not_told_of(ferries: Store) -> None:
    result = ask(ferries, FakeReader("1897"), titles=("Ada Quill",), bias=-4.0)
    assert result.alternatives
    assert result.perhaps is None
    assert "not found there" in result.prediction.gaps[0].missing


@given(relevance=st.lists(st.floats(-6, 6), min_size=3, max_size=3), bias=st.floats(-3, 3))
@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_none_is_never_told_below_its_likeliest_alternative(
    ferries: Store, relevance: list[float], bias: float
) -> None:
    reader = FakeReader("1931", "1897", "2,300")
    reader.relevant = dict(zip(TITLES, relevance, strict=True))
    result = ask(ferries, reader, bias=bias)
    if result.answer.kind is AnswerKind.NONE:
        assert (result.confidence or 0) >= max(each.confidence for each in result.alternatives)


def test_a_sure_answer_ends_the_search(ferries: Store) -> None:
    config = PipelineConfig(passages_first=1)
    reader = FakeReader("1931", "1897")
    reader.relevant = {"Marrow": 9.0}
    result = ask(ferries, reader, config=config)
    assert [step.stage for step in result.steps] == [Stage.START, Stage.ANSWER]
    assert [candidate.title for candidate in result.steps[0].candidates] == ["Marrow"]
    reader.relevant = {}
    result = ask(ferries, reader, config=config, bias=-3.0)
    assert Stage.READ in [step.stage for step in result.steps]
    found = {candidate.title for candidate in result.steps[0].candidates}
    assert found == set(TITLES)


@pytest.mark.parametrize(("relevance", "goes_on"), [(0.2, True), (2.0, False)])
def test_a_probable_answer_is_given_and_does_not_end_the_search(
    ferries: Store, relevance: float, goes_on: bool
) -> None:
    reader = FakeReader("1897")
    reader.relevant = {"Ada Quill": relevance}
    result = ask(ferries, reader, titles=("Ada Quill",))
    assert result.answer.text == "1897"
    assert (Stage.SPOT in [step.stage for step in result.steps]) is goes_on


def test_texts_that_agree_make_an_answer_likelier(ferries: Store) -> None:
    reader = FakeReader("is a")
    alone = ask(ferries, reader, titles=("Marrow",))
    both = ask(ferries, reader, titles=("Marrow", "Port Ellery"))
    assert (both.confidence or 0.0) > (alone.confidence or 0.0)
    assert len(both.alternatives) == 0  # the same words are one answer


def test_what_is_fitted_on_has_seen_all_passages(ferries: Store) -> None:
    reader = FakeReader("1931", "1897")
    reader.relevant = {"Marrow": 9.0}
    config = PipelineConfig(passages_first=1)
    pipeline = Pipeline(ferries, reader, retriever=FakeRetriever(*TITLES), config=config)
    (considered,) = pipeline.considered_many([Query("When was it?")])
    texts = [one.prediction.answer.text for one in considered if one.prediction.answer]
    assert {"1931", "1897"} <= set(texts)
    assert all(one.features.keys() == considered[0].features.keys() for one in considered)


@pytest.mark.parametrize(("bias", "reads_on"), [(0.0, False), (-12.0, True)])
def test_what_is_fitted_on_stops_where_asking_does(
    ferries: Store, bias: float, reads_on: bool
) -> None:
    reader = FakeReader("1931", "1897")
    reader.relevant = {"Marrow": 9.0}
    reader.scorer = AnswerScorer({"relevance": 1.0}, bias)
    pipeline = Pipeline(ferries, reader, retriever=FakeRetriever(*TITLES))
    pipeline.considered_many([Query("When was it?")])
    assert bool(reader.read_questions) is reads_on


class NoReader(FakeReader):
    """Says no to everything."""

    def _score(self, question: Question) -> ScoredAnswer:
        return ScoredAnswer(Prediction(Answer.no()), 0.0, 6.0)


def test_what_can_be_calculated_counts_and_not_what_was_read(ferries: Store) -> None:
    reader = NoReader()
    reader.scorer = AnswerScorer({"margin": 1.0}, 0.0)
    pipeline = Pipeline(ferries, reader, retriever=FakeRetriever("Port Ellery"))
    result = pipeline.ask("Does Port Ellery have more than 2,000 people?")
    assert (result.answer.kind, bool(result.answer.expression)) == (AnswerKind.YES, True)
