"""Assignments in the database: found, shown, their places, and what requests come back with."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, cast

from sqlalchemy import ColumnElement, Row, Select, case, func, select
from sqlalchemy.dialects import postgresql, sqlite

from lacuna.errors import LacunaError, no_such
from lacuna_collect.database.engine import CollectDatabase, CollectTransaction, as_struct
from lacuna_collect.database.tables import ASSIGNMENT, ITEM, SHARED_TEXT, SUBMISSION, written_json
from lacuna_collect.refused import RefusedError
from lacuna_collect.tasks.task import (
    CollectTask,
    FinishedWork,
    Json,
    SettlingTask,
    SharingTask,
    TaskSettings,
)


class AssignmentState(StrEnum):
    """Where an assignment stands."""

    OPEN = "open"
    RETURNED = "returned"
    """Sent back by a reviewer: open again."""
    EXPIRED = "expired"
    """Not saved for too long; its place is free for others."""
    SKIPPED = "skipped"
    WAITING = "waiting"
    """Handed in, and waits for a reviewer."""
    ACCEPTED = "accepted"
    REJECTED = "rejected"
    TESTED = "tested"
    """Handed in as part of the qualification test."""


@dataclass(frozen=True, slots=True)
class TaskInUse:
    """A task with the settings that a project has for it."""

    task: CollectTask
    settings: TaskSettings

    @property
    def name(self) -> str:
        """The task's."""
        return self.task.name


@dataclass(frozen=True, slots=True)
class Assigned:
    """An item that a person is to work on, as far as the person may see it."""

    assignment: int
    task: str
    state: AssignmentState
    shown: Json
    """The only thing of an item that leaves the server."""
    draft: Json | None
    version: int
    """Of the draft; a save has to name the one it was made from."""
    seconds: float
    """Spent on it so far."""
    assigned_at: float
    expires_at: float
    """If nothing is saved until then, it may go to somebody else."""
    pay_cents: int
    """0 for an item of the test."""
    returned_reason: str
    is_test: bool
    """Whether it belongs to the qualification test."""
    tests_left: int
    """How many items of the test are left, this one included; 0 outside of it."""


class NoWorkReason(StrEnum):
    """Why there is nothing to do for a person."""

    FINISHED = "finished"
    """Everything that this person may do is done or in other hands."""
    LIMIT = "limit"
    """The person has done as many sets as one may do."""
    INSPECTION = "inspection"
    """A reviewer looks at the first sets before there are more."""
    NOT_QUALIFIED = "not-qualified"
    PAUSED = "paused"
    LIVE = "live"
    """It is done with a partner, on a page of its own."""


@dataclass(frozen=True, slots=True)
class NoWork:
    """There is nothing to do now."""

    reason: NoWorkReason
    message: str


@dataclass(frozen=True, slots=True)
class Saved:
    """A draft that is on the server's disk."""

    version: int
    expires_at: float
    is_expired: bool = False
    """Whether the item has gone to somebody else meanwhile; the draft is kept all the same."""


@dataclass(frozen=True, slots=True)
class StaleDraft:
    """A draft that was not saved, since another tab or device has saved a newer one."""

    version: int
    draft: Json | None


@dataclass(frozen=True, slots=True)
class Submitted:
    """The receipt of work that was handed in."""

    receipt: str
    """The same, however often the same work is sent."""
    assignment: int
    state: AssignmentState
    late: bool
    score: float | None
    """Of an item of the test."""
    message: str
    """What the person is told."""


def new_assignment(
    transaction: CollectTransaction, item: int, person: int, task: str, **more: Any
) -> int:
    """Write down that somebody has an item; its place was taken before."""
    usual = {"state": AssignmentState.OPEN, "has_place": True, "is_test": False, "version": 0}
    usual |= {"seconds": 0.0, "loop": {}, "returned_reason": "", "assigned_at": transaction.now}
    return transaction.add(ASSIGNMENT, item=item, person=person, task=task, **{**usual, **more})


def change_assignment(transaction: CollectTransaction, assignment: int, **values: Any) -> None:
    """Write down what has become of an assignment."""
    transaction.change(ASSIGNMENT, ASSIGNMENT.c.id == assignment, **values)


def new_submission(
    transaction: CollectTransaction, assignment: int, author: int, **more: Any
) -> int:
    """Keep work that was handed in; its number."""
    usual = {"loop": {}, "late": False, "accepted": False, "at": transaction.now}
    return transaction.add(SUBMISSION, assignment=assignment, author=author, **{**usual, **more})


BEGUN = (AssignmentState.OPEN, AssignmentState.RETURNED)
"""States in which a person has an item, but has not handed it in."""


def take_place(transaction: CollectTransaction, item: int) -> bool:
    """Take a place of an item, if one is free."""
    is_free = (ITEM.c.taken < ITEM.c.copies) | ITEM.c.gold.is_not(None)
    return transaction.change(ITEM, ITEM.c.id == item, is_free, taken=ITEM.c.taken + 1) == 1


def free_place(transaction: CollectTransaction, item: int) -> None:
    """Give a place back."""
    transaction.change(ITEM, ITEM.c.id == item, taken=_not_negative(ITEM.c.taken - 1))


def retire_item(transaction: CollectTransaction, item: int) -> None:
    """Hand an item that was drawn on demand to nobody else: there are always others."""
    transaction.change(ITEM, ITEM.c.id == item, ITEM.c.drawn, copies=ITEM.c.taken)


def give_back_places(
    transaction: CollectTransaction, *, person: int | None = None, task: str | None = None
) -> int:
    """End what a person has begun, or what nobody has saved in time; their drafts are kept."""
    wanted: list[ColumnElement[bool]] = [ASSIGNMENT.c.state.in_(BEGUN)]
    if person is None:
        wanted.append(ASSIGNMENT.c.expires_at <= transaction.now)
    else:
        wanted.append(ASSIGNMENT.c.person == person)
    if task is not None:
        wanted.append(ASSIGNMENT.c.task == task)
    overdue = transaction.execute(
        select(ASSIGNMENT.c.id, ASSIGNMENT.c.item, ASSIGNMENT.c.person, ASSIGNMENT.c.task)
        .where(*wanted)
        .order_by(ASSIGNMENT.c.item)  # everybody locks in the same order
        # Whoever is saving one of them at this moment keeps it.
        .with_for_update(skip_locked=person is None)
    ).all()
    for row in overdue:
        change_assignment(transaction, row.id, state=AssignmentState.EXPIRED, has_place=False)
        free_place(transaction, row.item)
        transaction.log("expired", person=row.person, task=row.task, assignment=row.id)
    return len(overdue)


def _not_negative(value: ColumnElement[Any]) -> ColumnElement[Any]:
    return case((value < 0, 0), else_=value)


# Long parts of items, such as articles, that many items have in common: each is kept once.
#
# An item holds their digests. A part never changes, so that whoever has read one need not read it
# again. Items that are handed on from one task to another take the digests along.


DIGEST = "digest"
"""What stands for a part in an item that is stored: a field of this name alone."""
UNLESS_THERE = {
    "postgresql": postgresql.insert(SHARED_TEXT).on_conflict_do_nothing(),
    "sqlite": sqlite.insert(SHARED_TEXT).on_conflict_do_nothing(),
}
MOST_CHARACTERS = 50_000_000
"""Of the parts that are kept in memory."""


class TextsAtHand:
    """Parts that were read lately, by their digests; the oldest go first."""

    def __init__(self, most: int = MOST_CHARACTERS) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._parts: dict[str, tuple[Json, int]] = {}
        self._size = 0

    def those(self, digests: Iterable[str]) -> dict[str, Json]:
        """Those of some parts that are here."""
        with self._lock:
            return {one: self._parts[one][0] for one in digests if one in self._parts}

    def add(self, digest: str, part: Json, size: int) -> None:
        """Keep one more."""
        with self._lock:
            if digest in self._parts:
                return
            self._parts[digest] = (part, size)
            self._size += size
            while self._size > self._most:
                self._size -= self._parts.pop(next(iter(self._parts)))[1]


AT_HAND = TextsAtHand()
"""One for all projects: a digest stands for the same part in each."""


def keep_apart(transaction: CollectTransaction, task: CollectTask, payload: Json) -> Json:
    """The payload as it is stored; its long parts are stored beside it, if they are new."""
    if not isinstance(task, SharingTask):
        return payload
    parts = payload.get(task.shared)
    if not isinstance(parts, Mapping):
        return payload
    digests: dict[str, str] = {}
    written: dict[str, str] = {}
    for name, part in parts.items():
        if is_digest(part):
            digests[name] = part[DIGEST]
            continue
        text = written_json(part)
        digests[name] = hashlib.sha256(text.encode()).hexdigest()
        written[digests[name]] = text
    _store(transaction, written)
    return {**payload, task.shared: {name: {DIGEST: one} for name, one in digests.items()}}


def with_shared(transaction: CollectTransaction, task: CollectTask, payload: Json) -> Json:
    """The payload of an item as its task wants to see it: with its long parts, or their digests."""
    if not isinstance(task, SharingTask) or not task.reads_shared or task.shared not in payload:
        return payload
    parts: Json = payload[task.shared]
    digests = {name: part[DIGEST] for name, part in parts.items() if is_digest(part)}
    found = _read(transaction, set(digests.values()))
    return {**payload, task.shared: parts | {name: found[one] for name, one in digests.items()}}


def is_digest(part: object) -> bool:
    """Whether this stands for a part that is kept elsewhere."""
    return isinstance(part, dict) and part.keys() == {DIGEST}


def _store(transaction: CollectTransaction, written: dict[str, str]) -> None:
    there = set(
        transaction.execute(
            select(SHARED_TEXT.c.digest).where(SHARED_TEXT.c.digest.in_(written))
        ).scalars()
    )
    # In one order: two that store the same at once wait for each other and not for ever.
    for digest in sorted(written.keys() - there):
        values = {"digest": digest, "content": written[digest]}
        transaction.execute(UNLESS_THERE[transaction.connection.dialect.name], values)


def _read(transaction: CollectTransaction, digests: set[str]) -> dict[str, Json]:
    found = AT_HAND.those(digests)
    missing = sorted(digests - found.keys())
    if missing:
        query = select(SHARED_TEXT).where(SHARED_TEXT.c.digest.in_(missing))
        for row in transaction.execute(query):
            found[row.digest] = json.loads(row.content)
            AT_HAND.add(row.digest, found[row.digest], len(row.content))
    if len(found) < len(digests):
        raise LacunaError(
            "An item names a text by its digest that this project does not have. Give the item "
            "with the text itself, or restore the project from a backup."
        )
    return found


TasksInUse = Mapping[str, TaskInUse]


def task_in_use(tasks: TasksInUse, name: str) -> TaskInUse:
    """A task of this project."""
    if name not in tasks:
        raise RefusedError("no-such-task", str(no_such("task", name, list(tasks))))
    return tasks[name]


def own_assignment(transaction: CollectTransaction, person: int, assignment: int) -> Row[Any]:
    """A person's own assignment with its item, as it is stored (see ``with_shared``).

    Another's is refused as if there were none.
    """
    query = select(
        ASSIGNMENT, ITEM.c.key.label("item_key"), ITEM.c.payload, ITEM.c.gold, ITEM.c.split
    ).join(ITEM, ITEM.c.id == ASSIGNMENT.c.item)
    return _own(transaction, query, person, assignment)


def locked_assignment(transaction: CollectTransaction, person: int, assignment: int) -> Row[Any]:
    """The same to be changed, without its item: items are long, and drafts saved often."""
    query = select(ASSIGNMENT).with_for_update()
    return _own(transaction, query, person, assignment)


def _own(
    transaction: CollectTransaction, query: Select[Any], person: int, assignment: int
) -> Row[Any]:
    own = query.where(ASSIGNMENT.c.id == assignment, ASSIGNMENT.c.person == person)
    row = transaction.execute(own).first()
    if row is None:
        raise RefusedError("no-such-assignment", "There is no such assignment.")
    return row


def as_assigned(row: Row[Any], payload: Json, task: TaskInUse, tests_left: int = 0) -> Assigned:
    """An assignment with its item, as the person may see it."""
    return as_struct(
        Assigned,
        row,
        assignment=row.id,
        state=AssignmentState(row.state),
        shown=task.task.shown(payload, task.settings),
        pay_cents=0 if row.is_test else task.settings.pay_cents,
        tests_left=tests_left,
    )


class FinishedWorks:
    """All work that was accepted; each submission once."""

    def __init__(self, database: CollectDatabase, tasks: TasksInUse) -> None:
        self._database = database
        self._tasks = tasks

    def of(self, task: str) -> list[FinishedWork]:
        """The accepted work of a task, in the order in which it was handed in."""
        used = task_in_use(self._tasks, task)
        with self._database.read() as transaction:
            return finished_works(transaction, used)

    def all(self) -> dict[str, list[FinishedWork]]:
        """That of every task, at one moment."""
        with self._database.read() as transaction:
            return {name: finished_works(transaction, task) for name, task in self._tasks.items()}


def finished_works(transaction: CollectTransaction, task: TaskInUse) -> list[FinishedWork]:
    """The accepted work of a task."""
    accepted = finished_query().where(ITEM.c.task == task.name, SUBMISSION.c.accepted)
    rows = transaction.execute(accepted.order_by(SUBMISSION.c.id)).all()
    return [finished_work(transaction, task, row) for row in rows]


def finished_query() -> Select[Any]:
    """Submissions with their items, for ``finished_work``."""
    return (
        select(
            SUBMISSION.c.id,
            SUBMISSION.c.assignment,
            SUBMISSION.c.work,
            SUBMISSION.c.loop,
            SUBMISSION.c.seconds,
            ASSIGNMENT.c.person,
            ITEM.c.task,
            ITEM.c.key,
            ITEM.c.payload,
            ITEM.c.split,
        )
        .join(ASSIGNMENT, ASSIGNMENT.c.id == SUBMISSION.c.assignment)
        .join(ITEM, ITEM.c.id == ASSIGNMENT.c.item)
    )


def finished_work(transaction: CollectTransaction, task: TaskInUse, row: Row[Any]) -> FinishedWork:
    """A submission as export and follow-up tasks see it."""
    payload = with_shared(transaction, task.task, row.payload)
    return FinishedWork(
        row.key, payload, row.split, row.work, row.person, row.id, row.seconds, row.loop
    )


class Settling:
    """Asks the tasks that settle others, and again when more of their work was accepted."""

    def __init__(self, database: CollectDatabase, tasks: TasksInUse) -> None:
        self._database = database
        self._tasks = [task for task in tasks.values() if hasattr(task.task, "settle")]
        self._lock = threading.Lock()
        self._settled: dict[str, tuple[int, dict[str, Json]]] = {}

    def settings_of(self, task: TaskInUse) -> TaskSettings:
        """The project's settings, and what was settled since."""
        more = dict(task.settings.more)
        with self._lock:
            for settling in self._tasks:
                more |= self._by(settling).get(task.name, {})
        return replace(task.settings, more=more)

    def _by(self, settling: TaskInUse) -> dict[str, Json]:
        with self._database.read() as transaction:
            accepted = transaction.scalar(
                select(func.count()).where(
                    ASSIGNMENT.c.task == settling.name,
                    ASSIGNMENT.c.state == AssignmentState.ACCEPTED,
                )
            )
            before = self._settled.get(settling.name)
            if before is not None and before[0] == accepted:
                return before[1]
            finished = finished_works(transaction, settling)
        settled = dict(cast(SettlingTask, settling.task).settle(finished, settling.settings))
        self._settled[settling.name] = (accepted or 0, settled)
        return settled
