"""The items of a job among workers on all machines of a cluster."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, field
from typing import Any, Final, Generic, Protocol, TypeVar

from lacuna.errors import LacunaError
from lacuna.version import __version__
from lacuna_scale.cluster.connection import Cluster

Item = TypeVar("Item")
Result = TypeVar("Result")
ItemIn = TypeVar("ItemIn", contravariant=True)
ResultOut = TypeVar("ResultOut", covariant=True)


class OpenedJob(Protocol[ItemIn, ResultOut]):
    """Models are loaded and files are open."""

    def work(self, item: ItemIn) -> ResultOut:
        """Do one item."""
        ...


class Job(Protocol[Item, ResultOut]):
    """Goes to the workers, so it can be pickled and is small."""

    def open(self) -> AbstractContextManager[OpenedJob[Item, ResultOut]]:
        """Load on a worker what all items need."""
        ...

    def halves(self, item: Item) -> tuple[Item, Item] | None:
        """Two items that make up one that failed; None for the smallest there is."""
        ...


@dataclass(frozen=True, slots=True)
class Opened:
    """A worker is ready; ``about`` is what its job says of itself."""

    node: str
    version: str
    about: Any = None


@dataclass(frozen=True, slots=True)
class RefusedWork:
    """Something that a user can mend, from a worker."""

    message: str


@dataclass(frozen=True, slots=True)
class BrokenItem:
    """An item that made a worker fail."""

    reason: str


@dataclass(frozen=True, slots=True)
class Finished(Generic[Item, Result]):
    """An item with what became of it; ``number`` is its place among all items.

    The two halves of an item have its number. ``reason`` is there where it failed for good.
    """

    number: int
    item: Item
    result: Result | None = None
    reason: str = ""


@dataclass(slots=True)
class Task(Generic[Item]):
    """An item on its way; ``lost`` counts the workers that ended over it, on machines that live.

    ``ended_on`` are the machines of all workers that ended over it.
    """

    number: int
    item: Item
    lost: int = 0
    ended_on: list[str] = field(default_factory=list)


# One process on a machine of the cluster: it opens a job, and does the items that it is given.
#
# What goes wrong comes back as a value: an exception may be of a class that cannot be sent.


LONGEST_REASON = 300


class Worker:
    """The body of a Ray actor."""

    def __init__(self, job: Job[Any, Any]) -> None:
        self._job = job
        self._held = ExitStack()
        self._opened: OpenedJob[Any, Any] | None = None

    def open(self) -> Opened | RefusedWork:
        """Load what the job needs."""
        import ray

        try:
            self._opened = self._held.enter_context(self._job.open())
        except LacunaError as error:
            return RefusedWork(str(error))
        except Exception as error:
            return RefusedWork(f"The work could not be begun there ({_reason(error)}).")
        node = ray.get_runtime_context().get_node_id()
        return Opened(node, __version__, getattr(self._opened, "about", None))

    def work(self, item: Any) -> Any:
        """The result of an item, or ``BrokenItem`` or ``RefusedWork``."""
        assert self._opened is not None
        try:
            return self._opened.work(item)
        except LacunaError as error:
            return RefusedWork(str(error))
        except Exception as error:  # one bad item must not keep the others from being done
            return BrokenItem(_reason(error))


def _reason(error: Exception) -> str:
    first = str(error).strip().partition("\n")[0]
    return f"{type(error).__name__}: {first}".rstrip(": ")[:LONGEST_REASON]


POLL = 1.0
"""Seconds after which it is looked whether machines came or went."""
MOST_UNOPENED = 3
"""Workers in a row that may end while they load."""
LONGEST_WAIT = 300.0
"""Seconds without a single worker after which there is no use in waiting."""
LOST: Final = object()
"""The outcome of a task whose worker ended."""


@dataclass(eq=False, slots=True)
class _Hired(Generic[Item]):
    """A worker with the tasks that it was given, the one that it works on first.

    ``machines`` are those that there were when it was hired: it may be on any of them.
    """

    actor: Any
    machines: frozenset[str]
    node: str = ""
    tasks: deque[Task[Item]] = field(default_factory=deque)
    is_gone: bool = False


class Workers(Generic[Item]):
    """The workers that there are, and what each of them does."""

    def __init__(
        self, cluster: Cluster, job: Job[Item, Any], *, cpus: float, gpus: float, depth: int
    ) -> None:
        self._cluster, self._ray = cluster, cluster.ray
        self._cpus, self._gpus, self._depth = cpus, gpus, depth
        self._job = self._ray.put(job)
        self._actor = self._ray.remote(Worker).options(
            num_cpus=cpus, num_gpus=gpus, scheduling_strategy="SPREAD"
        )
        self._loading: dict[Any, _Hired[Item]] = {}
        self._working: list[_Hired[Item]] = []
        self._given: dict[Any, tuple[_Hired[Item], Task[Item]]] = {}
        self._about: Any = None
        self._unopened = 0
        self._looked = self._last_worker = time.monotonic()
        self._hire()

    def dismiss(self) -> None:
        """End all workers."""
        for worker in (*self._loading.values(), *self._working):
            self._ray.kill(worker.actor)

    def about(self) -> Any:
        """The opened job's description of itself, as soon as a worker has opened it."""
        while not self._working:
            list(self.outcomes())
        return self._about

    @property
    def has_room(self) -> bool:
        """True if a worker could take a task."""
        return any(len(worker.tasks) < self._depth for worker in self._working)

    def hand_out(self, tasks: deque[Task[Item]]) -> None:
        """Give away as many tasks as there is room for, to those who have least first."""
        while tasks and self.has_room:
            worker = min(self._working, key=lambda each: len(each.tasks))
            task = tasks.popleft()
            worker.tasks.append(task)
            self._given[worker.actor.work.remote(task.item)] = worker, task

    def outcomes(self) -> Iterator[tuple[Task[Item], Any]]:
        """Wait a little, and tell what became of tasks meanwhile."""
        self._look_around()
        waiting = [*self._loading, *self._given]
        if not waiting:
            time.sleep(POLL)
            return
        for reference in self._ray.wait(waiting, num_returns=1, timeout=POLL)[0]:
            try:
                outcome = self._ray.get(reference)
            except self._ray.exceptions.RayError as error:
                outcome = error
            if reference in self._loading:
                self._take_on(self._loading.pop(reference), outcome)
                continue
            worker, task = self._given.pop(reference)
            if isinstance(outcome, self._ray.exceptions.RayError):
                self._let_go(worker)
                outcome = LOST
            else:
                worker.tasks.remove(task)
            yield task, outcome

    def _look_around(self) -> None:
        now = time.monotonic()
        if self._working:
            self._last_worker = now
        elif now - self._last_worker > LONGEST_WAIT:
            size = f"{self._cpus:g} processor cores" + (" and a GPU" if self._gpus else "")
            raise LacunaError(
                f"No machine of the cluster has had {size} for a worker since "
                f"{LONGEST_WAIT / 60:.0f} minutes. Join machines (`ray start --address "
                "HOST:PORT`), wait until other work is done, or set a smaller LACUNA_THREADS."
            )
        if now - self._looked > POLL:
            self._looked = now
            self._cluster.check_head()
            self._hire()

    def _hire(self) -> None:
        present = len(self._loading) + len(self._working)
        machines = self._cluster.machines
        for _ in range(self._cluster.places(cpus=self._cpus, gpus=self._gpus) - present):
            actor = self._actor.remote(self._job)
            self._loading[actor.open.remote()] = _Hired(actor, machines)

    def _take_on(self, worker: _Hired[Item], outcome: Any) -> None:
        if isinstance(outcome, RefusedWork):
            raise LacunaError(f"On a machine of the cluster: {outcome.message}")
        if not isinstance(outcome, Opened):
            if worker.machines <= self._cluster.machines:  # none that it may have been on is gone
                self._unopened += 1
            if self._unopened >= MOST_UNOPENED:
                raise LacunaError(
                    "The workers of the cluster end while they load. Lacuna must be installed on "
                    "every machine as it is here, and a machine needs memory for each of its "
                    f"workers. The last one said: {_last_line(outcome)}"
                )
            return
        if outcome.version != __version__:
            raise LacunaError(
                f"A machine of the cluster has Lacuna {outcome.version}, and this one has "
                f"{__version__}: their results would be mixed. Install the same on all."
            )
        self._unopened = 0
        self._about, worker.node = outcome.about, outcome.node
        self._working.append(worker)

    def _let_go(self, worker: _Hired[Item]) -> None:
        """A worker is lost; whether its task is to blame shows when others are lost as well."""
        if worker.is_gone:
            return
        worker.is_gone = True
        self._working.remove(worker)
        task = worker.tasks[0]
        # That a machine is gone may be known only later, so the earlier ones are looked at again.
        task.ended_on.append(worker.node)
        task.lost = sum(node in self._cluster.machines for node in task.ended_on)


def _last_line(error: object) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[-1][:300] if lines else type(error).__name__


# The items of a job among workers on all machines of a cluster.
#
# A worker that is lost costs the item that it had: another one does it again. An item that ends
# its worker again and again, or fails, is halved until it is known which part of it is to blame.


MOST_LOST = 2
"""Workers that one item may end; a machine that is gone does not count."""
ENDED = "the process that worked on it ended, and that of the next attempt as well"


class WorkerPool(Generic[Item, Result]):
    """Does the items of a job; use it in a ``with`` block.

    ``cpus`` and ``gpus`` are what one worker needs. Machines that join later get workers, too. Each
    worker has up to ``depth`` items, so that it need not wait where the results take their time.
    """

    def __init__(
        self,
        cluster: Cluster,
        job: Job[Item, Result],
        *,
        cpus: float = 1,
        gpus: float = 0,
        depth: int = 1,
    ) -> None:
        self._job = job
        self._workers: Workers[Item] = Workers(cluster, job, cpus=cpus, gpus=gpus, depth=depth)

    def __enter__(self) -> WorkerPool[Item, Result]:
        return self

    def __exit__(self, *_: object) -> None:
        self._workers.dismiss()

    def about(self) -> Any:
        """The opened job's description of itself, as soon as a worker has opened it."""
        return self._workers.about()

    def run(
        self, items: Iterable[Item], *, ahead: int | None = None
    ) -> Iterator[Finished[Item, Result]]:
        """Do all items, and give each as soon as it is done, in whatever order.

        With ``ahead``, no item is begun that is so many places after the first that is not done:
        whoever puts them in order never holds more.
        """
        coming = enumerate(items)
        again: deque[Task[Item]] = deque()
        undone: dict[int, int] = {}  # how many parts of an item are on their way, by its number
        issued, ended = 0, False
        while True:
            while not ended and not again:
                if ahead is not None and undone and issued - min(undone) >= ahead:
                    break
                if undone and not self._workers.has_room:
                    break
                following = next(coming, None)
                if following is None:
                    ended = True
                    break
                issued, item = following
                undone[issued] = 1
                again.append(Task(issued, item))
                self._workers.hand_out(again)
            if ended and not undone:
                return
            self._workers.hand_out(again)
            for task, outcome in self._workers.outcomes():
                finished: Finished[Item, Result] | list[Task[Item]]
                finished = judged(self._job, task, outcome)
                if isinstance(finished, Finished):
                    undone[task.number] -= 1
                    if not undone[task.number]:
                        del undone[task.number]
                    yield finished
                else:
                    undone[task.number] += len(finished) - 1
                    again.extend(finished)


def judged(
    job: Job[Item, Result], task: Task[Item], outcome: Any
) -> Finished[Item, Result] | list[Task[Item]]:
    """The result of a task, or the work to do again."""
    if isinstance(outcome, RefusedWork):
        raise LacunaError(f"On a machine of the cluster: {outcome.message}")
    if outcome is LOST and task.lost < MOST_LOST:
        return [task]
    if outcome is not LOST and not isinstance(outcome, BrokenItem):
        return Finished(task.number, task.item, outcome)
    halves = job.halves(task.item)
    if halves is None:
        reason = outcome.reason if isinstance(outcome, BrokenItem) else ENDED
        return Finished(task.number, task.item, reason=reason)
    return [Task(task.number, half) for half in halves]


def in_order(finished: Iterable[Finished[Item, Result]]) -> Iterator[Finished[Item, Result]]:
    """The same in the order of the items, where none of them can be halved."""
    early: dict[int, Finished[Item, Result]] = {}
    following = 0
    for each in finished:
        early[each.number] = each
        while following in early:
            yield early.pop(following)
            following += 1
