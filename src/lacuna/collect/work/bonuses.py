"""Bonuses that accepted work has earned by a task's own rules, and that nobody has entered yet."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import select

from lacuna.collect.database.engine import CollectDatabase
from lacuna.collect.database.tables import LEDGER, PERSON
from lacuna.collect.tasks.task import RewardingTask
from lacuna.collect.work.finished import finished_works
from lacuna.collect.work.ledger import BONUS, PayLedger
from lacuna.collect.work.looking_up import TasksInUse


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
