"""Dialogs of two people; everything is on the disk before anybody is told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from random import Random, SystemRandom
from typing import Any

from sqlalchemy import Row, and_, exists, func, or_, select

from lacuna_collect.database.engine import CollectDatabase, CollectTransaction, as_struct
from lacuna_collect.database.tables import (
    ASSIGNMENT,
    DIALOG,
    DIALOG_EVENT,
    ITEM,
    NOT_FOR,
    PROBLEM_REPORT,
)
from lacuna_collect.people.accounts import working_person
from lacuna_collect.refused import RefusedError, plain_text
from lacuna_collect.tasks.task import (
    PEOPLE_OF_A_DIALOG,
    DialogRole,
    DialogRules,
    FieldProblem,
    FinishedWork,
    Json,
    LiveTask,
)
from lacuna_collect.work.assigning import MESSAGES, is_paused, standing, why_not_more
from lacuna_collect.work.assignments import (
    AssignmentState,
    NoWorkReason,
    TaskInUse,
    TasksInUse,
    free_place,
    new_assignment,
    new_submission,
)
from lacuna_collect.work.money import enter_pay
from lacuna_collect.work.review import LONGEST as LONGEST_REPORT
from lacuna_collect.work.submitting import reward

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
    number = transaction.add(
        DIALOG,
        task=task,
        item=item,
        student=student,
        teacher=teacher,
        state=OPEN,
        ended_by="",
        last=0,
        began_at=transaction.now,
    )
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
    transaction.add(
        DIALOG_EVENT,
        dialog=dialog.id,
        number=event.number,
        role=role,
        key=key,
        kind=kind,
        body=body,
        at=event.at,
    )
    transaction.change(DIALOG, DIALOG.c.id == dialog.id, last=event.number)
    return event


def _dialog(transaction: CollectTransaction, row: Row[Any]) -> Dialog:
    rows = transaction.execute(
        select(DIALOG_EVENT).where(DIALOG_EVENT.c.dialog == row.id).order_by(DIALOG_EVENT.c.number)
    )
    events = tuple(
        as_struct(DialogEvent, one, role=DialogRole(one.role), kind=EventKind(one.kind))
        for one in rows
    )
    return as_struct(Dialog, row, is_open=row.state == OPEN, events=events)


def take_section(transaction: CollectTransaction, task: str, people: list[int]) -> int | None:
    """Take both places of a dialog about an item that neither of them knows; None if there is none.

    Items are taken in their order, so that a section gets all its dialogs before the next one.
    """
    knows = exists().where(ASSIGNMENT.c.item == ITEM.c.id, ASSIGNMENT.c.person.in_(people))
    barred = exists().where(NOT_FOR.c.item == ITEM.c.id, NOT_FOR.c.person.in_(people))
    free = ITEM.c.taken + PEOPLE_OF_A_DIALOG <= ITEM.c.copies
    query = (
        select(ITEM.c.id)
        .where(ITEM.c.task == task, ITEM.c.gold.is_(None), free, ~knows, ~barred)
        .order_by(ITEM.c.id)
        .limit(1)
        .with_for_update(skip_locked=True)
    )
    item = transaction.scalar(query)
    if item is not None:
        transaction.change(ITEM, ITEM.c.id == item, taken=ITEM.c.taken + PEOPLE_OF_A_DIALOG)
    return item


def roles_for(
    transaction: CollectTransaction, task: str, one: int, other: int, random: Random
) -> dict[DialogRole, int]:
    """Who was the teacher less often is the teacher now."""
    first, second = (_times_taught(transaction, task, person) for person in (one, other))
    teaches_first = first < second or (first == second and random.random() < 0.5)
    teacher, student = (one, other) if teaches_first else (other, one)
    return {DialogRole.TEACHER: teacher, DialogRole.STUDENT: student}


def _times_taught(transaction: CollectTransaction, task: str, person: int) -> int:
    query = select(func.count()).where(DIALOG.c.task == task, DIALOG.c.teacher == person)
    return transaction.scalar(query) or 0


class EndedBy(StrEnum):
    """Why a dialog has ended."""

    LENGTH = "length"
    """All questions that a dialog may have were answered."""
    NO_ANSWERS = "no-answers"
    """Too many questions had no answer."""
    STUDENT = "student"
    TEACHER = "teacher"
    """Somebody left, or did nothing for too long."""
    BOTH = "both"
    """Both lost their connection and did not come back."""
    STUDENT_REPORT = "student-report"
    TEACHER_REPORT = "teacher-report"
    """Somebody reported the partner."""

    def was_left_by(self, role: DialogRole) -> bool:
        """Whether who has this role is the one who left."""
        return self.value == role.value or self is EndedBy.BOTH


def rule_that_ends(dialog: Dialog, task: TaskInUse, live: LiveTask) -> EndedBy | None:
    """Which of the paper's rules ends a dialog after its latest answer, if any."""
    rules = live.rules(task.settings)
    pairs = dialog.pairs
    if sum(live.is_no_answer(answer) for _, answer in pairs) > rules.most_no_answers:
        return EndedBy.NO_ANSWERS
    return EndedBy.LENGTH if len(pairs) >= rules.most_pairs else None


def pay_of(dialog: Dialog, role: DialogRole, by: EndedBy, task: TaskInUse, live: LiveTask) -> int:
    """What one of the two gets, in cents; nothing to who left a dialog that is discarded."""
    pairs = len(dialog.pairs)
    if not is_kept(dialog, task, live) and by.was_left_by(role):
        return 0
    return live.pay_for_pairs(pairs, task.settings)


def is_kept(dialog: Dialog, task: TaskInUse, live: LiveTask) -> bool:
    """Whether a dialog is long enough to be used."""
    return len(dialog.pairs) >= live.rules(task.settings).fewest_pairs


def end_dialog(
    transaction: CollectTransaction,
    tasks: TasksInUse,
    task: TaskInUse,
    live: LiveTask,
    dialog: Dialog,
    by: EndedBy,
) -> None:
    """End a dialog that is locked and open.

    One with too few pairs is discarded; then only who did not leave is paid for what was said. The
    places are free again of what is discarded, and of what is practice with a simulated partner.
    """
    transaction.change(
        DIALOG, DIALOG.c.id == dialog.id, state=ENDED, ended_by=by, ended_at=transaction.now
    )
    kept = is_kept(dialog, task, live)
    has_places = kept and dialog.simulated is None
    about = {"dialog": dialog.id, "by": by, "pairs": len(dialog.pairs), "kept": kept}
    transaction.log("dialog-ended", task=dialog.task, about=about)
    for role in DialogRole:
        person = dialog.person_in(role)
        if not has_places:
            free_place(transaction, dialog.item)
        if person is None:
            continue
        assignment = _assignment(
            transaction, dialog, task, person, is_kept=kept, has_place=has_places
        )
        if kept:
            _hand_in(transaction, tasks, task, dialog, dialog_work(dialog, role, live), assignment)
        elif cents := pay_of(dialog, role, by, task, live):
            enter_pay(transaction, person, dialog.task, assignment, cents)
        if (report := dialog.report_by(role)) is not None:
            pass_on_report(transaction, dialog, report)


def dialog_work(dialog: Dialog, role: DialogRole, live: LiveTask) -> Json:
    """What was said, as it is exported and reviewed."""

    def words(answer: Json) -> str:
        return str(live.answer_seen_by(dialog.payload, answer, role)["text"])

    return {
        "dialog": dialog.id,
        "role": role,
        "simulated": dialog.simulated or "",
        "people": list(dialog.people),
        "turns": [
            {"question": question, "answer": answer, "words": words(answer)}
            for question, answer in dialog.pairs
        ],
    }


def pass_on_report(transaction: CollectTransaction, dialog: Dialog, report: DialogEvent) -> None:
    """Put what one said about the partner of a dialog that has ended where the requester looks."""
    person, about = dialog.person_in(report.role), report.role.other
    assignment = transaction.scalar(
        select(ASSIGNMENT.c.id).where(
            ASSIGNMENT.c.item == dialog.item, ASSIGNMENT.c.person == person
        )
    )
    words = f"About the {about}{_named(dialog, about)} of dialog {dialog.id}: "
    transaction.add(
        PROBLEM_REPORT,
        assignment=assignment,
        person=person,
        body=words + report.body["text"],
        at=report.at,
    )


def _assignment(
    transaction: CollectTransaction,
    dialog: Dialog,
    task: TaskInUse,
    person: int,
    *,
    is_kept: bool,
    has_place: bool,
) -> int:
    state = AssignmentState.SKIPPED
    if is_kept:
        waits = task.settings.review_all
        state = AssignmentState.WAITING if waits else AssignmentState.ACCEPTED
    times = {"assigned_at": dialog.began_at, "seconds": transaction.now - dialog.began_at}
    times |= dict.fromkeys(("expires_at", "ended_at"), transaction.now)
    about = {"state": state, "has_place": has_place, **times}
    return new_assignment(transaction, dialog.item, person, dialog.task, **about)


def _hand_in(
    transaction: CollectTransaction,
    tasks: TasksInUse,
    task: TaskInUse,
    dialog: Dialog,
    work: Json,
    assignment: int,
) -> None:
    person = dialog.person_in(work["role"])
    assert person is not None
    is_accepted, seconds = not task.settings.review_all, transaction.now - dialog.began_at
    sent = {"key": f"dialog-{dialog.id}", "work": work, "seconds": seconds}
    submission = new_submission(transaction, assignment, person, **sent, accepted=is_accepted)
    transaction.log("submitted", person=person, task=dialog.task, assignment=assignment)
    if is_accepted:
        finished = FinishedWork(
            dialog.item_key, dialog.payload, dialog.split, work, person, submission, seconds
        )
        reward(transaction, tasks, dialog.task, assignment, finished)


def _named(dialog: Dialog, role: DialogRole) -> str:
    person = dialog.person_in(role)
    return " (simulated)" if person is None else f" (person {person})"


WHY = {
    EndedBy.LENGTH: "The dialog is complete.",
    EndedBy.NO_ANSWERS: "The dialog is over: too many questions had no answer.",
    EndedBy.BOTH: "The dialog is over: nobody was connected for too long.",
}
YOU_LEFT = "You have left the dialog, or were away for too long."
PARTNER_LEFT = "Your partner has left the dialog."
YOU_REPORTED = "You have reported your partner and left. The requester reads what you wrote."


class DialogViews:
    """Shows dialogs of one task."""

    def __init__(self, task: TaskInUse, live: LiveTask) -> None:
        self._task = task
        self._live = live

    def dialog(self, dialog: Dialog, role: DialogRole, after: int = 0) -> Json:
        """All that somebody needs to go on, with the events after a number."""
        rules = self._live.rules(self._task.settings)
        pairs = len(dialog.pairs)
        return {
            "type": "dialog",
            "dialog": dialog.id,
            "role": role,
            "seen": self._live.seen_by(dialog.payload, role),
            "partner_is_simulated": dialog.simulated is role.other,
            "events": [
                shown
                for event in dialog.events
                if event.number > after and (shown := self.event(dialog, event, role))
            ],
            "last": dialog.last,
            "turn": dialog.turn,
            "pairs": pairs,
            "most_pairs": rules.most_pairs,
            "fewest_pairs": rules.fewest_pairs,
            "pay_cents": self._live.pay_for_pairs(pairs, self._task.settings),
        }

    def event(self, dialog: Dialog, event: DialogEvent, role: DialogRole) -> Json | None:
        """What was said; None for what the other said to the requester."""
        shown: Json = {
            "type": "event",
            "dialog": dialog.id,
            "number": event.number,
            "kind": event.kind,
            "from": event.role,
        }
        if event.kind is EventKind.QUESTION:
            return {**shown, "text": event.body["text"]}
        if event.kind is EventKind.ANSWER:
            seen = self._live.answer_seen_by(dialog.payload, event.body, role)
            pairs = sum(
                one.kind is EventKind.ANSWER and one.number <= event.number for one in dialog.events
            )
            pay = self._live.pay_for_pairs(pairs, self._task.settings)
            return {**shown, "answer": seen, "pairs": pairs, "pay_cents": pay}
        return None

    def end(self, dialog: Dialog, role: DialogRole) -> Json:
        """How a dialog ended, and what it brought."""
        by = EndedBy(dialog.ended_by)
        return {
            "type": "ended",
            "dialog": dialog.id,
            "by": by,
            "pairs": len(dialog.pairs),
            "kept": is_kept(dialog, self._task, self._live),
            "pay_cents": pay_of(dialog, role, by, self._task, self._live),
            "message": _why(by, role),
            "may_report": dialog.simulated is None and dialog.report_by(role) is None,
        }


def _why(by: EndedBy, role: DialogRole) -> str:
    if by in WHY:
        return WHY[by]
    if by.value == f"{role}-report":
        return YOU_REPORTED
    return YOU_LEFT if by.was_left_by(role) else PARTNER_LEFT


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
