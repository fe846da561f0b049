"""Reviewers: what waits for them, and what they decide."""

from __future__ import annotations

from dataclasses import dataclass
from random import SystemRandom
from typing import Any

from sqlalchemy import Row, exists, insert, select, update

from lacuna.collect.database.engine import CollectDatabase, CollectTransaction
from lacuna.collect.database.tables import ASSIGNMENT, REVIEW, SUBMISSION
from lacuna.collect.people.tokens import new_secret
from lacuna.collect.refused import RefusedError, plain_text
from lacuna.collect.tasks.live_task import LiveTask
from lacuna.collect.tasks.task import FieldProblem, Json
from lacuna.collect.work.accepting import accept_submission
from lacuna.collect.work.drafts import check_size, check_whole_characters
from lacuna.collect.work.looking_up import TasksInUse, task_in_use
from lacuna.collect.work.results import AssignmentState
from lacuna.collect.work.review.review_rows import (
    has_later_submission,
    leave_out,
    must_wait,
    reviewed,
    submission_numbered,
    write_review,
)
from lacuna.collect.work.shared_texts import with_shared

DAYS_TO_MEND = 3
"""So long somebody has for work that was sent back, before the item goes to others."""
LONGEST_REASON = 2_000
OF_REJECTED_DIALOG = "Your partner's part of this dialog was not accepted, so that it is not used."


@dataclass(frozen=True, slots=True)
class ReviewItem:
    """A piece of work with all that a reviewer wants to know about it."""

    submission: int
    assignment: int
    task: str
    state: AssignmentState
    person: int
    name: str
    item_key: str
    payload: Json
    work: Json
    loop: Json
    seconds: float
    late: bool
    has_place: bool
    """Whether the item still wants this work; False for late work whose item went to others."""
    at: float


class Reviews:
    """Accept, send back, repair, reject; and samples of what was accepted unseen."""

    def __init__(self, database: CollectDatabase, tasks: TasksInUse) -> None:
        self._database = database
        self._tasks = tasks
        self._random = SystemRandom()

    def queue(self, task: str | None = None, most: int = 100) -> list[ReviewItem]:
        """What waits for a reviewer, oldest first."""
        query = reviewed().where(
            ASSIGNMENT.c.state == AssignmentState.WAITING, ~has_later_submission()
        )
        if task is not None:
            query = query.where(ASSIGNMENT.c.task == task)
        with self._database.read() as transaction:
            rows = transaction.execute(query.order_by(SUBMISSION.c.id).limit(most)).all()
            return [self._review_item(transaction, row) for row in rows]

    def look_at(self, submission: int) -> ReviewItem:
        """One submission."""
        with self._database.read() as transaction:
            return self._review_item(transaction, submission_numbered(transaction, submission))

    def inspection_sample(
        self, count: int, *, task: str | None = None, person: int | None = None
    ) -> list[ReviewItem]:
        """Accepted work that no reviewer has seen, chosen by chance."""
        seen = exists().where(REVIEW.c.submission == SUBMISSION.c.id)
        wanted = [SUBMISSION.c.accepted, ~seen]
        if task is not None:
            wanted.append(ASSIGNMENT.c.task == task)
        if person is not None:
            wanted.append(ASSIGNMENT.c.person == person)
        with self._database.read() as transaction:
            numbers = list(
                transaction.execute(
                    select(SUBMISSION.c.id)
                    .join(ASSIGNMENT, ASSIGNMENT.c.id == SUBMISSION.c.assignment)
                    .where(*wanted)
                    .order_by(SUBMISSION.c.id)
                ).scalars()
            )
            chosen = self._random.sample(numbers, min(max(count, 0), len(numbers)))
            rows = transaction.execute(reviewed().where(SUBMISSION.c.id.in_(chosen))).all()
            return [self._review_item(transaction, row) for row in rows]

    def accept(self, submission: int, *, reviewer: int | None = None) -> None:
        """Accept work; of a sample: note that it was looked at and is good."""
        with self._database.begin() as transaction:
            row = submission_numbered(transaction, submission, lock=True)
            write_review(transaction, row, reviewer, "accept")
            if row.state != AssignmentState.ACCEPTED:
                must_wait(row)
                accept_submission(transaction, self._tasks, submission)

    def send_back(self, submission: int, reason: str, *, reviewer: int | None = None) -> None:
        """Ask the worker to mend it; they see the reason, and have their work as a draft."""
        reason = plain_text(reason, "The reason", LONGEST_REASON)
        with self._database.begin() as transaction:
            row = submission_numbered(transaction, submission, lock=True)
            must_wait(row)
            if isinstance(task_in_use(self._tasks, row.task).task, LiveTask):
                raise RefusedError(
                    "no-sending-back",
                    "A dialog stays as its two people have held it. Accept or reject it.",
                )
            write_review(transaction, row, reviewer, "send back", reason)
            transaction.execute(
                update(ASSIGNMENT)
                .where(ASSIGNMENT.c.id == row.assignment)
                .values(
                    state=AssignmentState.RETURNED,
                    returned_reason=reason,
                    ended_at=None,
                    expires_at=transaction.now + DAYS_TO_MEND * 86_400,
                )
            )

    def repair(
        self, submission: int, work: Json, *, reviewer: int | None = None
    ) -> list[FieldProblem]:
        """Accept work as a reviewer has mended it; what the worker wrote is kept beside it.

        Items that followed from work that was accepted before stay as they are.
        """
        check_size(work)
        check_whole_characters(work)
        with self._database.begin() as transaction:
            row = submission_numbered(transaction, submission, lock=True)
            if row.state != AssignmentState.ACCEPTED:
                must_wait(row)
            task = task_in_use(self._tasks, row.task)
            payload = with_shared(transaction, task.task, row.payload)
            if problems := list(task.task.check(payload, work, task.settings)):
                return problems
            write_review(transaction, row, reviewer, "repair")
            made = transaction.execute(
                insert(SUBMISSION)
                .values(
                    assignment=row.assignment,
                    author=row.person if reviewer is None else reviewer,
                    key=f"repair:{new_secret()}",
                    work=work,
                    loop=row.loop,
                    seconds=row.seconds,
                    late=row.late,
                    accepted=False,
                    at=transaction.now,
                )
                .returning(SUBMISSION.c.id)
            )
            accept_submission(transaction, self._tasks, int(made.scalar_one()))
        return []

    def reject(self, submission: int, reason: str, *, reviewer: int | None = None) -> None:
        """Leave work out and give its item to somebody else; what was paid stays paid.

        Of a dialog both parts are left out: half of one is of no use, and others hold it anew.
        """
        reason = plain_text(reason, "The reason", LONGEST_REASON)
        with self._database.begin() as transaction:
            partner = self._partner_s_part(transaction, submission)
            row = submission_numbered(transaction, submission, lock=True)
            if row.state != AssignmentState.ACCEPTED:
                must_wait(row)
            leave_out(transaction, row, reviewer, reason)
            if partner is not None and partner.state != AssignmentState.REJECTED:
                leave_out(transaction, partner, reviewer, OF_REJECTED_DIALOG)

    def _partner_s_part(self, transaction: CollectTransaction, submission: int) -> Row[Any] | None:
        """The other part of a dialog, if it is one of two people; both parts are locked."""
        row = submission_numbered(transaction, submission)
        if not isinstance(task_in_use(self._tasks, row.task).task, LiveTask):
            return None
        parts = transaction.execute(
            reviewed()
            .where(ASSIGNMENT.c.item == row.item, SUBMISSION.c.key == row.key)
            .order_by(ASSIGNMENT.c.id)  # everybody locks in the same order
            .with_for_update(of=ASSIGNMENT)
        ).all()
        return next((part for part in parts if part.id != submission), None)

    def _review_item(self, transaction: CollectTransaction, row: Row[Any]) -> ReviewItem:
        task = task_in_use(self._tasks, row.task)
        return ReviewItem(
            submission=row.id,
            assignment=row.assignment,
            task=row.task,
            state=AssignmentState(row.state),
            person=row.person,
            name=row.name,
            item_key=row.item_key,
            payload=with_shared(transaction, task.task, row.payload),
            work=row.work,
            loop=row.loop,
            seconds=row.seconds,
            late=row.late,
            has_place=row.has_place,
            at=row.at,
        )
