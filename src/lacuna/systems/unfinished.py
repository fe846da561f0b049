"""The work of a run that is not done yet: it outlives Ctrl-C, a kill and a crash."""

from __future__ import annotations

import shutil
import time
from contextlib import ExitStack, suppress
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from lacuna.corpus.lock import StoreBusyError, only_writer
from lacuna.errors import LacunaError
from lacuna.files.cache import cache_folder, make_in_cache
from lacuna.systems.kept_answers import KeptAnswers
from lacuna.systems.registry import NamedSystem
from lacuna.systems.work_identity import about_work, name_of_work

if TYPE_CHECKING:
    from lacuna.systems.assignment import Assignment
    from lacuna.systems.system import System

FORGOTTEN = 30 * 24 * 3600
"""Seconds after which unfinished work is removed."""


class UnfinishedWork:
    """Keeps the answers to an assignment in the cache folder while the block runs.

    They are removed when the block ends well, and stay there otherwise. With ``resume``, the block
    begins with those of the last run; they must belong to the same questions, systems and
    settings, in the same state.
    """

    def __init__(self, assignment: Assignment, *, resume: bool) -> None:
        self._assignment = assignment
        self._resume = resume
        self._folder = cache_folder() / "unfinished" / name_of_work(assignment)
        self._kept: dict[str, KeptAnswers] = {}
        self._stack = ExitStack()
        self.why_not = ""
        """Why nothing is kept, where that is so."""

    def __enter__(self) -> UnfinishedWork:
        resume = self._resume
        if not self._assignment.file.is_file():
            self._keep_nothing(f"{self._assignment.file} is a pipe, and cannot be read again")
            return self
        if resume and not self._folder.is_dir():
            raise LacunaError(
                "There is no unfinished work on these questions with this system and these "
                "settings, so there is nothing to go on with. Leave out --resume."
            )
        try:
            _forget_old(self._folder.parent)
            make_in_cache(self._folder)
            self._stack.enter_context(only_writer(self._folder))
        except StoreBusyError:
            self._keep_nothing("another run of the same command keeps its own")
        except (OSError, LacunaError) as error:
            self._keep_nothing(getattr(error, "strerror", None) or str(error))
        if not self.why_not:
            try:
                self._open()
            except BaseException:
                self._stack.close()
                raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for kept in self._kept.values():
            kept.close()
        held = not self.why_not
        self._stack.close()
        if held and (kind is None or not self.count):
            shutil.rmtree(self._folder, ignore_errors=True)

    @property
    def count(self) -> int:
        """How many answers are kept."""
        return sum(len(kept.answers) for kept in self._kept.values() if not kept.problem)

    @property
    def problem(self) -> OSError | None:
        """Why some answers could not be kept."""
        return next((kept.problem for kept in self._kept.values() if kept.problem), None)

    def of(self, system: System | NamedSystem) -> KeptAnswers | None:
        """Where the answers of a system are kept; None where they are not."""
        return self._kept.get(system.name)

    def _open(self) -> None:
        named = [each for each in self._assignment.systems if isinstance(each, NamedSystem)]
        for number, system in enumerate(named):
            about = about_work(self._assignment, system)
            kept = KeptAnswers(self._folder / f"{number}.jsonl", about, resume=self._resume)
            if kept.differs:
                raise LacunaError(
                    f"The unfinished work is of another state: {' and '.join(kept.differs)} "
                    "changed since, and answers of both would be mixed. Leave out --resume to "
                    "begin anew."
                )
            self._kept[system.name] = kept

    def _keep_nothing(self, why: str) -> None:
        if self._resume:
            raise LacunaError(f"The work cannot be gone on with: {why}. Leave out --resume.")
        self.why_not = why


def _forget_old(folder: Path) -> None:
    with suppress(OSError):
        for old in folder.iterdir():
            newest = max((file.stat().st_mtime for file in old.iterdir()), default=0.0)
            if time.time() - newest > FORGOTTEN:
                shutil.rmtree(old, ignore_errors=True)
