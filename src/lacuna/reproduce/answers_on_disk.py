"""The answers of every system that was run, kept: a table is made again without asking again.

They are found by what they depend on: the questions, the setting, the system and its model, what
it searched, and the version. A run that was killed goes on from its last block.
"""

from __future__ import annotations

import json
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType

from lacuna.corpus.lock import StoreBusyError, only_writer
from lacuna.errors import LacunaError
from lacuna.files.cache import digest_of
from lacuna.systems.assignment import Assignment
from lacuna.systems.kept_answers import KeptAnswers
from lacuna.systems.registry import NamedSystem
from lacuna.systems.system import System
from lacuna.systems.work_identity import about_work

ANSWERS = "answers.jsonl"


class AnswersOnDisk:
    """Holds the answers to one assignment open while the block runs.

    Where another process writes the same answers, or the folder cannot be written, nothing is kept.
    """

    def __init__(self, folder: Path, assignment: Assignment) -> None:
        self._folder = folder
        self._assignment = assignment
        self._stack = ExitStack()
        self._kept: dict[str, KeptAnswers] = {}

    def __enter__(self) -> AnswersOnDisk:
        try:
            for system in self._assignment.systems:
                if isinstance(system, NamedSystem):
                    self._open(system)
        except (StoreBusyError, LacunaError, OSError):
            self._close()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._close()

    def of(self, system: System | NamedSystem) -> KeptAnswers | None:
        """Where the answers of a system are kept; None where they are not."""
        return self._kept.get(system.name)

    @property
    def complete(self) -> bool:
        """Whether every question has been answered by every system."""
        ids = [question.id for question in self._assignment.questions]
        kept = [self.of(system) for system in self._assignment.systems]
        return all(each and all(id_ in each.answers for id_ in ids) for each in kept)

    def _open(self, system: NamedSystem) -> None:
        about = about_work(self._assignment, system)
        place = self._folder / digest_of(json.dumps(about))
        place.mkdir(parents=True, exist_ok=True)
        self._stack.enter_context(only_writer(place))
        self._kept[system.name] = KeptAnswers(place / ANSWERS, about, resume=True)

    def _close(self) -> None:
        for kept in self._kept.values():
            kept.close()
        self._kept = {}
        self._stack.close()
