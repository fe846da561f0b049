"""Drafts: saved while somebody types, so that a crash or another device loses nothing."""

from __future__ import annotations

import json
import math
from typing import Any

from sqlalchemy import Row, update

from lacuna.collect.database.engine import CollectDatabase, CollectTransaction
from lacuna.collect.database.json_text import written_json
from lacuna.collect.database.tables import ASSIGNMENT
from lacuna.collect.people.person import working_person
from lacuna.collect.refused import RefusedError, plain_text
from lacuna.collect.tasks.task import Json
from lacuna.collect.work.looking_up import TasksInUse, locked_assignment, task_in_use
from lacuna.collect.work.places import BEGUN, free_place, retire_item, take_place
from lacuna.collect.work.results import AssignmentState, Saved, StaleDraft
from lacuna.collect.work.usual_save import UsualSave

LONGEST = 1_000_000
"""Characters of JSON; a set of ten long answers has a tenth of that."""
CAN_BE_SAVED = (*BEGUN, AssignmentState.EXPIRED)


class Drafts:
    """What people have written so far."""

    def __init__(self, database: CollectDatabase, tasks: TasksInUse) -> None:
        self._database = database
        self._tasks = tasks
        self._usual = UsualSave(database, tasks)

    def save(
        self, person: int, assignment: int, draft: Json, version: int, seconds: float
    ) -> Saved | StaleDraft:
        """Keep a draft that was made from the given version, and the item for longer."""
        check_size(draft)
        measured = seconds if math.isfinite(seconds) else 0.0
        if saved := self._usual.save(person, assignment, draft, version, measured):
            return saved
        with self._database.begin() as transaction:
            working_person(transaction, person)
            row = locked_assignment(transaction, person, assignment)
            if row.state not in CAN_BE_SAVED:
                raise already_handed_in()
            if version != row.version:
                if version == row.version - 1 and draft == row.draft:  # its answer was lost
                    return Saved(row.version, row.expires_at, row.state == AssignmentState.EXPIRED)
                return StaleDraft(row.version, row.draft)
            minutes = task_in_use(self._tasks, row.task).settings.minutes
            values: dict[str, Any] = {
                "draft": draft,
                "version": version + 1,
                "seconds": spent(row, seconds, transaction.now),
            }
            expired = row.state == AssignmentState.EXPIRED
            if expired and take_place(transaction, row.item):
                expired = False
                values |= {"state": AssignmentState.OPEN, "has_place": True}
                transaction.log("reopened", person=person, task=row.task, assignment=assignment)
            expires_at = row.expires_at
            if not expired:
                expires_at = max(expires_at, transaction.now + minutes * 60)
                values["expires_at"] = expires_at
            _change(transaction, assignment, values)
            return Saved(version + 1, expires_at, expired)

    def remember_loop(self, person: int, assignment: int, part: str, said: Json) -> None:
        """Keep what the model in the loop said about a part of the work."""
        part = plain_text(part, "The part", 100)
        with self._database.begin() as transaction:
            row = locked_assignment(transaction, person, assignment)
            _change(transaction, assignment, {"loop": {**row.loop, part: said}})

    def skip(self, person: int, assignment: int, reason: str) -> None:
        """Give an item back for good; an item that was drawn on demand goes to nobody else."""
        reason = plain_text(reason, "The reason", 2_000, may_be_empty=True)
        with self._database.begin() as transaction:
            working_person(transaction, person)
            row = locked_assignment(transaction, person, assignment)
            if row.state == AssignmentState.SKIPPED:
                return
            if row.state not in CAN_BE_SAVED:
                raise already_handed_in()
            if row.is_test:
                raise RefusedError("no-skipping", "An item of the test cannot be skipped.")
            if row.has_place:
                free_place(transaction, row.item)
            retire_item(transaction, row.item)
            _change(
                transaction,
                assignment,
                {
                    "state": AssignmentState.SKIPPED,
                    "has_place": False,
                    "ended_at": transaction.now,
                },
            )
            transaction.log(
                "skipped",
                person=person,
                task=row.task,
                assignment=assignment,
                about={"reason": reason},
            )


def spent(row: Row[Any], seconds: float, now: float) -> float:
    """Time that a page says was spent; never less than it said before, nor more than there was."""
    if not math.isfinite(seconds):
        seconds = 0.0
    return max(float(row.seconds), min(float(seconds), now - float(row.assigned_at)), 0.0)


def check_size(work: Json) -> None:
    """Refuse what no form of ours would send."""
    if not isinstance(work, dict):
        raise RefusedError("no-json", "Work is a JSON object.")
    if len(written_json(work)) > LONGEST:
        raise RefusedError(
            "too-long", "This is far longer than it can be. Shorten it; nothing was saved."
        )


def check_whole_characters(work: Json) -> None:
    """Refuse what no file can hold; a draft may, while somebody types."""
    try:
        json.dumps(work, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        raise RefusedError(
            "no-text",
            "This holds half a character, such as of an emoji that was cut in two. Write the words "
            "around it again; the draft is kept.",
        ) from error


def already_handed_in() -> RefusedError:
    """What a second tab is told."""
    return RefusedError(
        "already-submitted", "This was handed in already, so it cannot be changed any more."
    )


def _change(transaction: CollectTransaction, assignment: int, values: dict[str, Any]) -> None:
    transaction.execute(update(ASSIGNMENT).where(ASSIGNMENT.c.id == assignment).values(values))
