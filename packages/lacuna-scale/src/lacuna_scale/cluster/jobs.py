"""The jobs that a cluster does: it answers questions, reads files, and looks through knowledge."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any

from lacuna.corpus.formats.base import DocumentFormat
from lacuna.corpus.formats.entries import Entry
from lacuna.corpus.formats.isolated_worker import find_format
from lacuna.corpus.formats.isolation import IsolatedReading, packed_reply, unpacked_reply
from lacuna.corpus.page import Page
from lacuna.corpus.store import Skipped
from lacuna.datasets import get_dataset
from lacuna.datasets.base import Setting
from lacuna.errors import LacunaError
from lacuna.evaluation.answering import AnsweredPart, answers_of, blocks_for
from lacuna.evaluation.assignment import Assignment
from lacuna.evaluation.kept_answers import LLM_SETTINGS, KeptAnswer
from lacuna.evaluation.registry import NamedSystem, Resources
from lacuna.evaluation.system import AT_ONCE, System, dialogs_of
from lacuna.models.model_folder import NETWORK, WEIGHTS, is_shipped
from lacuna.retrieve.knowledge.build import Digest, DigestedLines, SentenceLines, digested
from lacuna.types import Question
from lacuna_scale.cluster.connection import Cluster, absolute
from lacuna_scale.cluster.workers import Finished, Task, WorkerPool, Workers, in_order, judged

Block = list[Question]
MOST_FAILED = 50
"""Questions that may fail before it is no longer their fault."""


@dataclass(frozen=True, slots=True)
class _BlockSize:
    """The properties of a system that decide how large its blocks are."""

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
        with WorkerPool(self._cluster, job, cpus=cpus, gpus=gpus) as pool:
            size: Any = _BlockSize(pool.about())
            blocks = (
                block
                for block in blocks_for(size, assignment.questions, assignment.setting)
                if any(question.id not in kept for question in block)
            )
            for finished in pool.run(blocks):
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


# Files that are read on a cluster: the same pages as here, from as many machines as there are.
#
# This machine loads files, or takes a dump apart, and sends what it has in batches; the workers
# parse, each file in a process of its own as ever. Nobody but this machine needs the source.


BATCH_FILES = 32
BATCH_BYTES = 256 << 10
"""A batch is sent when it has so many files or bytes."""
MOST_FILES = 4096
MOST_BYTES = 64 << 20
"""The most bytes on their way: so much of a source is in memory."""
DEPTH = 2
"""Batches that a worker has: it reads one while the results of the other are written."""

Items = Sequence[Page | Skipped]


@dataclass(frozen=True, slots=True)
class _Request:
    number: int
    format: str
    entry: Entry


Batch = list[_Request]
Replies = list[bytes | None]


class _OpenedReading:
    def work(self, item: Batch) -> Replies:
        """The pages of each file; None where its format is known only where it came from."""
        return [_read(request) for request in item]


def _read(request: _Request) -> bytes | None:
    known = find_format(request.format)
    return None if known is None else packed_reply(IsolatedReading(known, request.entry).items())


@dataclass(frozen=True, slots=True)
class ReadingJob:
    """Needs nothing that is not sent along."""

    @contextmanager
    def open(self) -> Iterator[_OpenedReading]:
        """Nothing has to be loaded."""
        yield _OpenedReading()

    def halves(self, item: Batch) -> tuple[Batch, Batch] | None:
        """A file is never split."""
        middle = len(item) // 2
        return (item[:middle], item[middle:]) if middle else None


class ReadingOnCluster:
    """Reads files on the workers of a cluster; use it in a ``with`` block."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster
        self._job = ReadingJob()
        self._hired: Workers[Batch] | None = None
        self._batch: Batch = []
        self._waiting: deque[Task[Batch]] = deque()
        self._replies: dict[int, bytes | Skipped | None] = {}
        self._begun = self._bytes = 0

    def __enter__(self) -> ReadingOnCluster:
        return self

    def __exit__(self, *_: object) -> None:
        if self._hired is not None:
            self._hired.dismiss()

    @property
    def _workers(self) -> Workers[Batch]:
        """Hired when there is something to read: others may need the machines before."""
        if self._hired is None:
            self._hired = Workers(self._cluster, self._job, cpus=1, gpus=0, depth=DEPTH)
        return self._hired

    def begin(self, known: DocumentFormat, entry: Entry) -> ClusterReading:
        """Let a file be read with the next batch."""
        self._begun += 1
        self._bytes += len(entry.data)
        self._batch.append(_Request(self._begun, known.name, entry))
        full = sum(len(request.entry.data) for request in self._batch) >= BATCH_BYTES
        if full or len(self._batch) >= BATCH_FILES:
            self._send()
        return ClusterReading(self, self._begun, known, entry)

    def is_busy(self, begun: int) -> bool:
        """Tell if as much is on its way as memory should hold."""
        return begun >= MOST_FILES or self._bytes >= MOST_BYTES

    def reply(self, number: int, entry: Entry) -> bytes | Skipped | None:
        """The result of a file, as soon as it is there."""
        if any(request.number == number for request in self._batch):
            self._send()
        while number not in self._replies:
            self._advance()
        self.forget(entry)
        return self._replies.pop(number)

    def forget(self, entry: Entry) -> None:
        """It is no longer on its way."""
        self._bytes -= len(entry.data)

    def _send(self) -> None:
        self._waiting.append(Task(self._begun, self._batch))
        self._batch = []
        self._workers.hand_out(self._waiting)

    def _advance(self) -> None:
        self._workers.hand_out(self._waiting)
        for task, outcome in self._workers.outcomes():
            finished: Finished[Batch, Replies] | list[Task[Batch]]
            finished = judged(self._job, task, outcome)
            if not isinstance(finished, Finished):
                self._waiting.extendleft(reversed(finished))  # the oldest are waited for
            elif finished.result is None:
                for request in finished.item:
                    told = f"reading it failed ({finished.reason})"
                    self._replies[request.number] = Skipped(request.entry.name, told)
            else:
                numbers = (request.number for request in finished.item)
                self._replies |= zip(numbers, finished.result, strict=True)
        self._workers.hand_out(self._waiting)


class ClusterReading:
    """One file that is being read on a cluster."""

    def __init__(
        self, reading: ReadingOnCluster, number: int, known: DocumentFormat, entry: Entry
    ) -> None:
        self._reading, self._number = reading, number
        self._known, self._entry = known, entry

    def items(self) -> Items:
        """The pages of the file, or why it was skipped; can be asked for once."""
        reply = self._reading.reply(self._number, self._entry)
        if reply is None:  # a package that the machines of the cluster do not have
            return IsolatedReading(self._known, self._entry).items()
        return [reply] if isinstance(reply, Skipped) else unpacked_reply(reply) or []

    def abandon(self) -> None:
        """Nobody wants to know any more."""
        self._reading.forget(self._entry)


AHEAD = 256
"""Pieces that are held at most, while one before them is not done."""


class _OpenedDigesting:
    def work(self, item: SentenceLines) -> DigestedLines:
        """Digest some lines."""
        return digested(item)


@dataclass(frozen=True, slots=True)
class DigestingJob:
    """Needs nothing that is not sent along."""

    @contextmanager
    def open(self) -> Iterator[_OpenedDigesting]:
        """Nothing has to be loaded."""
        yield _OpenedDigesting()

    def halves(self, item: SentenceLines) -> None:
        """No line is left out that one machine would have read."""


def digesting_on(cluster: Cluster) -> Digest:
    """A function that digests on all machines of a cluster, the same as one machine does."""

    def digest(lines: Iterable[SentenceLines]) -> Iterator[DigestedLines]:
        with WorkerPool(cluster, DigestingJob(), depth=2) as pool:
            for finished in in_order(pool.run(lines, ahead=AHEAD)):
                if finished.result is None:
                    raise LacunaError(
                        f"{finished.item.file} could not be read from line {finished.item.first} "
                        f"on: {finished.reason}."
                    )
                yield finished.result

    return digest
