"""Questions of one file over several collections of documents, each asked of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path

from lacuna.models.reader.scored_answer import ScoredAnswer
from lacuna.pipeline.rating.rated_answers import ConsideredAnswer
from lacuna.pipeline.result import Result
from lacuna.systems.asking import AskingSystem
from lacuna.systems.system import Progress
from lacuna.types import Question

OpensCollection = Callable[[Path], AbstractContextManager[AskingSystem]]


class CollectionsSystem(AskingSystem):
    """Opens one collection after the other; ``place_of`` has that of each question, by its id."""

    def __init__(
        self, place_of: Mapping[str, Path], open_collection: OpensCollection, name: str
    ) -> None:
        self.name = name
        self._place_of = place_of
        self._open = open_collection

    def ask(
        self, questions: Iterable[Question], *, progress: Progress | None = None
    ) -> dict[str, Result]:
        """The results by id, in the order of the questions."""
        asked = list(questions)
        results: dict[str, Result] = {}
        for place, part in self._by_place(asked):
            with self._open(place) as system:
                results |= system.ask(part, progress=_after(len(results), progress))
        return {question.id: results[question.id] for question in asked}

    def score(
        self, questions: Iterable[Question], *, progress: Progress | None = None
    ) -> list[ScoredAnswer]:
        """The best answer to each question, before it is decided whether to give it."""
        asked = list(questions)
        scored: dict[str, ScoredAnswer] = {}
        for place, part in self._by_place(asked):
            with self._open(place) as system:
                answers = system.score(part, progress=_after(len(scored), progress))
                scored |= zip((question.id for question in part), answers, strict=True)
        return [scored[question.id] for question in asked]

    def consider(
        self, questions: Iterable[Question], *, progress: Progress | None = None
    ) -> list[list[ConsideredAnswer]]:
        """All answers to each question that were read, with the features that they are rated by."""
        asked = list(questions)
        considered: dict[str, list[ConsideredAnswer]] = {}
        for place, part in self._by_place(asked):
            with self._open(place) as system:
                answers = system.consider(part, progress=_after(len(considered), progress))
                considered |= zip((question.id for question in part), answers, strict=True)
        return [considered[question.id] for question in asked]

    def _by_place(self, questions: Sequence[Question]) -> Iterable[tuple[Path, list[Question]]]:
        parts: dict[Path, list[Question]] = {}
        for question in questions:
            parts.setdefault(self._place_of[question.id], []).append(question)
        return parts.items()


def _after(done: int, progress: Progress | None) -> Progress | None:
    """Progress that goes on from what was done before."""
    return None if progress is None else partial(_report, done, progress)


def _report(done: int, progress: Progress, more: int) -> None:
    progress(done + more)
