"""Work that is handed in: checked, kept once and for ever, and accepted or passed to a reviewer."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Row, insert, select, update

from lacuna.collect.database.engine import CollectDatabase, CollectTransaction
from lacuna.collect.database.tables import ASSIGNMENT, SUBMISSION
from lacuna.collect.people.person import working_person
from lacuna.collect.refused import plain_text
from lacuna.collect.tasks.task import FieldProblem, Json
from lacuna.collect.work.accepting import accept_submission
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
        with self._database.read() as transaction:
            row = own_assignment(transaction, person, assignment)
            if (before := _receipt(transaction, row, key)) is not None:
                return before
        task = task_in_use(self._tasks, row.task)
        # An item never changes, so that its checks need not hold up everybody else.
        if problems := list(task.task.check(row.payload, work, task.settings)):
            return problems
        score = task.task.score(row.payload, work, row.gold) if row.is_test else None
        with self._database.begin() as transaction:
            working_person(transaction, person)
            row = locked_assignment(transaction, person, assignment)
            if (before := _receipt(transaction, row, key)) is not None:
                return before
            if row.state not in CAN_BE_SUBMITTED:
                raise already_handed_in()
            return self._keep(transaction, row, task, work, key, seconds, score)

    def _keep(
        self,
        transaction: CollectTransaction,
        row: Row[Any],
        task: TaskInUse,
        work: Json,
        key: str,
        seconds: float,
        score: float | None,
    ) -> Submitted:
        late = row.state not in BEGUN or row.expires_at <= transaction.now
        has_place = row.has_place or take_place(transaction, row.item)
        taken = spent(row, seconds, transaction.now)
        made = transaction.execute(
            insert(SUBMISSION)
            .values(
                assignment=row.id,
                author=row.person,
                key=key,
                work=work,
                loop=row.loop,
                seconds=taken,
                late=late,
                score=score,
                accepted=False,
                at=transaction.now,
            )
            .returning(SUBMISSION.c.id)
        )
        submission = int(made.scalar_one())
        counts = counts_by_state(transaction, row.person, row.task)
        accepted = has_place and not task.settings.review_all and is_inspected(counts, task)
        state = AssignmentState.TESTED if row.is_test else AssignmentState.WAITING
        transaction.execute(
            update(ASSIGNMENT)
            .where(ASSIGNMENT.c.id == row.id)
            .values(
                state=state,
                has_place=has_place,
                draft=work,
                version=row.version + 1,
                seconds=taken,
                ended_at=transaction.now,
            )
        )
        transaction.log(
            "submitted", person=row.person, task=row.task, assignment=row.id, about={"late": late}
        )
        passed = None
        if row.is_test:
            passed = judge_test(transaction, row.person, task)
        elif accepted:
            accept_submission(transaction, self._tasks, submission)
            state = AssignmentState.ACCEPTED
        message = TOLD[state] if has_place else LATE
        if passed is not None:
            message = (
                "Thank you! You passed the test." if passed else "You did not pass the test. Sorry."
            )
        return Submitted(_number(submission), row.id, state, late, score, message)


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
