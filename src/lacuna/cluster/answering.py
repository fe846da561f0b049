"""The questions of a file on a cluster: every worker holds the system, and answers blocks."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any

from lacuna.cluster.connection import Cluster
from lacuna.cluster.crew import Crew
from lacuna.cluster.places import absolute
from lacuna.datasets import get_dataset
from lacuna.datasets.setting import Setting
from lacuna.errors import LacunaError
from lacuna.models.model_folder import NETWORK, WEIGHTS, is_shipped
from lacuna.systems.answering import AnsweredPart, answers_of, blocks_for
from lacuna.systems.assignment import Assignment
from lacuna.systems.kept_answers import KeptAnswer
from lacuna.systems.reading import dialogs_of
from lacuna.systems.registry import NamedSystem, Resources
from lacuna.systems.system import AT_ONCE, System
from lacuna.systems.work_identity import LLM_SETTINGS
from lacuna.types import Question

Block = list[Question]
MOST_FAILED = 50
"""Questions that may fail before it is no longer their fault."""


@dataclass(frozen=True, slots=True)
class _BlockSize:
    """As much of a system as decides how large its blocks are."""

    at_once: int


class _OpenedSystem:
    """A system that is loaded; ``about`` is how many questions it is best asked together."""

    def __init__(self, system: System, setting: Setting, traced: bool) -> None:
        self._system, self._setting, self._traced = system, setting, traced
        self.about: int = getattr(system, "at_once", AT_ONCE)

    def work(self, item: Block) -> dict[str, KeptAnswer]:
        """The answers to a block, by id."""
        return answers_of(self._system, item, self._setting, None, traced=self._traced)


@dataclass(frozen=True, slots=True)
class AnsweringJob:
    """A system, with all that it is opened with; paths are absolute."""

    dataset: str
    setting: str
    system: NamedSystem
    resources: Resources
    traced: bool
    questions: tuple[Question, ...]
    settings: Mapping[str, str]

    @contextmanager
    def open(self) -> Iterator[_OpenedSystem]:
        """Load the models."""
        os.environ |= self.settings
        dataset = get_dataset(self.dataset)
        setting = dataset.setting(self.setting)
        with self.system.open(dataset, setting, self.questions, self.resources) as system:
            yield _OpenedSystem(system, setting, self.traced)

    def halves(self, item: Block) -> tuple[Block, Block] | None:
        """A dialog that goes on with its own answers is never split."""
        setting = get_dataset(self.dataset).setting(self.setting)
        parts = list(dialogs_of(item)) if setting.predicted_history else [[each] for each in item]
        if len(parts) < 2:
            return None
        middle = len(parts) // 2
        first, second = (list(chain.from_iterable(half)) for half in
                         (parts[:middle], parts[middle:]))  # fmt: skip
        return first, second


class AnsweringOnCluster:
    """Lets systems answer on the workers of a cluster, one worker for each part of a machine.

    ``Resources.threads`` says how many processor cores a worker has; it is one unless given. A
    network that is run as it was trained gets a GPU, where the cluster has any.
    """

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster

    def answered(
        self, assignment: Assignment, system: NamedSystem, kept: Collection[str]
    ) -> Iterator[AnsweredPart]:
        """The answers to all questions but those of blocks whose ids are kept, in any order."""
        job = _job(assignment, system)
        gpus = 1 if _is_torch(system) and self._cluster.has_gpu else 0
        cpus = job.resources.threads or 1
        failed = 0
        with Crew(self._cluster, job, cpus=cpus, gpus=gpus) as crew:
            size: Any = _BlockSize(crew.about())
            blocks = (
                block
                for block in blocks_for(size, assignment.questions, assignment.setting)
                if any(question.id not in kept for question in block)
            )
            for finished in crew.run(blocks):
                if not finished.reason:
                    yield AnsweredPart(finished.result or {})
                    continue
                reasons = {question.id: finished.reason for question in finished.item}
                failed += len(reasons)
                if failed > MOST_FAILED:
                    raise LacunaError(
                        f"More than {MOST_FAILED} questions could not be answered, so it is hardly "
                        f"their fault. The last reason was: {finished.reason}. Mend that, and give "
                        "the same command with --resume."
                    )
                yield AnsweredPart(failed=reasons)


def _job(assignment: Assignment, system: NamedSystem) -> AnsweringJob:
    resources, setting = assignment.resources, assignment.setting
    knowledge = resources.knowledge
    every: Sequence[Question] = ()
    if system.looks_at_questions(setting):
        every = list(assignment.questions)
    return AnsweringJob(
        assignment.dataset.name,
        setting.name,
        replace(system, model=_model_for_workers(system.model)),
        Resources(
            [absolute(path) for path in assignment.corpora] or None,
            None if knowledge is None else absolute(knowledge),
            resources.retriever,
            resources.threads or 1,
        ),
        assignment.traced,
        tuple(every),
        {name: os.environ[name] for name in LLM_SETTINGS if name in os.environ},
    )


def _model_for_workers(model: str | None) -> str | None:
    """A folder from the root; other names mean the same everywhere."""
    if model is None or is_shipped(model) or not Path(model).exists():
        return model
    return str(absolute(model))


def _is_torch(system: NamedSystem) -> bool:
    folder = Path(system.model or "")
    is_folder = system.model is not None and not is_shipped(system.model)
    return is_folder and (folder / NETWORK).is_file() and not (folder / WEIGHTS).is_file()
