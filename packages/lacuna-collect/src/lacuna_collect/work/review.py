"""What waits for reviewers, what they decide, and what is said between them and workers."""

from __future__ import annotations

from dataclasses import dataclass
from random import SystemRandom
from typing import Any

from sqlalchemy import Row, Select, exists, func, select

from lacuna.web.sessions import new_token
from lacuna_collect.database.engine import CollectDatabase, CollectTransaction, as_struct
from lacuna_collect.database.tables import (
    ASSIGNMENT,
    ITEM,
    MESSAGE,
    PERSON,
    PROBLEM_REPORT,
    REVIEW,
    SUBMISSION,
)
from lacuna_collect.people.accounts import person_numbered
from lacuna_collect.refused import RefusedError, plain_text
from lacuna_collect.tasks.task import FieldProblem, Json, LiveTask
from lacuna_collect.work.assignments import (
    AssignmentState,
    TasksInUse,
    change_assignment,
    free_place,
    new_submission,
    own_assignment,
    task_in_use,
    with_shared,
)
from lacuna_collect.work.submitting import accept_submission, check_size, check_whole_characters

LONGEST = 4_000
MOST_A_DAY = 100
"""Messages and reports of one person."""


@dataclass(frozen=True, slots=True)
class WorkMessage:
    """One message of a worker's conversation with the requesters."""

    id: int
    person: int
    """The worker whose conversation it is."""
    from_worker: bool
    text: str
    at: float
    read_at: float | None


@dataclass(frozen=True, slots=True)
class ProblemReport:
    """What a worker says is wrong with an item."""

    id: int
    assignment: int
    task: str
    item_key: str
    person: int
    name: str
    text: str
    at: float
    settled_at: float | None


class WorkMessages:
    """One conversation for each worker; all requesters take part in it."""

    def __init__(self, database: CollectDatabase) -> None:
        self._database = database

    def send(self, person: int, text: str, *, sender: int | None = None) -> None:
        """Write to a worker, or, where the sender is the worker, to the requesters."""
        text = plain_text(text, "The message", LONGEST)
        with self._database.begin() as transaction:
            person_numbered(transaction, person, lock=True)
            if sender == person:
                since = transaction.now - 86_400
                query = select(func.count()).where(
                    MESSAGE.c.person == person, MESSAGE.c.sender == person, MESSAGE.c.at > since
                )
                _check_count(transaction.scalar(query))
            transaction.add(MESSAGE, person=person, sender=sender, body=text, at=transaction.now)
            transaction.log("message", person=person, about={"by": sender})

    def of(self, person: int) -> list[WorkMessage]:
        """A worker's conversation, oldest first."""
        with self._database.read() as transaction:
            rows = transaction.execute(
                select(MESSAGE).where(MESSAGE.c.person == person).order_by(MESSAGE.c.id)
            )
            return [
                as_struct(WorkMessage, row, from_worker=row.sender == row.person, text=row.body)
                for row in rows
            ]

    def mark_read(self, person: int, *, by_worker: bool) -> None:
        """Note that one side has seen what the other wrote."""
        theirs = MESSAGE.c.sender == MESSAGE.c.person
        others = MESSAGE.c.sender.is_(None) | ~theirs
        with self._database.begin() as transaction:
            transaction.change(
                MESSAGE,
                MESSAGE.c.person == person,
                MESSAGE.c.read_at.is_(None),
                others if by_worker else theirs,
                read_at=transaction.now,
            )

    def unread_by_worker(self, person: int) -> int:
        """How many messages a worker has not seen."""
        others = MESSAGE.c.sender.is_(None) | (MESSAGE.c.sender != MESSAGE.c.person)
        with self._database.read() as transaction:
            query = select(func.count()).where(
                MESSAGE.c.person == person, MESSAGE.c.read_at.is_(None), others
            )
            return transaction.scalar(query) or 0

    def unread_by_requesters(self) -> dict[int, int]:
        """How many messages of each worker no requester has seen."""
        with self._database.read() as transaction:
            rows = transaction.execute(
                select(MESSAGE.c.person, func.count().label("unread"))
                .where(MESSAGE.c.sender == MESSAGE.c.person, MESSAGE.c.read_at.is_(None))
                .group_by(MESSAGE.c.person)
            )
            return {row.person: row.unread for row in rows}


class ProblemReports:
    """What is wrong with items, as workers say."""

    def __init__(self, database: CollectDatabase) -> None:
        self._database = database

    def report(self, person: int, assignment: int, text: str) -> None:
        """Say that something is wrong with an item that one has."""
        text = plain_text(text, "The report", LONGEST)
        with self._database.begin() as transaction:
            person_numbered(transaction, person, lock=True)
            row = own_assignment(transaction, person, assignment)
            since = transaction.now - 86_400
            query = select(func.count()).where(
                PROBLEM_REPORT.c.person == person, PROBLEM_REPORT.c.at > since
            )
            _check_count(transaction.scalar(query))
            transaction.add(
                PROBLEM_REPORT, assignment=assignment, person=person, body=text, at=transaction.now
            )
            transaction.log("report", person=person, task=row.task, assignment=assignment)

    def all(self, *, unsettled_only: bool = True) -> list[ProblemReport]:
        """Reports, oldest first."""
        query = (
            select(PROBLEM_REPORT, ASSIGNMENT.c.task, ITEM.c.key.label("item_key"), PERSON.c.name)
            .join(ASSIGNMENT, ASSIGNMENT.c.id == PROBLEM_REPORT.c.assignment)
            .join(ITEM, ITEM.c.id == ASSIGNMENT.c.item)
            .join(PERSON, PERSON.c.id == PROBLEM_REPORT.c.person)
            .order_by(PROBLEM_REPORT.c.id)
        )
        if unsettled_only:
            query = query.where(PROBLEM_REPORT.c.settled_at.is_(None))
        with self._database.read() as transaction:
            return [
                as_struct(ProblemReport, row, text=row.body) for row in transaction.execute(query)
            ]

    def settle(self, report: int) -> None:
        """Note that a report was dealt with."""
        with self._database.begin() as transaction:
            transaction.change(
                PROBLEM_REPORT,
                PROBLEM_REPORT.c.id == report,
                PROBLEM_REPORT.c.settled_at.is_(None),
                settled_at=transaction.now,
            )


def _check_count(count: int | None) -> None:
    if (count or 0) >= MOST_A_DAY:
        raise RefusedError("too-many", "You have written a lot today. Try again tomorrow.")


def reviewed() -> Select[Any]:
    """Submissions with all that a reviewer wants to know."""
    return (
        select(
            SUBMISSION,
            ASSIGNMENT.c.task,
            ASSIGNMENT.c.state,
            ASSIGNMENT.c.person,
            ASSIGNMENT.c.item,
            ASSIGNMENT.c.has_place,
            PERSON.c.name,
            ITEM.c.key.label("item_key"),
            ITEM.c.payload,
        )
        .join(ASSIGNMENT, ASSIGNMENT.c.id == SUBMISSION.c.assignment)
        .join(PERSON, PERSON.c.id == ASSIGNMENT.c.person)
        .join(ITEM, ITEM.c.id == ASSIGNMENT.c.item)
    )


def has_later_submission() -> Any:
    """Whether the same work was handed in anew."""
    later = SUBMISSION.alias("later")
    return exists().where(
        later.c.assignment == SUBMISSION.c.assignment, later.c.id > SUBMISSION.c.id
    )


def submission_numbered(
    transaction: CollectTransaction, submission: int, *, lock: bool = False
) -> Row[Any]:
    """One submission; ``lock`` makes whoever else decides about it wait."""
    query = reviewed().where(SUBMISSION.c.id == submission)
    row = transaction.execute(query.with_for_update(of=ASSIGNMENT) if lock else query).first()
    if row is None:
        raise RefusedError("no-such-submission", f"There is no submission {submission}.")
    if lock:
        later = select(SUBMISSION.c.id).where(
            SUBMISSION.c.assignment == row.assignment, SUBMISSION.c.id > submission
        )
        if transaction.scalar(later) is not None:
            raise _decided()
    return row


def leave_out(
    transaction: CollectTransaction, row: Row[Any], reviewer: int | None, reason: str
) -> None:
    """Reject work and free its place."""
    write_review(transaction, row, reviewer, "reject", reason)
    transaction.change(SUBMISSION, SUBMISSION.c.assignment == row.assignment, accepted=False)
    change_assignment(
        transaction,
        row.assignment,
        state=AssignmentState.REJECTED,
        has_place=False,
        returned_reason=reason,
    )
    if row.has_place:
        free_place(transaction, row.item)


def must_wait(row: Row[Any]) -> None:
    """Refuse a decision about what no longer waits for one."""
    if row.state != AssignmentState.WAITING:
        raise _decided()


def _decided() -> RefusedError:
    return RefusedError(
        "already-reviewed", "Somebody has decided about this meanwhile, or it was handed in anew."
    )


def write_review(
    transaction: CollectTransaction,
    row: Row[Any],
    reviewer: int | None,
    verdict: str,
    reason: str = "",
) -> None:
    """Write down what a reviewer decided."""
    transaction.add(
        REVIEW,
        submission=row.id,
        reviewer=reviewer,
        verdict=verdict,
        reason=reason,
        at=transaction.now,
    )
    transaction.log(
        "reviewed",
        person=row.person,
        task=row.task,
        assignment=row.assignment,
        about={"verdict": verdict, "by": reviewer, "reason": reason},
    )


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
            change_assignment(
                transaction,
                row.assignment,
                state=AssignmentState.RETURNED,
                returned_reason=reason,
                ended_at=None,
                expires_at=transaction.now + DAYS_TO_MEND * 86_400,
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
            author = row.person if reviewer is None else reviewer
            sent = {"loop": row.loop, "seconds": row.seconds, "late": row.late}
            repaired = new_submission(
                transaction, row.assignment, author, key=f"repair:{new_token()}", work=work, **sent
            )
            accept_submission(transaction, self._tasks, repaired)
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
        about = {"submission": row.id, "state": AssignmentState(row.state)}
        payload = with_shared(transaction, task.task, row.payload)
        return as_struct(ReviewItem, row, **about, payload=payload)
