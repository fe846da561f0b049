"""Dialogs in the database: every question and every answer is a numbered event, and stays."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from sqlalchemy import Row, and_, insert, or_, select, update

from lacuna.collect.database.engine import CollectTransaction
from lacuna.collect.database.tables import DIALOG, DIALOG_EVENT, ITEM
from lacuna.collect.refused import RefusedError
from lacuna.collect.tasks.live_task import DialogRole
from lacuna.collect.tasks.task import Json

OPEN, ENDED = "open", "ended"


class EventKind(StrEnum):
    """What happens in a dialog."""

    QUESTION = "question"
    ANSWER = "answer"
    REPORT = "report"
    """What one says about the other; for the requester alone."""


@dataclass(frozen=True, slots=True)
class DialogEvent:
    """Something that happened, as it is stored."""

    number: int
    role: DialogRole
    key: str
    kind: EventKind
    body: Json
    at: float


@dataclass(frozen=True, slots=True)
class Dialog:
    """A dialog with all that was said in it so far."""

    id: int
    task: str
    item: int
    item_key: str
    payload: Json
    split: str
    student: int | None
    """None where that partner is simulated."""
    teacher: int | None
    is_open: bool
    ended_by: str
    began_at: float
    ended_at: float | None
    events: tuple[DialogEvent, ...]

    @property
    def simulated(self) -> DialogRole | None:
        """Which of the two is no person, if any."""
        if self.student is None:
            return DialogRole.STUDENT
        return DialogRole.TEACHER if self.teacher is None else None

    @property
    def people(self) -> tuple[int, ...]:
        """Those of the two who are people."""
        return tuple(one for one in (self.student, self.teacher) if one is not None)

    @property
    def last(self) -> int:
        """The number of the latest event."""
        return self.events[-1].number if self.events else 0

    @property
    def pairs(self) -> list[tuple[str, Json]]:
        """Questions that were answered, with their answers."""
        asked = [one.body["text"] for one in self.events if one.kind is EventKind.QUESTION]
        given = [one.body for one in self.events if one.kind is EventKind.ANSWER]
        return list(zip(asked, given, strict=False))

    @property
    def turn(self) -> DialogRole:
        """Whose turn it is."""
        said = [one.kind for one in self.events if one.kind is not EventKind.REPORT]
        waits = bool(said) and said[-1] is EventKind.QUESTION
        return DialogRole.TEACHER if waits else DialogRole.STUDENT

    @property
    def last_word_at(self) -> float:
        """When it was last somebody's turn."""
        return self.events[-1].at if self.events else self.began_at

    def role_of(self, person: int) -> DialogRole:
        """What a person is in it; others are refused as if there were no such dialog."""
        if person == self.student:
            return DialogRole.STUDENT
        if person == self.teacher:
            return DialogRole.TEACHER
        raise no_such_dialog()

    def report_by(self, role: DialogRole) -> DialogEvent | None:
        """What one has told the requester about the other, if anything."""
        reports = (one for one in self.events if one.kind is EventKind.REPORT)
        return next((one for one in reports if one.role is role), None)

    def person_in(self, role: DialogRole) -> int | None:
        """Who has a role; None for a simulated partner."""
        return self.student if role is DialogRole.STUDENT else self.teacher


def no_such_dialog() -> RefusedError:
    """What somebody is told who asks for another's dialog."""
    return RefusedError("no-such-dialog", "There is no such dialog, or it has ended.")


def begin_dialog(
    transaction: CollectTransaction,
    task: str,
    item: int,
    *,
    student: int | None,
    teacher: int | None,
) -> int:
    """Write down that a dialog begins; its places were taken before."""
    made = transaction.execute(
        insert(DIALOG)
        .values(
            task=task,
            item=item,
            student=student,
            teacher=teacher,
            state=OPEN,
            ended_by="",
            last=0,
            began_at=transaction.now,
        )
        .returning(DIALOG.c.id)
    )
    number = int(made.scalar_one())
    about = {"dialog": number, "student": student, "teacher": teacher}
    transaction.log("dialog-begun", person=student or teacher, task=task, about=about)
    return number


def dialog_numbered(transaction: CollectTransaction, dialog: int, *, lock: bool = False) -> Dialog:
    """A dialog by its number; ``lock`` makes whatever else happens in it wait."""
    query = (
        select(DIALOG, ITEM.c.key.label("item_key"), ITEM.c.payload, ITEM.c.split)
        .join(ITEM, ITEM.c.id == DIALOG.c.item)
        .where(DIALOG.c.id == dialog)
    )
    row = transaction.execute(query.with_for_update(of=DIALOG) if lock else query).first()
    if row is None:
        raise no_such_dialog()
    return _dialog(transaction, row)


def open_dialog_of(transaction: CollectTransaction, person: int, task: str) -> int | None:
    """The dialog that a person is in, if any."""
    return transaction.scalar(
        select(DIALOG.c.id)
        .where(
            DIALOG.c.task == task,
            DIALOG.c.state == OPEN,
            or_(DIALOG.c.student == person, DIALOG.c.teacher == person),
        )
        .order_by(DIALOG.c.id)
        .limit(1)
    )


def open_dialogs(transaction: CollectTransaction, task: str) -> list[Dialog]:
    """All that are being held."""
    query = select(DIALOG.c.id).where(DIALOG.c.task == task, DIALOG.c.state == OPEN)
    return [dialog_numbered(transaction, number) for number in transaction.execute(query).scalars()]


def have_met(transaction: CollectTransaction, task: str, one: int, other: int) -> bool:
    """Whether two people have talked with each other before."""
    pairs = [
        and_(DIALOG.c.student == first, DIALOG.c.teacher == second)
        for first, second in ((one, other), (other, one))
    ]
    query = select(DIALOG.c.id).where(DIALOG.c.task == task, or_(*pairs)).limit(1)
    return transaction.scalar(query) is not None


def add_event(
    transaction: CollectTransaction,
    dialog: Dialog,
    role: DialogRole,
    key: str,
    kind: EventKind,
    body: Json,
) -> DialogEvent:
    """Write down what happens next in a dialog that is locked."""
    event = DialogEvent(dialog.last + 1, role, key, kind, body, transaction.now)
    transaction.execute(
        insert(DIALOG_EVENT).values(
            dialog=dialog.id,
            number=event.number,
            role=role,
            key=key,
            kind=kind,
            body=body,
            at=event.at,
        )
    )
    transaction.execute(update(DIALOG).where(DIALOG.c.id == dialog.id).values(last=event.number))
    return event


def _dialog(transaction: CollectTransaction, row: Row[Any]) -> Dialog:
    rows = transaction.execute(
        select(DIALOG_EVENT).where(DIALOG_EVENT.c.dialog == row.id).order_by(DIALOG_EVENT.c.number)
    )
    events = tuple(
        DialogEvent(
            one.number, DialogRole(one.role), one.key, EventKind(one.kind), one.body, one.at
        )
        for one in rows
    )
    return Dialog(
        id=row.id,
        task=row.task,
        item=row.item,
        item_key=row.item_key,
        payload=row.payload,
        split=row.split,
        student=row.student,
        teacher=row.teacher,
        is_open=row.state == OPEN,
        ended_by=row.ended_by,
        began_at=row.began_at,
        ended_at=row.ended_at,
        events=events,
    )
