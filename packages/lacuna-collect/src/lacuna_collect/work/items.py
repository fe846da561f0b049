"""Items: made from the corpus, by other work, on demand, or brought along in a file."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from random import Random, SystemRandom

from sqlalchemy import exists, func, select
from sqlalchemy.exc import IntegrityError

from lacuna.corpus.store import Store
from lacuna_collect.database.engine import CollectDatabase, CollectTransaction
from lacuna_collect.database.tables import ASSIGNMENT, ITEM, NOT_FOR
from lacuna_collect.refused import RefusedError
from lacuna_collect.tasks.task import CollectTask, NewItem
from lacuna_collect.work.assignments import Settling, TaskInUse, TasksInUse, keep_apart, task_in_use

BATCH = 200
DRAWS = 20
"""How often another item is drawn where another process drew the same at the same moment."""
OVERLAP = 500
"""Items that may still be in the making while later ones are there."""
LONGEST_KEY = 500


class Items:
    """All that there is to work on."""

    def __init__(
        self, database: CollectDatabase, tasks: TasksInUse, corpus: Callable[[], Store]
    ) -> None:
        self._database = database
        self._tasks = tasks
        self._corpus = corpus
        self._settling = Settling(database, tasks)
        self._random = SystemRandom()
        self._lock = threading.Lock()
        self._drawing = threading.Lock()
        self._keys: dict[str, set[str]] = {name: set() for name in tasks}
        self._read_up_to = dict.fromkeys(tasks, 0)

    def make(self, random: Random) -> dict[str, int]:
        """Make what the corpus gives, and the tests.

        Gives how many items are new, by task, those of the test aside.
        """
        for name, task in self._tasks.items():
            self.add(name, task.task.qualification(task.settings))
        return {
            name: self.add(name, task.task.make_items(self._corpus(), task.settings, random))
            for name, task in self._tasks.items()
        }

    def add(self, task: str, items: Iterable[NewItem]) -> int:
        """Store items; those whose keys are there already are left as they are."""
        used = task_in_use(self._tasks, task)
        added = 0
        for batch in _batches(items):
            with self._database.begin() as transaction:
                added += add_items(transaction, used, batch)
        return added

    def draw(self, task: TaskInUse) -> int | None:
        """Make one more item on demand; None where the task draws none."""
        if type(task.task).draw_item is CollectTask.draw_item:
            return None  # it never does, and nobody need wait for others to be told so
        with self._drawing:  # two that draw at once might draw the same
            return self._drawn(task)

    def _drawn(self, task: TaskInUse) -> int | None:
        for _ in range(DRAWS):
            settings = self._settling.settings_of(task)
            taken = self._taken(task.name)
            item = task.task.draw_item(self._corpus(), settings, self._random, taken)
            if item is None:
                return None
            try:
                with self._database.begin() as transaction:
                    return _add(transaction, task, item, drawn=True)
            except IntegrityError:  # somebody has just drawn the same
                with self._lock:
                    self._read_up_to[task.name] = 0
        return None

    def count(self, task: str) -> int:
        """How many items a task has, those of the test aside."""
        with self._database.read() as transaction:
            query = select(func.count()).where(ITEM.c.task == task, ITEM.c.gold.is_(None))
            return transaction.scalar(query) or 0

    def _taken(self, task: str) -> frozenset[str]:
        """The keys of all items of a task; only the last are read again.

        A number may become visible after a higher one, where two were made at the same moment.
        """
        with self._lock, self._database.read() as transaction:
            rows = transaction.execute(
                select(ITEM.c.id, ITEM.c.key)
                .where(ITEM.c.task == task, ITEM.c.id > self._read_up_to[task] - OVERLAP)
                .order_by(ITEM.c.id)
            )
            for number, key in rows:
                self._keys[task].add(key)
                self._read_up_to[task] = number
            return frozenset(self._keys[task])


def add_items(transaction: CollectTransaction, task: TaskInUse, items: Iterable[NewItem]) -> int:
    """Store those items of a task that are not there yet."""
    wanted = {item.key: item for item in items}
    there = set(
        transaction.execute(
            select(ITEM.c.key).where(ITEM.c.task == task.name, ITEM.c.key.in_(wanted))
        ).scalars()
    )
    new = [item for key, item in wanted.items() if key not in there]
    for item in new:
        _add(transaction, task, item, drawn=False)
    if new:
        transaction.log("items-added", task=task.name, about={"count": len(new)})
    return len(new)


def _add(transaction: CollectTransaction, task: TaskInUse, item: NewItem, *, drawn: bool) -> int:
    if not item.key or len(item.key) > LONGEST_KEY or item.copies < 1:
        raise RefusedError(
            "bad-item",
            f"An item of {task.name} has a key of 1 to {LONGEST_KEY} characters and at least one "
            "copy.",
        )
    number = transaction.add(
        ITEM,
        task=task.name,
        key=item.key,
        payload=keep_apart(transaction, task.task, item.payload),
        split=item.split,
        gold=item.gold,
        copies=item.copies,
        taken=0,
        drawn=drawn,
        created_at=transaction.now,
    )
    for person in set(item.not_for):
        transaction.add(NOT_FOR, item=number, person=person)
    return number


def _batches(items: Iterable[NewItem]) -> Iterator[list[NewItem]]:
    batch: list[NewItem] = []
    for item in items:
        batch.append(item)
        if len(batch) == BATCH:
            yield batch
            batch = []
    if batch:
        yield batch


class OpenItems:
    """Counts what somebody could take now; items that are drawn on demand are not there yet."""

    def __init__(self, database: CollectDatabase) -> None:
        self._database = database

    def by_task(self, person: int) -> dict[str, int]:
        """How many items of each task a person has not had, may have, and finds a place on."""
        had = exists().where(ASSIGNMENT.c.item == ITEM.c.id, ASSIGNMENT.c.person == person)
        barred = exists().where(NOT_FOR.c.item == ITEM.c.id, NOT_FOR.c.person == person)
        free = (
            select(ITEM.c.task, func.count())
            .where(ITEM.c.gold.is_(None), ITEM.c.taken < ITEM.c.copies, ~had, ~barred)
            .group_by(ITEM.c.task)
        )
        with self._database.read() as transaction:
            return {row[0]: row[1] for row in transaction.execute(free)}
