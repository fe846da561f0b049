"""The items of a job among workers on all machines of a cluster.

A worker that is lost costs the item that it had: another one does it again. An item that ends its
worker again and again, or fails, is halved until it is known which part of it is to blame.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from typing import Any, Generic

from lacuna.cluster.connection import Cluster
from lacuna.cluster.job import BrokenItem, Finished, Item, Job, RefusedWork, Result, Task
from lacuna.cluster.staff import LOST, Staff
from lacuna.errors import LacunaError

MOST_LOST = 2
"""Workers that one item may end; a machine that is gone does not count."""
ENDED = "the process that worked on it ended, and that of the next attempt as well"


class Crew(Generic[Item, Result]):
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
        self._staff: Staff[Item] = Staff(cluster, job, cpus=cpus, gpus=gpus, depth=depth)

    def __enter__(self) -> Crew[Item, Result]:
        return self

    def __exit__(self, *_: object) -> None:
        self._staff.dismiss()

    def about(self) -> Any:
        """What the opened job says of itself, as soon as a worker has opened it."""
        return self._staff.about()

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
                if undone and not self._staff.has_room:
                    break
                following = next(coming, None)
                if following is None:
                    ended = True
                    break
                issued, item = following
                undone[issued] = 1
                again.append(Task(issued, item))
                self._staff.hand_out(again)
            if ended and not undone:
                return
            self._staff.hand_out(again)
            for task, outcome in self._staff.outcomes():
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
    """What a task gave, or what is to be done again."""
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
