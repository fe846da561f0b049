"""Work that is saved while somebody types, and handed in: checked, kept once and for ever."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from typing import Any

from sqlalchemy import ColumnElement, Double, Row, Update, bindparam, case, exists, select, update

from lacuna_collect.database.engine import CollectDatabase, CollectTransaction
from lacuna_collect.database.tables import ASSIGNMENT, PERSON, STEP, SUBMISSION, written_json
from lacuna_collect.people.accounts import working_person
from lacuna_collect.refused import RefusedError, plain_text
from lacuna_collect.tasks.task import FieldProblem, FinishedWork, Json, PaidByWorkTask, SteppedTask
from lacuna_collect.work.assigning import counts_by_state, is_inspected, judge_test
from lacuna_collect.work.assignments import (
    BEGUN,
    AssignmentState,
    Saved,
    StaleDraft,
    Submitted,
    TaskInUse,
    TasksInUse,
    change_assignment,
    finished_query,
    finished_work,
    free_place,
    locked_assignment,
    new_submission,
    own_assignment,
    retire_item,
    take_place,
    task_in_use,
    with_shared,
)
from lacuna_collect.work.items import add_items
from lacuna_collect.work.money import enter_pay


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
            change_assignment(transaction, assignment, **values)
            return Saved(version + 1, expires_at, expired)

    def remember_loop(self, person: int, assignment: int, part: str, said: Json) -> None:
        """Keep what the model in the loop said about a part of the work."""
        part = plain_text(part, "The part", 100)
        with self._database.begin() as transaction:
            row = locked_assignment(transaction, person, assignment)
            change_assignment(transaction, assignment, loop={**row.loop, part: said})

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
            ended = {"state": AssignmentState.SKIPPED, "ended_at": transaction.now}
            change_assignment(transaction, assignment, **ended, has_place=False)
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


def accept_submission(
    transaction: CollectTransaction, tasks: TasksInUse, submission: int
) -> Sequence[str]:
    """Accept work, in the transaction that decided it; the tasks that have new items by it."""
    row = transaction.execute(finished_query().where(SUBMISSION.c.id == submission)).one()
    transaction.change(
        SUBMISSION,
        SUBMISSION.c.assignment == row.assignment,
        accepted=SUBMISSION.c.id == submission,
    )
    change_assignment(
        transaction, row.assignment, state=AssignmentState.ACCEPTED, ended_at=transaction.now
    )
    finished = finished_work(transaction, task_in_use(tasks, row.task), row)
    return reward(transaction, tasks, row.task, row.assignment, finished)


def reward(
    transaction: CollectTransaction,
    tasks: TasksInUse,
    name: str,
    assignment: int,
    finished: FinishedWork,
) -> Sequence[str]:
    """Pay for work that was just accepted, and make what follows from it."""
    task = task_in_use(tasks, name)
    cents = task.settings.pay_cents
    if isinstance(task.task, PaidByWorkTask):
        cents = task.task.pay_for(finished.work, task.settings)
    enter_pay(transaction, finished.person, name, assignment, cents)
    following = task.task.follow_up(finished, task.settings)
    for other, items in following.items():
        add_items(transaction, task_in_use(tasks, other), items)
    transaction.log("accepted", person=finished.person, task=name, assignment=assignment)
    return list(following)


class Steps:
    """The steps of items that have any."""

    def __init__(self, database: CollectDatabase, tasks: TasksInUse) -> None:
        self._database = database
        self._tasks = tasks

    def so_far(self, person: int, assignment: int) -> Json:
        """All steps that were answered, with what each has shown, and the one that is next."""
        with self._database.read() as transaction:
            task, payload = self._opened(transaction, person, assignment)
            answers = given_steps(transaction, assignment)
        done = [
            {**task.step(payload, number), "answer": answer, **task.after_step(payload, number)}
            for number, answer in enumerate(answers)
        ]
        is_left = len(answers) < task.steps(payload)
        following = task.step(payload, len(answers)) if is_left else None
        return {"done": done, "next": following, "steps": task.steps(payload)}

    def answer(
        self, person: int, assignment: int, number: int, answer: Any
    ) -> Json | Sequence[FieldProblem]:
        """Answer the step that is next; the same answer again changes nothing."""
        check_size({"answer": answer})
        check_whole_characters({"answer": answer})
        with self._database.begin() as transaction:
            working_person(transaction, person)
            row = locked_assignment(transaction, person, assignment)
            task, payload = self._opened(transaction, person, assignment)
            given = given_steps(transaction, assignment)
            if not 0 <= number < task.steps(payload):
                raise RefusedError("no-such-step", "There is no such question here.")
            if problems := task.step_problems(payload, number, answer):
                return problems
            plain = task.plain_step(answer)
            if number < len(given):
                if given[number] != plain:
                    raise RefusedError(
                        "already-answered",
                        "This question was answered already, perhaps in another tab. The first "
                        "answer counts.",
                    )
            elif number > len(given):
                raise RefusedError("out-of-order", "Answer the questions one after another.")
            elif row.state not in BEGUN:
                raise already_handed_in()
            else:
                self._keep(transaction, assignment, number, plain, row.task)
        return self.so_far(person, assignment)

    def _keep(
        self, transaction: CollectTransaction, assignment: int, number: int, answer: Json, task: str
    ) -> None:
        transaction.add(
            STEP, assignment=assignment, number=number, answer=answer, at=transaction.now
        )
        # As a draft that is saved, it keeps the item for longer.
        minutes = task_in_use(self._tasks, task).settings.minutes
        change_assignment(transaction, assignment, expires_at=transaction.now + minutes * 60)

    def _opened(
        self, transaction: CollectTransaction, person: int, assignment: int
    ) -> tuple[SteppedTask, Json]:
        row = own_assignment(transaction, person, assignment)
        task = task_in_use(self._tasks, row.task).task
        payload = with_shared(transaction, task, row.payload)
        if not isinstance(task, SteppedTask) or not task.steps(payload):
            raise RefusedError("no-steps", "This work has no steps.")
        return task, payload


def given_steps(transaction: CollectTransaction, assignment: int) -> list[Json]:
    """The answers to all steps so far."""
    query = select(STEP.c.answer).where(STEP.c.assignment == assignment).order_by(STEP.c.number)
    return list(transaction.execute(query).scalars())


CAN_BE_SUBMITTED = (*CAN_BE_SAVED, AssignmentState.SKIPPED)
LATE = "This came after its time was up, and the item has gone to somebody else. It is kept, and "
LATE += "the requester decides about it."
TOLD = {
    AssignmentState.ACCEPTED: "Thank you! This was accepted.",
    AssignmentState.WAITING: "Thank you! A reviewer will look at this.",
    AssignmentState.REJECTED: "This was handed in, and a reviewer did not accept it.",
    AssignmentState.RETURNED: "This was handed in, and a reviewer has sent it back since.",
    AssignmentState.TESTED: "Thank you! This part of the test is done.",
}
PASSED = "Thank you! You passed the test."
FAILED = "You did not pass the test. Sorry."


class Submitting:
    """Takes in finished work."""

    def __init__(self, database: CollectDatabase, tasks: TasksInUse) -> None:
        self._database = database
        self._tasks = tasks

    def submit(
        self, person: int, assignment: int, work: Json, key: str, seconds: float
    ) -> Submitted | list[FieldProblem]:
        """Hand work in; ``key`` is made by the page, and the same work sent twice has the same."""
        key = plain_text(key, "The key", 100)
        check_size(work)
        check_whole_characters(work)
        with self._database.read_once() as transaction:
            item = own_assignment(transaction, person, assignment)
            might_be = item.state != AssignmentState.OPEN  # handed in before
            if might_be and (before := _receipt(transaction, item, key)) is not None:
                return before
            task = task_in_use(self._tasks, item.task)
            payload = with_shared(transaction, task.task, item.payload)
            if isinstance(task.task, SteppedTask) and task.task.steps(payload):
                work = task.task.stepped_work(given_steps(transaction, assignment))
        # An item never changes, so that its checks need not hold up everybody else.
        if problems := list(task.task.check(payload, work, task.settings)):
            return problems
        score = task.task.score(payload, work, item.gold) if item.is_test else None
        with self._database.begin() as transaction:
            working_person(transaction, person)
            row = locked_assignment(transaction, person, assignment)
            if (before := _receipt(transaction, row, key)) is not None:
                return before
            if row.state not in CAN_BE_SUBMITTED:
                raise already_handed_in()
            has_place = row.has_place or take_place(transaction, row.item)
            state = self._state(transaction, row, task, has_place)
            late = row.state not in BEGUN or row.expires_at <= transaction.now
            seconds = spent(row, seconds, transaction.now)
            sent = {"work": work, "key": key, "seconds": seconds, "score": score, "late": late}
            kept = _keep(transaction, row, state, sent, has_place=has_place)
            passed = None
            if state == AssignmentState.TESTED:
                passed = judge_test(transaction, person, task)
            elif state == AssignmentState.ACCEPTED:
                finished = FinishedWork(
                    item.item_key, payload, item.split, work, person, kept, seconds, row.loop
                )
                reward(transaction, self._tasks, row.task, assignment, finished)
        message = TOLD[state] if has_place else LATE
        if passed is not None:
            message = PASSED if passed else FAILED
        return Submitted(_number(kept), assignment, state, late, score, message)

    def _state(
        self, transaction: CollectTransaction, row: Row[Any], task: TaskInUse, has_place: bool
    ) -> AssignmentState:
        """What becomes of work: some is accepted unseen."""
        if row.is_test:
            return AssignmentState.TESTED
        if not has_place or task.settings.review_all:
            return AssignmentState.WAITING
        inspected = not task.settings.inspect_first or is_inspected(
            counts_by_state(transaction, row.person, row.task), task
        )
        return AssignmentState.ACCEPTED if inspected else AssignmentState.WAITING


def _keep(
    transaction: CollectTransaction,
    row: Row[Any],
    state: AssignmentState,
    sent: Json,
    *,
    has_place: bool,
) -> int:
    """Keep work that was checked; its number. ``sent`` are the columns that the page decides."""
    is_accepted = state == AssignmentState.ACCEPTED
    number = new_submission(
        transaction, row.id, row.person, **sent, loop=row.loop, accepted=is_accepted
    )
    change_assignment(
        transaction,
        row.id,
        state=state,
        has_place=has_place,
        draft=sent["work"],
        version=row.version + 1,
        seconds=sent["seconds"],
        ended_at=transaction.now,
    )
    about = {"late": sent["late"]}
    transaction.log("submitted", person=row.person, task=row.task, assignment=row.id, about=about)
    return number


def _receipt(transaction: CollectTransaction, row: Row[Any], key: str) -> Submitted | None:
    """What the same work was answered with before."""
    before = transaction.execute(
        select(SUBMISSION).where(SUBMISSION.c.assignment == row.id, SUBMISSION.c.key == key)
    ).first()
    if before is None:
        return None
    state = AssignmentState(row.state)
    message = TOLD.get(state, TOLD[AssignmentState.WAITING]) if row.has_place else LATE
    return Submitted(_number(before.id), row.id, state, before.late, before.score, message)


def _number(submission: int) -> str:
    return f"S{submission}"
