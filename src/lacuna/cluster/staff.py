"""The workers of a crew: hired where there is room, given tasks, replaced when they are lost."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final, Generic

from lacuna.cluster.connection import Cluster
from lacuna.cluster.job import Item, Job, Opened, RefusedWork, Task
from lacuna.cluster.worker import Worker
from lacuna.errors import LacunaError
from lacuna.version import __version__

POLL = 1.0
"""Seconds after which it is looked whether machines came or went."""
MOST_UNOPENED = 3
"""Workers in a row that may end while they load."""
LONGEST_WAIT = 300.0
"""Seconds without a single worker after which there is no use in waiting."""
LOST: Final = object()
"""What became of a task whose worker ended."""


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


class Staff(Generic[Item]):
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
        """What the opened job says of itself, as soon as a worker has opened it."""
        while not self._working:
            list(self.outcomes())
        return self._about

    @property
    def has_room(self) -> bool:
        """Whether a worker could take a task."""
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
                "HOST:PORT`), wait until other work is done, or give fewer --threads."
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
