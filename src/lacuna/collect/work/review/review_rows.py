"""Work as reviewers see it in the database, and what they decide about it."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Row, Select, exists, insert, select, update

from lacuna.collect.database.engine import CollectTransaction
from lacuna.collect.database.tables import ASSIGNMENT, ITEM, PERSON, REVIEW, SUBMISSION
from lacuna.collect.refused import RefusedError
from lacuna.collect.work.places import free_place
from lacuna.collect.work.results import AssignmentState


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
    transaction.execute(
        update(SUBMISSION).where(SUBMISSION.c.assignment == row.assignment).values(accepted=False)
    )
    transaction.execute(
        update(ASSIGNMENT)
        .where(ASSIGNMENT.c.id == row.assignment)
        .values(state=AssignmentState.REJECTED, has_place=False, returned_reason=reason)
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
    transaction.execute(
        insert(REVIEW).values(
            submission=row.id,
            reviewer=reviewer,
            verdict=verdict,
            reason=reason,
            at=transaction.now,
        )
    )
    transaction.log(
        "reviewed",
        person=row.person,
        task=row.task,
        assignment=row.assignment,
        about={"verdict": verdict, "by": reviewer, "reason": reason},
    )
