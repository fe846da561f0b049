"""Questions of one file over several collections of documents, each asked of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path

from lacuna.models.reader.scored_answer import ScoredAnswer
from lacuna.pipeline.rating.rated_answers import ConsideredAnswer
from lacuna.pipeline.result import Result
from lacuna.systems.asking import AskingSystem
from lacuna.systems.system import Progress, after
from lacuna.types import Question

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
        """The results by id, in the order of the questions."""
        asked = list(questions)
        results: dict[str, Result] = {}
        for place, part in self._by_place(asked):
            system = self._at(place)
            results |= system.ask(part, progress=after(len(results), progress))
        return {question.id: results[question.id] for question in asked}

    def score(
        self, questions: Iterable[Question], *, progress: Progress | None = None
    ) -> list[ScoredAnswer]:
        """The best answer to each question, before it is decided whether to give it."""
        asked = list(questions)
        scored: dict[str, ScoredAnswer] = {}
        for place, part in self._by_place(asked):
            answers = self._at(place).score(part, progress=after(len(scored), progress))
            scored |= zip((question.id for question in part), answers, strict=True)
        return [scored[question.id] for question in asked]

    def consider(
        self, questions: Iterable[Question], *, progress: Progress | None = None
    ) -> list[list[ConsideredAnswer]]:
        """All answers to each question that were read, with the features that they are rated by."""
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
