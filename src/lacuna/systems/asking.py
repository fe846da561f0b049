"""The pipeline as a system: it asks the questions of a dataset over a corpus."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from lacuna.datasets.answer_trace import AnswerTrace
from lacuna.datasets.setting import Setting
from lacuna.models.reader.scored_answer import ScoredAnswer
from lacuna.pipeline.query import Query
from lacuna.pipeline.result import Result
from lacuna.pipeline.trace import Stage
from lacuna.systems.system import Progress, chunks
from lacuna.types import AnswerKind, Prediction, Question

if TYPE_CHECKING:
    from lacuna.pipeline.pipeline import Pipeline
    from lacuna.pipeline.rating.rated_answers import ConsideredAnswer

CHUNK = 32
"""Questions that are asked together."""


class AskingSystem(ABC):
    """Asks questions of documents, and can say how it came to its answers."""

    name: str

    def predict(
        self,
        questions: Iterable[Question],
        *,
        setting: Setting,
        progress: Progress | None = None,
    ) -> dict[str, Prediction]:
        """The predictions by id, in the order of the questions."""
        results = self.ask(questions, progress=progress)
        return {id_: result.prediction for id_, result in results.items()}

    @abstractmethod
    def ask(
        self, questions: Iterable[Question], *, progress: Progress | None = None
    ) -> dict[str, Result]:
        """The results by id, in the order of the questions."""

    @abstractmethod
    def score(
        self, questions: Iterable[Question], *, progress: Progress | None = None
    ) -> list[ScoredAnswer]:
        """The best answer to each question, before it is decided whether to give it."""

    @abstractmethod
    def consider(
        self, questions: Iterable[Question], *, progress: Progress | None = None
    ) -> list[list[ConsideredAnswer]]:
        """All answers to each question that were read, with the features that they are rated by."""


class PipelineSystem(AskingSystem):
    """Asks each question of a corpus, with the context that its setting leaves."""

    def __init__(self, pipeline: Pipeline, name: str = "pipeline") -> None:
        self.name = name
        self.pipeline = pipeline

    def ask(
        self, questions: Iterable[Question], *, progress: Progress | None = None
    ) -> dict[str, Result]:
        """The results by id: the predictions with the steps that led to them."""
        results: dict[str, Result] = {}
        for chunk in chunks(questions, CHUNK):
            answers = self.pipeline.ask_many([_query(question) for question in chunk])
            results |= zip((question.id for question in chunk), answers, strict=True)
            if progress is not None:
                progress(len(results))
        return results

    def score(
        self, questions: Iterable[Question], *, progress: Progress | None = None
    ) -> list[ScoredAnswer]:
        """The best answer to each question, before it is decided whether to give it."""
        candidates: list[ScoredAnswer] = []
        for chunk in chunks(questions, CHUNK):
            candidates += self.pipeline.score_many([_query(question) for question in chunk])
            if progress is not None:
                progress(len(candidates))
        return candidates

    def consider(
        self, questions: Iterable[Question], *, progress: Progress | None = None
    ) -> list[list[ConsideredAnswer]]:
        """All answers to each question that were read, with the features that they are rated by."""
        considered: list[list[ConsideredAnswer]] = []
        for chunk in chunks(questions, CHUNK):
            considered += self.pipeline.considered_many([_query(question) for question in chunk])
            if progress is not None:
                progress(len(considered))
        return considered


def _query(question: Question) -> Query:
    return Query(question.text, question.context)


@dataclass(frozen=True, slots=True)
class SearchScores:
    """What only a search can get right or wrong; None where there is nothing to judge.

    Abstention is precise where a question with the answer "none" has none, and complete where all
    of those got it. ``links_recall`` is the share of the gold links of answerable questions that
    were followed, ``links_followed`` how many documents were followed to, per question.
    """

    abstention_precision: float | None
    abstention_recall: float | None
    links_recall: float | None
    links_followed: float | None

    def as_json(self) -> dict[str, float | None]:
        """The numbers by name."""
        return asdict(self)


def judge_search(
    questions: Iterable[Question],
    predictions: Mapping[str, Prediction],
    followed_to: Mapping[str, Iterable[str]],
) -> SearchScores:
    """How well the pipeline knew when to abstain, and where to look.

    ``followed_to`` has the documents that links were followed to, by the id of the question.
    """
    abstentions = right = unanswerable = 0
    recalls: list[float] = []
    followed: list[int] = []
    for question in questions:
        prediction = predictions.get(question.id)
        if prediction is None or prediction.answer is None:
            continue
        if question.gold is None or not question.gold.answers:
            continue
        none = question.gold.answers[0].kind is AnswerKind.NONE
        abstained = prediction.answer.kind is AnswerKind.NONE
        unanswerable += none
        abstentions += abstained
        right += none and abstained
        titles = set(followed_to.get(question.id, ()))
        followed.append(len(titles))
        if not none and question.gold.links:
            gold = {title.casefold() for title in question.gold.links}
            recalls.append(len(gold & {title.casefold() for title in titles}) / len(gold))
    return SearchScores(
        right / abstentions if abstentions else None,
        right / unanswerable if unanswerable else None,
        sum(recalls) / len(recalls) if recalls else None,
        sum(followed) / len(followed) if followed else None,
    )


def trace_of_search(result: Result) -> AnswerTrace:
    """The documents that were looked into, and the windows of them that were read."""
    windows = [
        candidate
        for step in result.steps
        if step.stage in (Stage.START, Stage.FIND)
        for candidate in step.candidates
        if candidate.chosen
    ]
    titles = dict.fromkeys((*followed_titles(result), *(window.title for window in windows)))
    return AnswerTrace(tuple(titles), tuple(dict.fromkeys(window.text for window in windows)))


def followed_titles(result: Result) -> Iterator[str]:
    """The documents that were followed to from links."""
    for step in result.steps:
        if step.stage is Stage.SPOT:
            yield from (candidate.title for candidate in step.candidates if candidate.chosen)
