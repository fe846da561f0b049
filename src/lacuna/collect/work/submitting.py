"""Work that is handed in: checked, kept once and for ever, and accepted or passed to a reviewer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Row, insert, select, update

from lacuna.collect.database.engine import CollectDatabase, CollectTransaction
from lacuna.collect.database.tables import ASSIGNMENT, SUBMISSION
from lacuna.collect.people.person import working_person
from lacuna.collect.refused import plain_text
from lacuna.collect.steps import given_steps
from lacuna.collect.tasks.stepped_task import SteppedTask
from lacuna.collect.tasks.task import FieldProblem, FinishedWork, Json
from lacuna.collect.work.accepting import reward
from lacuna.collect.work.assigning import counts_by_state, is_inspected
from lacuna.collect.work.drafts import (
    CAN_BE_SAVED,
    already_handed_in,
    check_size,
    check_whole_characters,
    spent,
)
from lacuna.collect.work.looking_up import (
    TasksInUse,
    locked_assignment,
    own_assignment,
    task_in_use,
)
from lacuna.collect.work.places import BEGUN, take_place
from lacuna.collect.work.qualifying import judge_test
from lacuna.collect.work.results import AssignmentState, Submitted, TaskInUse
from lacuna.collect.work.shared_texts import with_shared

CAN_BE_SUBMITTED = (*CAN_BE_SAVED, AssignmentState.SKIPPED)
LATE = "This came after its time was up, and the item has gone to somebody else. It is kept, and "
LATE += "the requester decides about it."
TOLD = {
    AssignmentState.ACCEPTED: "Thank you! This was accepted.",
    AssignmentState.WAITING: "Thank you! A reviewer will look at this.",
    AssignmentState.REJECTED: "This was handed in, and a reviewer did not accept it.",
    AssignmentState.RETURNED: "This was handed in, and a reviewer has sent it back since.",
    AssignmentState.TESTED: "Thank you! This part of the test is done.",
}
PASSED = "Thank you! You passed the test."
FAILED = "You did not pass the test. Sorry."


@dataclass(frozen=True, slots=True)
class _Sent:
    """Work that was checked, as it is kept."""

    work: Json
    key: str
    seconds: float
    score: float | None


class Submitting:
    """Takes in finished work."""

    def __init__(self, database: CollectDatabase, tasks: TasksInUse) -> None:
        self._database = database
        self._tasks = tasks

    def submit(
        self, person: int, assignment: int, work: Json, key: str, seconds: float
    ) -> Submitted | list[FieldProblem]:
        """Hand work in; ``key`` is made by the page, and the same work sent twice has the same."""
        key = plain_text(key, "The key", 100)
        check_size(work)
        check_whole_characters(work)
        with self._database.read_once() as transaction:
            item = own_assignment(transaction, person, assignment)
            might_be = item.state != AssignmentState.OPEN  # handed in before
            if might_be and (before := _receipt(transaction, item, key)) is not None:
                return before
            task = task_in_use(self._tasks, item.task)
            payload = with_shared(transaction, task.task, item.payload)
            if isinstance(task.task, SteppedTask) and task.task.steps(payload):
                work = task.task.stepped_work(given_steps(transaction, assignment))
        # An item never changes, so that its checks need not hold up everybody else.
        if problems := list(task.task.check(payload, work, task.settings)):
            return problems
        score = task.task.score(payload, work, item.gold) if item.is_test else None
        with self._database.begin() as transaction:
            working_person(transaction, person)
            row = locked_assignment(transaction, person, assignment)
            if (before := _receipt(transaction, row, key)) is not None:
                return before
            if row.state not in CAN_BE_SUBMITTED:
                raise already_handed_in()
            has_place = row.has_place or take_place(transaction, row.item)
            state = self._state(transaction, row, task, has_place)
            sent = _Sent(work, key, spent(row, seconds, transaction.now), score)
            kept = _keep(transaction, row, sent, state, has_place=has_place)
            passed = None
            if state == AssignmentState.TESTED:
                passed = judge_test(transaction, person, task)
            elif state == AssignmentState.ACCEPTED:
                finished = FinishedWork(
                    item.item_key,
                    payload,
                    item.split,
                    work,
                    person,
                    kept.id,
                    sent.seconds,
                    row.loop,
                )
                reward(transaction, self._tasks, row.task, assignment, finished)
        message = TOLD[state] if has_place else LATE
        if passed is not None:
            message = PASSED if passed else FAILED
        return Submitted(_number(kept.id), assignment, state, kept.late, score, message)

    def _state(
        self, transaction: CollectTransaction, row: Row[Any], task: TaskInUse, has_place: bool
    ) -> AssignmentState:
        """What becomes of work: some is accepted unseen."""
        if row.is_test:
            return AssignmentState.TESTED
        if not has_place or task.settings.review_all:
            return AssignmentState.WAITING
        inspected = not task.settings.inspect_first or is_inspected(
            counts_by_state(transaction, row.person, row.task), task
        )
        return AssignmentState.ACCEPTED if inspected else AssignmentState.WAITING


def _keep(
    transaction: CollectTransaction,
    row: Row[Any],
    sent: _Sent,
    state: AssignmentState,
    *,
    has_place: bool,
) -> Row[Any]:
    late = row.state not in BEGUN or row.expires_at <= transaction.now
    made = transaction.execute(
        insert(SUBMISSION)
        .values(
            assignment=row.id,
            author=row.person,
            key=sent.key,
            work=sent.work,
            loop=row.loop,
            seconds=sent.seconds,
            late=late,
            score=sent.score,
            accepted=state == AssignmentState.ACCEPTED,
            at=transaction.now,
        )
        .returning(SUBMISSION.c.id, SUBMISSION.c.late)
    ).one()
    transaction.execute(
        update(ASSIGNMENT)
        .where(ASSIGNMENT.c.id == row.id)
        .values(
            state=state,
            has_place=has_place,
            draft=sent.work,
            version=row.version + 1,
            seconds=sent.seconds,
            ended_at=transaction.now,
        )
    )
    transaction.log(
        "submitted", person=row.person, task=row.task, assignment=row.id, about={"late": late}
    )
    return made


def _receipt(transaction: CollectTransaction, row: Row[Any], key: str) -> Submitted | None:
    """What the same work was answered with before."""
    before = transaction.execute(
        select(SUBMISSION).where(SUBMISSION.c.assignment == row.id, SUBMISSION.c.key == key)
    ).first()
    if before is None:
        return None
    state = AssignmentState(row.state)
    message = TOLD.get(state, TOLD[AssignmentState.WAITING]) if row.has_place else LATE
    return Submitted(_number(before.id), row.id, state, before.late, before.score, message)


def _number(submission: int) -> str:
    return f"S{submission}"
