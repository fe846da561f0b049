"""The pipeline as a system: it asks the questions of a dataset over a corpus, or over several."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from lacuna.corpus.address import is_address
from lacuna.datasets.base import AnswerTrace, Setting
from lacuna.errors import LacunaError
from lacuna.evaluation.system import Progress, after, chunks, dialogs_of
from lacuna.files.opening import similar
from lacuna.pipeline.query import Query
from lacuna.pipeline.result import Result, Stage
from lacuna.types import AnswerKind, Prediction, Question

if TYPE_CHECKING:
    from lacuna.corpus.open import Corpora
    from lacuna.models.reader.reader import ScoredAnswer
    from lacuna.pipeline.pipeline import Pipeline
    from lacuna.pipeline.rating import ConsideredAnswer


ENDINGS = ("", ".tar.xz", ".txz", ".tar.gz", ".tgz", ".tar.bz2", ".tar", ".zip")
"""Endings after the name of a collection: nothing for a folder, else an archive's ending."""


class Collections:
    """Some places, and what is found there.

    A place is a collection itself, if it has the name of one, or else a folder that holds some.
    """

    def __init__(self, corpus: Corpora) -> None:
        places = [corpus] if isinstance(corpus, str | Path) else list(corpus or ())
        self.places = [Path(place) for place in places]
        self._found: dict[str, Path | None] = {}
        for place in self.places:
            if not is_address(place) and not place.exists():
                raise LacunaError(f"There is no file or folder {place}.{similar(place)}")

    def find(self, name: str) -> Path | None:
        """The folder or archive of that name; None where there is none."""
        if name not in self._found:
            self._found[name] = next(self._candidates(name), None)
        return self._found[name]

    @property
    def missing(self) -> str:
        """The names that were looked for in vain, and where, in words."""
        names = ", ".join(name for name, path in self._found.items() if path is None)
        return f"{names} in {' or '.join(map(str, self.places))}"

    def _candidates(self, name: str) -> Iterator[Path]:
        names = [name + ending for ending in ENDINGS]
        yield from (place for place in self.places if place.resolve().name in names)
        inside = (place / one for place in self.places for one in names)
        yield from (path for path in inside if path.exists())


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
        candidates: list[ScoredAnswer] = []
        for chunk in chunks(questions, CHUNK):
            candidates += self.pipeline.score_many([_query(question) for question in chunk])
            if progress is not None:
                progress(len(candidates))
        return candidates

    def consider(
        self, questions: Iterable[Question], *, progress: Progress | None = None
    ) -> list[list[ConsideredAnswer]]:
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
    """Scores that only a search can get right or wrong; None where there is nothing to judge.

    Abstention is precise where a question with the answer "none" has none, and complete where all
    of those got it. ``links_recall`` is the share of the gold links of answerable questions that
    were followed, ``links_precision`` the share of the followed ones that are gold, both as means
    over questions, and ``links_f1`` their harmonic mean. ``links_followed`` is how many documents
    were followed to, per question.
    """

    abstention_precision: float | None
    abstention_recall: float | None
    links_recall: float | None
    links_precision: float | None
    links_f1: float | None
    links_followed: float | None

    def as_json(self) -> dict[str, float | None]:
        """The numbers by name."""
        return asdict(self)


def judge_search(
    questions: Iterable[Question],
    predictions: Mapping[str, Prediction],
    followed_to: Mapping[str, Iterable[str]],
) -> SearchScores:
    """Judge how well the pipeline knew when to abstain, and where to look.

    ``followed_to`` has the documents that links were followed to, by the id of the question.
    """
    abstentions = right = unanswerable = 0
    recalls: list[float] = []
    precisions: list[float] = []
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
            found = len(gold & {title.casefold() for title in titles})
            recalls.append(found / len(gold))
            if titles:
                precisions.append(found / len(titles))
    recall, precision = _mean(recalls), _mean(precisions)
    both = (recall or 0.0) + (precision or 0.0)
    return SearchScores(
        right / abstentions if abstentions else None,
        right / unanswerable if unanswerable else None,
        recall,
        precision,
        2 * (recall or 0.0) * (precision or 0.0) / both if both else None,
        _mean(followed),
    )


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None


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


OpensCollection = Callable[[Path], AbstractContextManager[AskingSystem]]


class CollectionsSystem(AskingSystem):
    """Opens one collection after the other; ``place_of`` has that of each question, by its id.

    The last one stays open for further questions about it, until ``close``.
    """

    def __init__(
        self, place_of: Mapping[str, Path], open_collection: OpensCollection, name: str
    ) -> None:
        self.name = name
        self._place_of = place_of
        self._open = open_collection
        self._opened: tuple[Path, AskingSystem] | None = None
        self._stack = ExitStack()

    def ask(
        self, questions: Iterable[Question], *, progress: Progress | None = None
    ) -> dict[str, Result]:
        asked = list(questions)
        results: dict[str, Result] = {}
        for place, part in self._by_place(asked):
            system = self._at(place)
            results |= system.ask(part, progress=after(len(results), progress))
        return {question.id: results[question.id] for question in asked}

    def score(
        self, questions: Iterable[Question], *, progress: Progress | None = None
    ) -> list[ScoredAnswer]:
        asked = list(questions)
        scored: dict[str, ScoredAnswer] = {}
        for place, part in self._by_place(asked):
            answers = self._at(place).score(part, progress=after(len(scored), progress))
            scored |= zip((question.id for question in part), answers, strict=True)
        return [scored[question.id] for question in asked]

    def consider(
        self, questions: Iterable[Question], *, progress: Progress | None = None
    ) -> list[list[ConsideredAnswer]]:
        asked = list(questions)
        considered: dict[str, list[ConsideredAnswer]] = {}
        for place, part in self._by_place(asked):
            answers = self._at(place).consider(part, progress=after(len(considered), progress))
            considered |= zip((question.id for question in part), answers, strict=True)
        return [considered[question.id] for question in asked]

    def close(self) -> None:
        """Close the collection that is open."""
        self._opened = None
        self._stack.close()

    def _at(self, place: Path) -> AskingSystem:
        if self._opened is None or self._opened[0] != place:
            self.close()
            self._opened = place, self._stack.enter_context(self._open(place))
        return self._opened[1]

    def _by_place(self, questions: Sequence[Question]) -> Iterable[tuple[Path, list[Question]]]:
        parts: dict[Path, list[Question]] = {}
        for question in questions:
            parts.setdefault(self._place_of[question.id], []).append(question)
        return parts.items()


class ConversingSystem(PipelineSystem):
    """Holds each dialog of a file as a user would hold it."""

    def ask(
        self, questions: Iterable[Question], *, progress: Progress | None = None
    ) -> dict[str, Result]:
        """The results by id; a question without a history begins a dialog."""
        from lacuna.pipeline.dialog.conversation import Conversation  # brings the pipeline

        results: dict[str, Result] = {}
        for dialog in dialogs_of(questions):
            conversation = Conversation(self.pipeline)
            for question in dialog:
                results[question.id] = conversation.ask(question.text)
                if progress is not None:
                    progress(len(results))
        return results

    def score(
        self, questions: Iterable[Question], *, progress: Progress | None = None
    ) -> list[ScoredAnswer]:
        """Refuse to score: what a turn is asked after depends on what was decided before it."""
        raise LacunaError(
            "A dialog goes on with what was answered, so there is nothing to tune on. Take a "
            "setting in which every question is asked by itself."
        )
