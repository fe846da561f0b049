"""The qualification test: every item of it once, and a mark that has to be reached."""

from __future__ import annotations

from sqlalchemy import func, insert, select, update

from lacuna.collect.database.engine import CollectDatabase, CollectTransaction
from lacuna.collect.database.tables import ASSIGNMENT, ITEM, QUALIFICATION, SUBMISSION
from lacuna.collect.people.person import person_numbered
from lacuna.collect.work.looking_up import TasksInUse, task_in_use
from lacuna.collect.work.results import AssignmentState, TaskInUse

WHOLE = 1e-9
"""Sums of shares may fall short of a mark by this much."""


class Qualifications:
    """What a requester can see and decide about who may work."""

    def __init__(self, database: CollectDatabase, tasks: TasksInUse) -> None:
        self._database = database
        self._tasks = tasks

    def set(self, person: int, task: str, *, passed: bool, by: int | None = None) -> None:
        """Let somebody work without or in spite of the test, or not any more."""
        task_in_use(self._tasks, task)
        with self._database.begin() as transaction:
            person_numbered(transaction, person, lock=True)
            write_qualification(transaction, person, task, passed, None)
            transaction.log(
                "qualification-set", person=person, task=task, about={"passed": passed, "by": by}
            )


def qualification(transaction: CollectTransaction, person: int, task: str) -> bool | None:
    """Whether a person has passed; None if that is still open."""
    passed = transaction.scalar(
        select(QUALIFICATION.c.passed).where(
            QUALIFICATION.c.person == person, QUALIFICATION.c.task == task
        )
    )
    return is_qualified(transaction, task, passed)


def is_qualified(transaction: CollectTransaction, task: str, passed: bool | None) -> bool | None:
    """What was written down about a person; where nothing was and there is no test, all pass."""
    if passed is not None:
        return bool(passed)
    return None if _tests(transaction, task) else True


def tests_left(transaction: CollectTransaction, person: int, task: str) -> int:
    """How many items of the test a person has still to do."""
    done = transaction.scalar(
        select(func.count()).where(
            ASSIGNMENT.c.person == person,
            ASSIGNMENT.c.task == task,
            ASSIGNMENT.c.state == AssignmentState.TESTED,
        )
    )
    return max(_tests(transaction, task) - (done or 0), 0)


def judge_test(transaction: CollectTransaction, person: int, task: TaskInUse) -> bool | None:
    """Decide, once all of the test is done; None before."""
    if tests_left(transaction, person, task.name):
        return None
    score = transaction.scalar(
        select(func.avg(SUBMISSION.c.score))
        .join(ASSIGNMENT, ASSIGNMENT.c.id == SUBMISSION.c.assignment)
        .where(ASSIGNMENT.c.person == person, ASSIGNMENT.c.task == task.name, ASSIGNMENT.c.is_test)
    )
    passed = float(score or 0.0) + WHOLE >= task.settings.pass_mark
    write_qualification(transaction, person, task.name, passed, float(score or 0.0))
    transaction.log(
        "qualified" if passed else "failed-test",
        person=person,
        task=task.name,
        about={"score": float(score or 0.0)},
    )
    return passed


def write_qualification(
    transaction: CollectTransaction, person: int, task: str, passed: bool, score: float | None
) -> None:
    """Write down whether a person may work; the caller has locked the person."""
    values = {"passed": passed, "score": score, "at": transaction.now}
    there = update(QUALIFICATION).where(
        QUALIFICATION.c.person == person, QUALIFICATION.c.task == task
    )
    if not transaction.execute(there.values(values)).rowcount:
        transaction.execute(insert(QUALIFICATION).values(person=person, task=task, **values))


def _tests(transaction: CollectTransaction, task: str) -> int:
    query = select(func.count()).where(ITEM.c.task == task, ITEM.c.gold.is_not(None))
    return transaction.scalar(query) or 0
