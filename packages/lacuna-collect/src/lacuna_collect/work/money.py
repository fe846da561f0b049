"""What people have earned: a ledger, and bonuses by a task's own rules."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import func, select

from lacuna_collect.database.engine import CollectDatabase, CollectTransaction, as_struct
from lacuna_collect.database.tables import ASSIGNMENT, LEDGER, PERSON
from lacuna_collect.people.accounts import person_numbered
from lacuna_collect.refused import RefusedError, plain_text
from lacuna_collect.tasks.task import MOST_BONUS_CENTS, RewardingTask
from lacuna_collect.work.assignments import AssignmentState, TasksInUse, finished_works

LEAST_HOURS = 0.25
BONUS = "bonus:"
"""What the references of bonuses begin with; those of pay begin otherwise."""


@dataclass(frozen=True, slots=True)
class LedgerRow:
    """One sum that somebody has earned."""

    id: int
    person: int
    name: str
    platform: str
    task: str
    assignment: int | None
    kind: str
    """``pay`` or ``bonus``."""
    cents: int
    note: str
    at: float


@dataclass(frozen=True, slots=True)
class Earnings:
    """What one person has earned, and how fast."""

    pay_cents: int
    bonus_cents: int
    sets: int
    hours: float
    """Spent on accepted sets, as the page measured it."""

    @property
    def dollars_per_hour(self) -> float | None:
        """Pay and bonus; see ``hourly_dollars``."""
        return hourly_dollars(self.pay_cents + self.bonus_cents, self.hours)


def hourly_dollars(cents: int, hours: float) -> float | None:
    """What an hour brings; None where too little time was measured to say.

    >>> hourly_dollars(400, 0.5), hourly_dollars(400, 0.001)
    (8.0, None)
    """
    return cents / 100 / hours if hours >= LEAST_HOURS else None


class PayLedger:
    """All that was earned."""

    def __init__(self, database: CollectDatabase) -> None:
        self._database = database

    def rows(self, person: int | None = None) -> list[LedgerRow]:
        """Everybody's, or one person's, oldest first."""
        query = (
            select(LEDGER, PERSON.c.name, PERSON.c.platform)
            .join(PERSON, PERSON.c.id == LEDGER.c.person)
            .order_by(LEDGER.c.id)
        )
        if person is not None:
            query = query.where(LEDGER.c.person == person)
        with self._database.read() as transaction:
            return [as_struct(LedgerRow, row) for row in transaction.execute(query)]

    def earnings(self, person: int) -> Earnings:
        """What one person has earned."""
        with self._database.read() as transaction:
            sums: dict[str, int] = {
                kind: int(cents)
                for kind, cents in transaction.execute(
                    select(LEDGER.c.kind, func.sum(LEDGER.c.cents))
                    .where(LEDGER.c.person == person)
                    .group_by(LEDGER.c.kind)
                )
            }
            sets, seconds = transaction.execute(
                select(func.count(), func.coalesce(func.sum(ASSIGNMENT.c.seconds), 0.0)).where(
                    ASSIGNMENT.c.person == person, ASSIGNMENT.c.state == AssignmentState.ACCEPTED
                )
            ).one()
        return Earnings(sums.get("pay", 0), sums.get("bonus", 0), sets, float(seconds) / 3600)

    def give_bonus(
        self,
        person: int,
        task: str,
        cents: int,
        note: str,
        *,
        reference: str,
        by: int | None = None,
    ) -> bool:
        """Enter a bonus; False where one of this reference was entered before."""
        note = plain_text(note, "The note", 2_000)
        if not 0 < cents <= MOST_BONUS_CENTS:
            raise RefusedError("bad-bonus", f"A bonus has 1 to {MOST_BONUS_CENTS:,} cents.")
        with self._database.begin() as transaction:
            person_numbered(transaction, person, lock=True)
            reference = f"{BONUS}{plain_text(reference, 'The reference', 150)}"
            about = {"kind": "bonus", "assignment": None, "note": note}
            new = _enter(transaction, reference, person, task, cents, **about)
            if new:
                transaction.log("bonus", person=person, task=task, about={"cents": cents, "by": by})
            return new


def enter_pay(
    transaction: CollectTransaction, person: int, task: str, assignment: int, cents: int
) -> None:
    """Enter the pay for an assignment, once."""
    about = {"kind": "pay", "assignment": assignment, "note": ""}
    _enter(transaction, f"pay:{assignment}", person, task, cents, **about)


def _enter(
    transaction: CollectTransaction, reference: str, person: int, task: str, cents: int, **more: Any
) -> bool:
    """Write a row, unless there is one of this reference."""
    if transaction.scalar(select(LEDGER.c.id).where(LEDGER.c.reference == reference)) is not None:
        return False
    values = {"reference": reference, "person": person, "task": task, "cents": cents, **more}
    transaction.add(LEDGER, **values, at=transaction.now)
    return True


@dataclass(frozen=True, slots=True)
class DueBonus:
    """A bonus that is to be entered."""

    task: str
    person: int
    name: str
    cents: int
    reason: str
    reference: str
    """One of the same reference is entered once."""


class DueBonuses:
    """Reckons and enters them."""

    def __init__(self, database: CollectDatabase, tasks: TasksInUse, ledger: PayLedger) -> None:
        self._database = database
        self._tasks = tasks
        self._ledger = ledger

    def due(self) -> list[DueBonus]:
        """What was earned and not entered, task by task."""
        with self._database.read() as transaction:
            names: dict[int, str] = {
                row.id: row.name for row in transaction.execute(select(PERSON.c.id, PERSON.c.name))
            }
            entered = set(
                transaction.execute(select(LEDGER.c.reference).where(LEDGER.c.kind == "bonus"))
                .scalars()
                .all()
            )
            earned = [
                DueBonus(
                    name,
                    bonus.person,
                    names[bonus.person],
                    bonus.cents,
                    bonus.reason,
                    f"{name}:{bonus.key}",
                )
                for name, used in self._tasks.items()
                if isinstance(used.task, RewardingTask)
                for bonus in used.task.bonuses(finished_works(transaction, used), used.settings)
            ]
        return [one for one in earned if f"{BONUS}{one.reference}" not in entered]

    def pay(self, *, by: int | None = None) -> list[DueBonus]:
        """Enter all that is due; gives what is new, also where two do this at once."""
        return [
            one
            for one in self.due()
            if self._ledger.give_bonus(
                one.person, one.task, one.cents, one.reason, reference=one.reference, by=by
            )
        ]
