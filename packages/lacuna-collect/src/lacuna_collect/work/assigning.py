"""Hand out items: one at a time to a person, never the same twice, to as many as it has copies."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import ColumnElement, Select, bindparam, exists, func, select

from lacuna_collect.database.engine import CollectDatabase, CollectTransaction
from lacuna_collect.database.tables import (
    ASSIGNMENT,
    ITEM,
    NOT_FOR,
    QUALIFICATION,
    SUBMISSION,
    TASK_STATE,
)
from lacuna_collect.people.accounts import person_numbered, working_person
from lacuna_collect.tasks.task import LiveTask
from lacuna_collect.work.assignments import (
    BEGUN,
    Assigned,
    AssignmentState,
    NoWork,
    NoWorkReason,
    TaskInUse,
    TasksInUse,
    as_assigned,
    change_assignment,
    give_back_places,
    new_assignment,
    own_assignment,
    take_place,
    task_in_use,
    with_shared,
)
from lacuna_collect.work.items import Items

WHOLE = 1e-9
"""Sums of shares may fall short of a mark by this much."""


class Qualifications:
    """What a requester can see and decide about who may work."""

    def __init__(self, database: CollectDatabase, tasks: TasksInUse) -> None:
        self._database = database
        self._tasks = tasks

    def set(self, person: int, task: str, *, passed: bool, by: int | None = None) -> None:
        """Let somebody work without or in spite of the test, or not any more."""
        task_in_use(self._tasks, task)
        with self._database.begin() as transaction:
            person_numbered(transaction, person, lock=True)
            write_qualification(transaction, person, task, passed, None)
            transaction.log(
                "qualification-set", person=person, task=task, about={"passed": passed, "by": by}
            )


def is_qualified(transaction: CollectTransaction, task: str, passed: bool | None) -> bool | None:
    """What was written down about a person; where nothing was and there is no test, all pass."""
    if passed is not None:
        return bool(passed)
    return None if _tests(transaction, task) else True


def tests_left(transaction: CollectTransaction, person: int, task: str) -> int:
    """How many items of the test a person has still to do."""
    done = transaction.scalar(
        select(func.count()).where(
            ASSIGNMENT.c.person == person,
            ASSIGNMENT.c.task == task,
            ASSIGNMENT.c.state == AssignmentState.TESTED,
        )
    )
    return max(_tests(transaction, task) - (done or 0), 0)


def judge_test(transaction: CollectTransaction, person: int, task: TaskInUse) -> bool | None:
    """Decide, once all of the test is done; None before."""
    if tests_left(transaction, person, task.name):
        return None
    score = transaction.scalar(
        select(func.avg(SUBMISSION.c.score))
        .join(ASSIGNMENT, ASSIGNMENT.c.id == SUBMISSION.c.assignment)
        .where(ASSIGNMENT.c.person == person, ASSIGNMENT.c.task == task.name, ASSIGNMENT.c.is_test)
    )
    passed = float(score or 0.0) + WHOLE >= task.settings.pass_mark
    write_qualification(transaction, person, task.name, passed, float(score or 0.0))
    transaction.log(
        "qualified" if passed else "failed-test",
        person=person,
        task=task.name,
        about={"score": float(score or 0.0)},
    )
    return passed


def write_qualification(
    transaction: CollectTransaction, person: int, task: str, passed: bool, score: float | None
) -> None:
    """Write down whether a person may work; the caller has locked the person."""
    values = {"passed": passed, "score": score, "at": transaction.now}
    there = (QUALIFICATION.c.person == person, QUALIFICATION.c.task == task)
    if not transaction.change(QUALIFICATION, *there, **values):
        transaction.add(QUALIFICATION, person=person, task=task, **values)


def _tests(transaction: CollectTransaction, task: str) -> int:
    query = select(func.count()).where(ITEM.c.task == task, ITEM.c.gold.is_not(None))
    return transaction.scalar(query) or 0


RULES = select(
    select(TASK_STATE.c.paused).where(TASK_STATE.c.name == bindparam("task")).scalar_subquery(),
    select(QUALIFICATION.c.passed)
    .where(QUALIFICATION.c.person == bindparam("whose"), QUALIFICATION.c.task == bindparam("task"))
    .scalar_subquery(),
)
OWN = (
    select(
        ASSIGNMENT.c.state,
        ASSIGNMENT.c.is_test,
        func.count().label("sets"),
        func.min(ASSIGNMENT.c.id).label("first"),
    )
    .where(ASSIGNMENT.c.person == bindparam("whose"), ASSIGNMENT.c.task == bindparam("task"))
    .group_by(ASSIGNMENT.c.state, ASSIGNMENT.c.is_test)
)


@dataclass(frozen=True, slots=True)
class Standing:
    """One person and one task."""

    is_paused: bool
    passed: bool | None
    """The test; None if that is still open."""
    begun: int | None
    """The assignment that is to be gone on with."""
    counts: dict[str, int]
    """Assignments by state, the test aside."""
    has_lapsed: bool
    """Whether something that was begun was not saved in time."""


def standing(transaction: CollectTransaction, person: int, task: str) -> Standing:
    """Look at all that decides what a person is to do next."""
    about = {"whose": person, "task": task}
    paused, passed = transaction.execute(RULES, about).one()
    counts: dict[str, int] = {}
    first: dict[str, int] = {}
    for row in transaction.execute(OWN, about):
        first[row.state] = min(row.first, first.get(row.state, row.first))
        if not row.is_test:
            counts[row.state] = row.sets
    return Standing(
        is_paused=bool(paused),
        passed=is_qualified(transaction, task, passed),
        begun=first.get(AssignmentState.OPEN, first.get(AssignmentState.RETURNED)),
        counts=counts,
        has_lapsed=AssignmentState.EXPIRED in first,
    )


DRAWS = 20
"""How often a person who found nothing has an item drawn, which others may be faster to take."""
SWEEP = 1.0
"""Seconds after which it is looked again for what was not saved in time."""
MESSAGES = {
    NoWorkReason.FINISHED: "There is nothing more to do at the moment. Thank you!",
    NoWorkReason.LIMIT: "You have done as many of these as one person may do. Thank you!",
    NoWorkReason.INSPECTION: "We look at your first work before there is more. Come back later.",
    NoWorkReason.NOT_QUALIFIED: "You did not pass the test for this task.",
    NoWorkReason.PAUSED: "This task is paused at the moment. Come back later.",
    NoWorkReason.LIVE: "This is done with a partner: open the task, and wait for one.",
}


class Assigning:
    """Gives work to those who ask for it."""

    def __init__(self, database: CollectDatabase, tasks: TasksInUse, items: Items) -> None:
        self._database = database
        self._tasks = tasks
        self._items = items
        self._swept: dict[str, float] = {}

    def next(self, person: int, task: str) -> int | NoWork:
        """The assignment to do next: what was begun, then the test, then something new."""
        wanted = task_in_use(self._tasks, task)
        self._sweep(task)
        for _ in range(DRAWS):
            with self._database.begin() as transaction:
                found = self._found(transaction, person, wanted)
            if found is not None:
                return found
            if self._items.draw(wanted) is None:
                break
        return _no_work(NoWorkReason.FINISHED)

    def open(self, person: int, assignment: int) -> Assigned:
        """An assignment of this person, in whatever state; another's is refused."""
        with self._database.read_once() as transaction:
            row = own_assignment(transaction, person, assignment)
            task = task_in_use(self._tasks, row.task)
            payload = with_shared(transaction, task.task, row.payload)
            left = tests_left(transaction, person, row.task) if row.is_test else 0
        return as_assigned(row, payload, task, left)

    def _sweep(self, task: str) -> None:
        """Take back what was not saved in time, in a transaction of its own."""
        now = self._database.clock.now()
        if now - self._swept.get(task, float("-inf")) < SWEEP:
            return
        self._swept[task] = now
        overdue = select(ASSIGNMENT.c.id).where(
            ASSIGNMENT.c.task == task, ASSIGNMENT.c.state.in_(BEGUN)
        )
        with self._database.read() as transaction:
            late = overdue.where(ASSIGNMENT.c.expires_at <= transaction.now).limit(1)
            if transaction.scalar(late) is None:
                return
        with self._database.begin() as transaction:
            give_back_places(transaction, task=task)

    def _found(
        self, transaction: CollectTransaction, person: int, task: TaskInUse
    ) -> int | NoWork | None:
        working_person(transaction, person)  # two tabs that ask at once get the same
        stands = standing(transaction, person, task.name)
        if stands.is_paused:
            return _no_work(NoWorkReason.PAUSED)
        if stands.begun is not None:
            return stands.begun
        if stands.passed is False:
            return _no_work(NoWorkReason.NOT_QUALIFIED)
        if stands.passed and (reason := why_not_more(stands.counts, task)) is not None:
            return _no_work(reason)
        is_test = not stands.passed
        if not is_test and isinstance(task.task, LiveTask):
            return _no_work(NoWorkReason.LIVE)
        if stands.has_lapsed:
            reopened = self._reopened(transaction, person, task, is_test=is_test)
            if reopened is not None:
                return reopened
        item = _first_free(transaction, person, task.name, is_test=is_test)
        return None if item is None else _assign(transaction, person, task, item, is_test=is_test)

    def _reopened(
        self, transaction: CollectTransaction, person: int, task: TaskInUse, *, is_test: bool
    ) -> int | None:
        """What this person let lapse, if nobody else has taken it: the draft is still there."""
        lapsed = transaction.execute(
            select(ASSIGNMENT.c.id, ASSIGNMENT.c.item)
            .where(
                ASSIGNMENT.c.person == person,
                ASSIGNMENT.c.task == task.name,
                ASSIGNMENT.c.state == AssignmentState.EXPIRED,
                ASSIGNMENT.c.is_test == is_test,
            )
            .order_by(ASSIGNMENT.c.id)
            .with_for_update()
        ).all()
        for row in lapsed:
            if take_place(transaction, row.item):
                change_assignment(
                    transaction,
                    row.id,
                    state=AssignmentState.OPEN,
                    has_place=True,
                    expires_at=transaction.now + task.settings.minutes * 60,
                )
                transaction.log("reopened", person=person, task=task.name, assignment=row.id)
                return int(row.id)
        return None


def is_paused(transaction: CollectTransaction, task: str) -> bool:
    """Whether a requester has stopped handing out a task."""
    query = select(TASK_STATE.c.paused).where(TASK_STATE.c.name == task)
    return bool(transaction.scalar(query))


def counts_by_state(transaction: CollectTransaction, person: int, task: str) -> dict[str, int]:
    """How many assignments, the test aside, a person has in each state."""
    rows = transaction.execute(
        select(ASSIGNMENT.c.state, func.count().label("sets"))
        .where(ASSIGNMENT.c.person == person, ASSIGNMENT.c.task == task, ~ASSIGNMENT.c.is_test)
        .group_by(ASSIGNMENT.c.state)
    )
    return {row.state: row.sets for row in rows}


def is_inspected(counts: dict[str, int], task: TaskInUse) -> bool:
    """Whether as many of a person's first sets as a reviewer has to see were accepted."""
    return counts.get(AssignmentState.ACCEPTED, 0) >= task.settings.inspect_first


def why_not_more(counts: dict[str, int], task: TaskInUse) -> NoWorkReason | None:
    """Why somebody with so much done gets no more of a task, or None."""
    not_done = (AssignmentState.EXPIRED, AssignmentState.SKIPPED)
    done = sum(count for state, count in counts.items() if state not in not_done)
    if task.settings.per_person and done >= task.settings.per_person:
        return NoWorkReason.LIMIT
    seen = counts.get(AssignmentState.ACCEPTED, 0) + counts.get(AssignmentState.WAITING, 0)
    if not is_inspected(counts, task) and seen >= task.settings.inspect_first:
        return NoWorkReason.INSPECTION
    return None


def _free(*, is_test: bool) -> Select[int]:
    whose = bindparam("whose", type_=ASSIGNMENT.c.person.type)
    had = exists().where(ASSIGNMENT.c.item == ITEM.c.id, ASSIGNMENT.c.person == whose)
    barred = exists().where(NOT_FOR.c.item == ITEM.c.id, NOT_FOR.c.person == whose)
    if is_test:
        fitting: list[ColumnElement[bool]] = [ITEM.c.gold.is_not(None)]
    else:
        fitting = [ITEM.c.gold.is_(None), ITEM.c.taken < ITEM.c.copies, ~barred]
    of_task = ITEM.c.task == bindparam("task")
    return select(ITEM.c.id).where(of_task, *fitting, ~had).order_by(ITEM.c.id).limit(1)


FREE = {is_test: _free(is_test=is_test) for is_test in (True, False)}
FREE_OF_LOCKS = {
    is_test: query.with_for_update(skip_locked=True) for is_test, query in FREE.items()
}


def _first_free(
    transaction: CollectTransaction, person: int, task: str, *, is_test: bool
) -> int | None:
    """Lock a free item: at first one that nobody else is about to take, so that none waits."""
    about = {"whose": person, "task": task}
    while True:
        if (item := transaction.scalar(FREE_OF_LOCKS[is_test], about)) is not None:
            return item
        if transaction.scalar(FREE[is_test], about) is None:
            return None
        if (item := transaction.scalar(FREE[is_test].with_for_update(), about)) is not None:
            return item


def _assign(
    transaction: CollectTransaction, person: int, task: TaskInUse, item: int, *, is_test: bool
) -> int:
    take_place(transaction, item)
    until = transaction.now + task.settings.minutes * 60
    assignment = new_assignment(
        transaction, item, person, task.name, is_test=is_test, expires_at=until
    )
    transaction.log("assigned", person=person, task=task.name, assignment=assignment)
    return assignment


def _no_work(reason: NoWorkReason) -> NoWork:
    return NoWork(reason, MESSAGES[reason])
