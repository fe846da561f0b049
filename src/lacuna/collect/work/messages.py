"""Messages between a worker and the requesters, and reports of problems with an item."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import func, insert, select, update

from lacuna.collect.database.engine import CollectDatabase
from lacuna.collect.database.tables import ASSIGNMENT, ITEM, MESSAGE, PERSON, PROBLEM_REPORT
from lacuna.collect.people.person import person_numbered
from lacuna.collect.refused import RefusedError, plain_text
from lacuna.collect.work.looking_up import own_assignment

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
            transaction.execute(
                insert(MESSAGE).values(person=person, sender=sender, body=text, at=transaction.now)
            )
            transaction.log("message", person=person, about={"by": sender})

    def of(self, person: int) -> list[WorkMessage]:
        """A worker's conversation, oldest first."""
        with self._database.read() as transaction:
            rows = transaction.execute(
                select(MESSAGE).where(MESSAGE.c.person == person).order_by(MESSAGE.c.id)
            )
            return [
                WorkMessage(
                    row.id, row.person, row.sender == row.person, row.body, row.at, row.read_at
                )
                for row in rows
            ]

    def mark_read(self, person: int, *, by_worker: bool) -> None:
        """Note that one side has seen what the other wrote."""
        theirs = MESSAGE.c.sender == MESSAGE.c.person
        others = MESSAGE.c.sender.is_(None) | ~theirs
        with self._database.begin() as transaction:
            transaction.execute(
                update(MESSAGE)
                .where(
                    MESSAGE.c.person == person,
                    MESSAGE.c.read_at.is_(None),
                    others if by_worker else theirs,
                )
                .values(read_at=transaction.now)
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
            transaction.execute(
                insert(PROBLEM_REPORT).values(
                    assignment=assignment, person=person, body=text, at=transaction.now
                )
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
                ProblemReport(
                    row.id,
                    row.assignment,
                    row.task,
                    row.item_key,
                    row.person,
                    row.name,
                    row.body,
                    row.at,
                    row.settled_at,
                )
                for row in transaction.execute(query)
            ]

    def settle(self, report: int) -> None:
        """Note that a report was dealt with."""
        with self._database.begin() as transaction:
            transaction.execute(
                update(PROBLEM_REPORT)
                .where(PROBLEM_REPORT.c.id == report, PROBLEM_REPORT.c.settled_at.is_(None))
                .values(settled_at=transaction.now)
            )


def _check_count(count: int | None) -> None:
    if (count or 0) >= MOST_A_DAY:
        raise RefusedError("too-many", "You have written a lot today. Try again tomorrow.")
