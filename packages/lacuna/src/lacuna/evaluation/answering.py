"""Answer questions block by block, and go on where a run was stopped."""

from __future__ import annotations

import shutil
import time
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Protocol

from lacuna.datasets.base import Setting
from lacuna.errors import LacunaError
from lacuna.evaluation.baselines import FollowingSystem
from lacuna.evaluation.kept_answers import KeptAnswer, KeptAnswers, about_work, name_of_work
from lacuna.evaluation.registry import NamedSystem
from lacuna.evaluation.system import AT_ONCE, Progress, System, chunks, dialogs_of
from lacuna.files.cache import StoreBusyError, cache_folder, make_in_cache, only_writer
from lacuna.types import Question

if TYPE_CHECKING:
    from lacuna.evaluation.assignment import Assignment


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
        """The reason why nothing is kept, if that is so."""

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
        """The number of answers that are kept."""
        return sum(len(kept.answers) for kept in self._kept.values() if not kept.problem)

    @property
    def problem(self) -> OSError | None:
        """The reason why some answers could not be kept."""
        return next((kept.problem for kept in self._kept.values() if kept.problem), None)

    def of(self, system: System | NamedSystem) -> KeptAnswers | None:
        """The place where the answers of a system are kept; None where they are not."""
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


@dataclass(frozen=True, slots=True)
class AnsweredPart:
    """Some answers by id; ``failed`` has the questions that nobody could answer, and why."""

    answers: Mapping[str, KeptAnswer] = field(default_factory=dict)
    failed: Mapping[str, str] = field(default_factory=dict)


class AnswersElsewhere(Protocol):
    """Opens systems where they are to work, and lets them answer block by block."""

    def answered(
        self, assignment: Assignment, system: NamedSystem, kept: Collection[str]
    ) -> Iterator[AnsweredPart]:
        """The answers to all questions but those of blocks whose ids are kept, in any order."""
        ...


def blocks_for(
    system: System, questions: Iterable[Question], setting: Setting
) -> Iterator[list[Question]]:
    """The questions as they are asked, in blocks that do not depend on each other.

    The blocks of a file are always the same. Those that are asked of one collection stand together,
    and a dialog that goes on with its own answers is never split.
    """
    size = getattr(system, "at_once", AT_ONCE)
    if setting.collection is not None:
        questions = sorted(questions, key=setting.collection)
    arranged = map(setting.arrange, questions)
    if setting.predicted_history:
        for dialogs in chunks(dialogs_of(arranged), size):
            yield [question for dialog in dialogs for question in dialog]
    else:
        yield from chunks(arranged, size)


def answers_of(
    system: System,
    questions: Iterable[Question],
    setting: Setting,
    progress: Progress | None,
    *,
    traced: bool = False,
) -> dict[str, KeptAnswer]:
    """The answers of a system, by the ids of the questions.

    With ``traced``, systems that can say so tell what they looked at.
    """
    from lacuna.evaluation.asking import AskingSystem, followed_titles, trace_of_search
    from lacuna.evaluation.system import GapQASystem, trace_of_choices

    if isinstance(system, AskingSystem):
        results = system.ask(questions, progress=progress)
        return {
            id_: KeptAnswer(
                result.prediction,
                tuple(followed_titles(result)),
                trace_of_search(result) if traced else None,
            )
            for id_, result in results.items()
        }
    if isinstance(system, FollowingSystem):
        return system.answers(questions, setting=setting, progress=progress)
    if traced and isinstance(system, GapQASystem):
        return {
            question.id: KeptAnswer(result.prediction, trace=trace_of_choices(result))
            for question, result in system.ask(questions, progress=progress)
        }
    predictions = system.predict(questions, setting=setting, progress=progress)
    return {id_: KeptAnswer(prediction) for id_, prediction in predictions.items()}
