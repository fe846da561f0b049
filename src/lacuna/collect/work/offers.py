"""What there is to do for a person, task by task."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import case, exists, func, select

from lacuna.collect.database.engine import CollectDatabase, CollectTransaction
from lacuna.collect.database.tables import ASSIGNMENT, ITEM, NOT_FOR
from lacuna.collect.work.assigning import MESSAGES, counts_by_state, is_paused
from lacuna.collect.work.looking_up import TasksInUse
from lacuna.collect.work.places import BEGUN
from lacuna.collect.work.qualifying import qualification
from lacuna.collect.work.results import AssignmentState, NoWorkReason, TaskInUse

DONE = (AssignmentState.WAITING, AssignmentState.ACCEPTED, AssignmentState.REJECTED)


@dataclass(frozen=True, slots=True)
class Offer:
    """A task as one person finds it in the list."""

    task: TaskInUse
    open: int
    """Items that this person could take now; those that are drawn on demand are not counted."""
    done: int
    begun: int | None
    """The assignment that the person has begun."""
    needs_test: bool
    closed: str
    """Why there is nothing to do, or empty."""


class Offers:
    """The list of tasks."""

    def __init__(self, database: CollectDatabase, tasks: TasksInUse) -> None:
        self._database = database
        self._tasks = tasks

    def to(self, person: int) -> list[Offer]:
        """What a person can do."""
        with self._database.read() as transaction:
            return [_offer(transaction, person, task) for task in self._tasks.values()]

    def task_of(self, person: int, assignment: int) -> str | None:
        """Which task an assignment of this person belongs to."""
        with self._database.read() as transaction:
            return transaction.scalar(
                select(ASSIGNMENT.c.task).where(
                    ASSIGNMENT.c.id == assignment, ASSIGNMENT.c.person == person
                )
            )


def _offer(transaction: CollectTransaction, person: int, task: TaskInUse) -> Offer:
    counts = counts_by_state(transaction, person, task.name)
    passed = qualification(transaction, person, task.name)
    closed = ""
    if is_paused(transaction, task.name):
        closed = MESSAGES[NoWorkReason.PAUSED]
    elif passed is False:
        closed = MESSAGES[NoWorkReason.NOT_QUALIFIED]
    return Offer(
        task=task,
        open=_open(transaction, person, task.name),
        done=sum(counts.get(state, 0) for state in DONE),
        begun=_begun(transaction, person, task.name),
        needs_test=passed is None,
        closed=closed,
    )


def _open(transaction: CollectTransaction, person: int, task: str) -> int:
    had = exists().where(ASSIGNMENT.c.item == ITEM.c.id, ASSIGNMENT.c.person == person)
    barred = exists().where(NOT_FOR.c.item == ITEM.c.id, NOT_FOR.c.person == person)
    free = select(func.count()).where(
        ITEM.c.task == task, ITEM.c.gold.is_(None), ITEM.c.taken < ITEM.c.copies, ~had, ~barred
    )
    return transaction.scalar(free) or 0


def _begun(transaction: CollectTransaction, person: int, task: str) -> int | None:
    open_first = case((ASSIGNMENT.c.state == AssignmentState.OPEN, 0), else_=1)
    return transaction.scalar(
        select(ASSIGNMENT.c.id)
        .where(
            ASSIGNMENT.c.person == person,
            ASSIGNMENT.c.task == task,
            ASSIGNMENT.c.state.in_(BEGUN),
        )
        .order_by(open_first, ASSIGNMENT.c.id)
        .limit(1)
    )
