"""Questions of one file over several collections of documents, each asked of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from lacuna.errors import LacunaError
from lacuna.files.opening import similar
from lacuna.systems.asking import AskingSystem
from lacuna.systems.system import Progress
from lacuna.types import Question

if TYPE_CHECKING:
    from lacuna.corpus.open import Corpora
    from lacuna.models.reader.scored_answer import ScoredAnswer
    from lacuna.pipeline.result import Result

ENDINGS = ("", ".tar.xz", ".txz", ".tar.gz", ".tgz", ".tar.bz2", ".tar", ".zip")
"""What may follow the name of a collection: nothing for a folder, else an archive's ending."""

OpensCollection = Callable[[Path], AbstractContextManager[AskingSystem]]


class Collections:
    """Where the collections are that questions name.

    A place is a collection itself, if it has the name of one, or else a folder that holds some.
    """

    def __init__(self, corpus: Corpora) -> None:
        places = [corpus] if isinstance(corpus, str | Path) else list(corpus or ())
        self.places = [Path(place) for place in places]
        self._found: dict[str, Path | None] = {}
        for place in self.places:
            if not place.exists():
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
