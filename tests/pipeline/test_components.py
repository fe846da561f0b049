"""A reader that can do nothing but read, and a retriever of one's own."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from pipeline_parts import FakeReader, FakeRetriever, make_components

from lacuna.answers import AnswerMode
from lacuna.corpus.store import Store
from lacuna.models.registry import Progress
from lacuna.pipeline.pipeline import Pipeline
from lacuna.pipeline.query import Query
from lacuna.pipeline.result import Stage
from lacuna.pipeline.state import PipelineReader, PlainReader
from lacuna.types import Answer, AnswerKind, Document, Evidence, Gap, Prediction, Question


class BareReader:
    """Quotes a word, as sure as it was told to be."""

    def __init__(self, word: str, confidence: float | None = 0.7) -> None:
        self.word, self.confidence = word, confidence

    def read(
        self,
        questions: Sequence[Question],
        *,
        mode: AnswerMode = AnswerMode.ASK,
        progress: Progress | None = None,
    ) -> list[Prediction]:
        return [self._read(question) for question in questions]

    def _read(self, question: Question) -> Prediction:
        for text in (*((question.context,) if question.context else ()), *question.documents):
            if (start := text.text.find(self.word)) >= 0:
                place = Evidence(text.title, start, start + len(self.word))
                answer = Answer.span(self.word, place)
                return Prediction(answer, (place,), confidence=self.confidence)
        gap = Gap("the word stands nowhere")
        return Prediction(Answer.none(), gaps=(gap,), confidence=self.confidence)


def test_a_bare_reader_answers_with_its_own_confidence(ferries: Store) -> None:
    result = Pipeline(ferries, BareReader("1897")).ask(Query("When was she born?", title="Marrow"))
    assert result.answer.text == "1897"
    assert result.confidence == pytest.approx(0.7)
    (quote,) = result.quotes
    assert quote.document == "Ada Quill"  # the link was followed by its words
    assert Stage.SPOT in {step.stage for step in result.steps}


@pytest.mark.parametrize(("confidence", "told"), [(0.9, 0.9), (None, None), (0.1, 0.5)])
def test_none_of_a_bare_reader(
    ferries: Store, confidence: float | None, told: float | None
) -> None:
    pipeline = Pipeline(ferries, BareReader("zeppelin", confidence))
    result = pipeline.ask("Who sailed to Osk?")
    assert result.answer.kind is AnswerKind.NONE
    assert result.confidence == pytest.approx(told)
    assert [gap.missing for gap in result.prediction.gaps][1:] == ["the word stands nowhere"]


def test_another_retriever_takes_the_place_of_bm25(ferries: Store) -> None:
    retriever = FakeRetriever("Port Ellery")
    pipeline = Pipeline(ferries, BareReader("2,300"), retriever=retriever)
    result = pipeline.ask("How many?")
    assert retriever.queries[0] == "How many?"
    assert result.answer.text == "2,300"
    assert result.context is not None
    assert result.context.title == "Port Ellery"


def test_words_rank_where_the_reader_cannot(ferries: Store) -> None:
    windows = make_components(ferries, FakeReader()).windows
    plain = PlainReader(BareReader("x"), windows)
    assert isinstance(plain, PipelineReader)
    assert not isinstance(BareReader("x"), PipelineReader)
    documents = [Document("a", "the old ferry"), Document("b", "an old house"), Document("c", "")]
    (read,) = plain.read_alone([("old ferry", documents)])
    assert [scored.relevance for scored in read] == [5.0, 0.0, -5.0]
    (links,) = plain.link_scores([Question("", "who?")])
    assert links.links == []
