"""A draft that is saved as nearly all are, in one statement: there are ten saves to every set.

It is work that was begun and not handed in, and the draft was made from the version that is there.
Everything else (two tabs, a lease that ended, people who are blocked) takes the longer way.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import ColumnElement, Double, Update, bindparam, case, exists, update

from lacuna.collect.database.engine import CollectDatabase
from lacuna.collect.database.tables import ASSIGNMENT, PERSON
from lacuna.collect.tasks.task import Json
from lacuna.collect.work.looking_up import TasksInUse
from lacuna.collect.work.places import BEGUN
from lacuna.collect.work.results import Saved


class UsualSave:
    """Saves a draft where nothing stands in the way."""

    def __init__(self, database: CollectDatabase, tasks: TasksInUse) -> None:
        self._database = database
        self._statement = _statement(tasks)

    def save(
        self, person: int, assignment: int, draft: Json, version: int, seconds: float
    ) -> Saved | None:
        """The draft that is kept now; None, and nothing changed, where more has to be looked at."""
        with self._database.write_once() as transaction:
            given = {
                "its": assignment,
                "whose": person,
                "made_from": version,
                "new_draft": draft,
                "measured": seconds,
                "now": transaction.now,
            }
            row = transaction.execute(self._statement, given).first()
        return None if row is None else Saved(row.version, row.expires_at)


def _statement(tasks: TasksInUse) -> Update:
    now, measured = bindparam("now", type_=Double), bindparam("measured", type_=Double)
    blocked = exists().where(PERSON.c.id == ASSIGNMENT.c.person, PERSON.c.blocked_at.is_not(None))
    leases = {name: task.settings.minutes * 60.0 for name, task in tasks.items()}
    until = now + case(leases, value=ASSIGNMENT.c.task)
    # As `spent` says it: never less than before, nor more than there was.
    spent = _smaller(measured, now - ASSIGNMENT.c.assigned_at)
    return (
        update(ASSIGNMENT)
        .where(
            ASSIGNMENT.c.id == bindparam("its"),
            ASSIGNMENT.c.person == bindparam("whose"),
            ASSIGNMENT.c.version == bindparam("made_from"),
            ASSIGNMENT.c.state.in_(BEGUN),
            ASSIGNMENT.c.task.in_(list(leases)),
            ~blocked,
        )
        .values(
            draft=bindparam("new_draft"),
            version=ASSIGNMENT.c.version + 1,
            seconds=_larger(ASSIGNMENT.c.seconds, spent),
            expires_at=_larger(ASSIGNMENT.c.expires_at, until),
        )
        .returning(ASSIGNMENT.c.version, ASSIGNMENT.c.expires_at)
    )


def _larger(one: ColumnElement[Any], other: ColumnElement[Any]) -> ColumnElement[Any]:
    return case((one > other, one), else_=other)


def _smaller(one: ColumnElement[Any], other: ColumnElement[Any]) -> ColumnElement[Any]:
    return case((one < other, one), else_=other)
