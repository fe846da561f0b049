"""Yes or no by the passage and by its clearest sentence, read alone."""

from __future__ import annotations

import math
from collections.abc import Mapping

import pytest
from pipeline_parts import TEXTS, FakeReader, FakeRetriever

from lacuna.corpus.store import Store
from lacuna.models.calibration import AnswerScorer
from lacuna.models.reader.reader import ScoredAnswer
from lacuna.pipeline.config import PipelineConfig
from lacuna.pipeline.pipeline import Pipeline
from lacuna.pipeline.query import Query
from lacuna.pipeline.result import Result
from lacuna.types import Answer, AnswerKind, Prediction, Question, SupportingFact

BUILT = "She was built by Ada Quill in 1931."
FERRY = "The Marrow is a ferry."


class PolarReader(FakeReader):
    """Says yes or no of the texts it was told of, as clearly as it was told to."""

    def __init__(self, says: Mapping[str, tuple[Answer, float]]) -> None:
        super().__init__()
        self.says = says
        self.alone_texts: list[str] = []
        self.totals: dict[str, float] = {}

    def _score(self, question: Question) -> ScoredAnswer:
        (document,) = question.documents
        self.alone_texts.append(document.text)
        if document.text not in self.says:
            return super()._score(question)
        answer, margin = self.says[document.text]
        sentences = tuple(
            (SupportingFact(document.title, number), 1.0)
            for number in range(len(document.sentences))
        )
        total = self.totals.get(document.text, 0.0)
        return ScoredAnswer(Prediction(answer), total, margin, sentences)


def polar(log_odds: float, margin: float) -> tuple[Answer, float]:
    return (Answer.yes() if log_odds > 0 else Answer.no()), margin


def total(log_odds: float) -> float:
    """The log-probability of what is likelier."""
    return -math.log1p(math.exp(-abs(log_odds)))


def ask(store: Store, reader: FakeReader, question: str, *titles: str) -> Result:
    reader.scorer = AnswerScorer({"margin": 1.0}, 0.0)
    config = PipelineConfig(sentence_weight=2.0)
    retriever = FakeRetriever(*titles)
    return Pipeline(store, reader, retriever=retriever, config=config).ask(Query(question))


def test_the_clearest_sentence_decides_and_is_quoted(ferries: Store) -> None:
    reader = PolarReader(
        {
            TEXTS["Marrow"]: (Answer.no(), 6.0),
            BUILT: (Answer.yes(), 3.0),
            FERRY: (Answer.no(), 1.0),
        }
    )
    result = ask(ferries, reader, "Was the Marrow built by Ada Quill?", "Marrow")
    assert result.answer.kind is AnswerKind.YES
    assert [quote.text for quote in result.quotes] == [BUILT]
    assert result.alternatives == ()


@pytest.mark.parametrize(
    ("passage", "sentence", "kind"),
    [
        (-3.0, 1.0, AnswerKind.YES),  # -3 + 2 × (1 + 1)
        (-5.0, 1.0, AnswerKind.NO),
        (1.0, -1.2, AnswerKind.YES),
        (1.0, -2.0, AnswerKind.NO),
    ],
)
def test_passage_and_sentence_are_weighed(
    ferries: Store, passage: float, sentence: float, kind: AnswerKind
) -> None:
    reader = PolarReader({TEXTS["Marrow"]: polar(passage, 6.0), BUILT: polar(sentence, 3.0)})
    reader.totals = {TEXTS["Marrow"]: total(passage), BUILT: total(sentence)}
    result = ask(ferries, reader, "Was the Marrow built by Ada Quill?", "Marrow")
    assert result.answer.kind is kind


def test_a_comparison_stays_as_it_was_calculated(ferries: Store) -> None:
    town = TEXTS["Port Ellery"]
    reader = PolarReader({town: (Answer.no(), 6.0)})
    question = "Does Port Ellery have more than 2,000 people?"
    result = ask(ferries, reader, question, "Port Ellery")
    assert (result.answer.kind, bool(result.answer.expression)) == (AnswerKind.YES, True)


def test_only_where_a_passage_says_yes_or_no_are_single_sentences_read(ferries: Store) -> None:
    reader = PolarReader({TEXTS["Marrow"]: (Answer.no(), 6.0)})
    ask(ferries, reader, "Was the Marrow built by Ada Quill?", "Marrow")
    assert BUILT in reader.alone_texts
    reader = PolarReader({TEXTS["Marrow"]: (Answer.no(), 6.0)})
    ask(ferries, reader, "I like ferries. Was the Marrow built by Ada Quill?", "Marrow")
    assert BUILT not in reader.alone_texts
    reader = PolarReader({TEXTS["Marrow"]: (Answer.span("Ada Quill"), 6.0)})
    ask(ferries, reader, "Who built the Marrow?", "Marrow")
    assert BUILT not in reader.alone_texts


def test_where_no_sentence_says_it_the_passage_does(ferries: Store) -> None:
    reader = PolarReader({TEXTS["Marrow"]: (Answer.no(), 6.0)})
    result = ask(ferries, reader, "Was the Marrow built by Ada Quill?", "Marrow")
    assert result.answer.kind is AnswerKind.NO
