"""All that can be done in dialogs; everything is on the disk before anybody is told of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from random import SystemRandom
from typing import Any

from lacuna.collect.database.engine import CollectDatabase, CollectTransaction
from lacuna.collect.live.choosing import roles_for, take_section
from lacuna.collect.live.dialog_rows import (
    Dialog,
    DialogEvent,
    EventKind,
    add_event,
    begin_dialog,
    dialog_numbered,
    have_met,
    no_such_dialog,
    open_dialog_of,
    open_dialogs,
)
from lacuna.collect.live.ending import EndedBy, end_dialog, pass_on_report, rule_that_ends
from lacuna.collect.people.person import working_person
from lacuna.collect.refused import RefusedError, plain_text
from lacuna.collect.tasks.live_task import DialogRole, DialogRules, LiveTask
from lacuna.collect.tasks.task import FieldProblem, Json
from lacuna.collect.work.assigning import MESSAGES, is_paused, why_not_more
from lacuna.collect.work.looking_up import TasksInUse
from lacuna.collect.work.messages import LONGEST as LONGEST_REPORT
from lacuna.collect.work.results import NoWorkReason, TaskInUse
from lacuna.collect.work.standing import standing

LONGEST_KEY = 100


class NoPair(StrEnum):
    """Why two people cannot talk with each other now."""

    HAVE_MET = "have-met"
    NO_SECTION = "no-section"
    IS_BUSY = "is-busy"
    IS_PAUSED = "is-paused"


@dataclass(frozen=True, slots=True)
class Said:
    """What somebody said, and the dialog after it."""

    dialog: Dialog
    event: DialogEvent
    is_new: bool
    """False where the same was sent before."""


class Dialogs:
    """The dialogs of one task."""

    def __init__(
        self, database: CollectDatabase, tasks: TasksInUse, task: TaskInUse, live: LiveTask
    ) -> None:
        self._database = database
        self._tasks = tasks
        self.task = task
        self.live = live
        self.rules: DialogRules = live.rules(task.settings)
        self._random = SystemRandom()

    def open(self) -> list[Dialog]:
        """All that are being held."""
        with self._database.read() as transaction:
            return open_dialogs(transaction, self.task.name)

    def of(self, person: int) -> Dialog | None:
        """The one that a person is in."""
        with self._database.read() as transaction:
            number = open_dialog_of(transaction, person, self.task.name)
            return None if number is None else dialog_numbered(transaction, number)

    def look_at(self, person: int, dialog: int) -> Dialog:
        """One that a person is or was in; others are refused as if there were none."""
        with self._database.read() as transaction:
            found = dialog_numbered(transaction, dialog)
        found.role_of(person)
        return found

    def check_may_wait(self, person: int) -> None:
        """Refuse who may not work on this task now, and say why."""
        with self._database.begin() as transaction:
            working_person(transaction, person)
            stands = standing(transaction, person, self.task.name)
        reason = None
        if stands.is_paused:
            reason = NoWorkReason.PAUSED
        elif stands.passed is None:
            raise RefusedError("needs-test", "First comes a short test. Begin it from the task.")
        elif not stands.passed:
            reason = NoWorkReason.NOT_QUALIFIED
        else:
            reason = why_not_more(stands.counts, self.task)
        if reason is not None:
            raise RefusedError(reason, MESSAGES[reason])

    def begin(self, one: int, other: int) -> Dialog | NoPair:
        """Let two people talk about a section that is new to both."""
        with self._database.begin() as transaction:
            if self._are_busy(transaction, one, other):
                return NoPair.IS_BUSY
            if is_paused(transaction, self.task.name):
                return NoPair.IS_PAUSED
            if not self.rules.same_pair_again and have_met(transaction, self.task.name, one, other):
                return NoPair.HAVE_MET
            item = take_section(transaction, self.task.name, [one, other])
            if item is None:
                return NoPair.NO_SECTION
            roles = roles_for(transaction, self.task.name, one, other, self._random)
            number = begin_dialog(
                transaction,
                self.task.name,
                item,
                student=roles[DialogRole.STUDENT],
                teacher=roles[DialogRole.TEACHER],
            )
            return dialog_numbered(transaction, number)

    def begin_simulated(self, person: int) -> Dialog | NoPair:
        """Let somebody talk with a simulated partner."""
        role = self._random.choice(list(DialogRole))
        with self._database.begin() as transaction:
            if self._are_busy(transaction, person):
                return NoPair.IS_BUSY
            if is_paused(transaction, self.task.name):
                return NoPair.IS_PAUSED
            item = take_section(transaction, self.task.name, [person])
            if item is None:
                return NoPair.NO_SECTION
            student, teacher = (person, None) if role is DialogRole.STUDENT else (None, person)
            number = begin_dialog(
                transaction, self.task.name, item, student=student, teacher=teacher
            )
            return dialog_numbered(transaction, number)

    def say(
        self, person: int, dialog: int, key: str, after: Any, body: Any
    ) -> Said | Sequence[FieldProblem]:
        """Ask or answer; ``key`` is made by the page, and what is sent twice has the same.

        ``after`` is the number of the event that it was said after: what comes out of order, or
        from a page that does not know the latest, is refused.
        """
        key = plain_text(key, "The key", LONGEST_KEY)
        with self._database.begin() as transaction:
            working_person(transaction, person)
            found = dialog_numbered(transaction, dialog, lock=True)
            role = found.role_of(person)
            for event in found.events:
                if event.role is role and event.key == key:
                    return Said(found, event, is_new=False)
            if not found.is_open:
                raise no_such_dialog()
            if after != found.last:
                raise RefusedError("out-of-order", "Something else was said meanwhile.")
            if found.turn is not role:
                raise RefusedError("not-your-turn", "It is your partner's turn.")
            checked = self._checked(found, role, body)
            if not isinstance(checked, dict):
                return checked
            return self._add(transaction, found, role, key, checked)

    def say_simulated(self, dialog: Dialog) -> Said | None:
        """Let the simulated partner say what comes next, if it is its turn."""
        role = dialog.simulated
        if role is None or not dialog.is_open or dialog.turn is not role:
            return None
        if role is DialogRole.STUDENT:
            body = {"text": self.live.simulated_question(dialog.payload, dialog.pairs)}
        else:
            body = self.live.simulated_answer(dialog.payload, dialog.events[-1].body["text"])
        with self._database.begin() as transaction:
            found = dialog_numbered(transaction, dialog.id, lock=True)
            if not found.is_open or found.last != dialog.last:
                return None
            return self._add(transaction, found, role, f"simulated-{found.last + 1}", body)

    def leave(self, dialog: int, by: EndedBy) -> Dialog:
        """End a dialog that is still open; gives it as it is then."""
        with self._database.begin() as transaction:
            found = dialog_numbered(transaction, dialog, lock=True)
            if found.is_open:
                end_dialog(transaction, self._tasks, self.task, self.live, found, by)
            return dialog_numbered(transaction, dialog)

    def report(self, person: int, dialog: int, text: str) -> Dialog:
        """Tell the requester about the partner, and leave if the dialog has not ended.

        The same report again, as a page sends it that was told nothing, is kept once.
        """
        text = plain_text(text, "The report", LONGEST_REPORT)
        with self._database.begin() as transaction:
            found = dialog_numbered(transaction, dialog, lock=True)
            role = found.role_of(person)
            before = found.report_by(role)
            if before is not None:
                if before.body["text"] != text:
                    raise RefusedError("already-reported", "You have reported this already.")
                return found
            event = add_event(transaction, found, role, "report", EventKind.REPORT, {"text": text})
            if found.is_open:
                found = dialog_numbered(transaction, dialog)
                by = EndedBy(f"{role}-report")
                end_dialog(transaction, self._tasks, self.task, self.live, found, by)
            else:
                pass_on_report(transaction, found, event)
            return dialog_numbered(transaction, dialog)

    def _are_busy(self, transaction: CollectTransaction, *people: int) -> bool:
        """Lock the people; two processes must not put one into two dialogs."""
        for person in sorted(people):
            working_person(transaction, person)
        return any(
            open_dialog_of(transaction, person, self.task.name) is not None for person in people
        )

    def _checked(
        self, dialog: Dialog, role: DialogRole, body: Any
    ) -> Json | Sequence[FieldProblem]:
        body = body if isinstance(body, dict) else {}
        if role is DialogRole.STUDENT:
            text = body.get("text")
            problems = self.live.question_problems(text)
            return problems or {"text": str(text).strip()}
        answer = body.get("answer")
        problems = self.live.answer_problems(dialog.payload, answer)
        return problems or self.live.plain_answer(answer)

    def _add(
        self,
        transaction: CollectTransaction,
        dialog: Dialog,
        role: DialogRole,
        key: str,
        body: Json,
    ) -> Said:
        """Write down what was said, and the end where it ends the dialog."""
        kind = EventKind.QUESTION if role is DialogRole.STUDENT else EventKind.ANSWER
        event = add_event(transaction, dialog, role, key, kind, body)
        now = dialog_numbered(transaction, dialog.id)
        by = rule_that_ends(now, self.task, self.live) if kind is EventKind.ANSWER else None
        if by is not None:
            end_dialog(transaction, self._tasks, self.task, self.live, now, by)
            now = dialog_numbered(transaction, dialog.id)
        return Said(now, event, is_new=True)
