"""All that can be done with a project's work, in one place."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from sqlalchemy import select

from lacuna.collect.database.engine import CollectDatabase
from lacuna.collect.database.tables import ASSIGNMENT, LEDGER
from lacuna.collect.steps import Steps
from lacuna.collect.tasks.task import FieldProblem, Json
from lacuna.collect.work.assigning import Assigning, counts_by_state, is_paused
from lacuna.collect.work.bonuses import DueBonuses
from lacuna.collect.work.drafts import Drafts
from lacuna.collect.work.finished import FinishedWorks
from lacuna.collect.work.items import Items
from lacuna.collect.work.ledger import PayLedger
from lacuna.collect.work.messages import ProblemReports, WorkMessages
from lacuna.collect.work.places import BEGUN
from lacuna.collect.work.progress import Progress
from lacuna.collect.work.qualifying import Qualifications, qualification, tests_left
from lacuna.collect.work.quality import WorkerQualities
from lacuna.collect.work.results import (
    Assigned,
    AssignmentState,
    NoWork,
    Saved,
    StaleDraft,
    Submitted,
    TaskInUse,
)
from lacuna.collect.work.review.reviewing import Reviews
from lacuna.collect.work.submitting import Submitting
from lacuna.corpus.store import Store


@dataclass(frozen=True, slots=True)
class TaskForWorker:
    """A task as one worker sees it before choosing what to do."""

    task: str
    title: str
    instructions: str
    form: str
    pay_cents: int
    paused: bool
    qualified: bool | None
    """None before the test is done."""
    tests_left: int
    begun: int | None
    """The assignment that waits to be finished."""
    states: dict[str, int]
    """How many sets this person has in each ``AssignmentState``."""


@dataclass(frozen=True, slots=True)
class OwnAssignment:
    """One line of what a worker has done."""

    assignment: int
    task: str
    state: AssignmentState
    is_test: bool
    assigned_at: float
    ended_at: float | None
    reason: str
    cents: int


class Work:
    """What workers do; what reviewers and requesters do is in the attributes."""

    def __init__(
        self,
        database: CollectDatabase,
        tasks: Iterable[TaskInUse],
        corpus: Callable[[], Store],
    ) -> None:
        self.tasks = {task.name: task for task in tasks}
        self._database = database
        self.items = Items(database, self.tasks, corpus)
        self._assigning = Assigning(database, self.tasks, self.items)
        self._drafts = Drafts(database, self.tasks)
        self._submitting = Submitting(database, self.tasks)
        self.reports = ProblemReports(database)
        self.messages = WorkMessages(database)
        self.reviews = Reviews(database, self.tasks)
        self.qualifications = Qualifications(database, self.tasks)
        self.ledger = PayLedger(database)
        self.bonuses = DueBonuses(database, self.tasks, self.ledger)
        self.progress = Progress(database, self.tasks)
        self.workers = WorkerQualities(database, self.tasks)
        self.finished = FinishedWorks(database, self.tasks)
        self.steps = Steps(database, self.tasks)

    def next(self, person: int, task: str) -> Assigned | NoWork:
        """What a person is to do next: what was begun, then the test, then something new."""
        found = self.next_number(person, task)
        return found if isinstance(found, NoWork) else self.open(person, found)

    def next_number(self, person: int, task: str) -> int | NoWork:
        """The same, without looking at the item, which may be long."""
        return self._assigning.next(person, task)

    def open(self, person: int, assignment: int) -> Assigned:
        """An assignment of this person; another's is refused as if it did not exist."""
        return self._assigning.open(person, assignment)

    def save(
        self, person: int, assignment: int, draft: Json, version: int, seconds: float
    ) -> Saved | StaleDraft:
        """Keep a draft that was made from the given version, and the item for longer."""
        return self._drafts.save(person, assignment, draft, version, seconds)

    def submit(
        self, person: int, assignment: int, work: Json, key: str, seconds: float
    ) -> Submitted | list[FieldProblem]:
        """Hand work in; the same ``key`` again gives the same receipt."""
        return self._submitting.submit(person, assignment, work, key, seconds)

    def skip(self, person: int, assignment: int, reason: str) -> None:
        """Give an item back for good."""
        self._drafts.skip(person, assignment, reason)

    def report(self, person: int, assignment: int, text: str) -> None:
        """Say that something is wrong with an item."""
        self.reports.report(person, assignment, text)

    def remember_loop(self, person: int, assignment: int, part: str, said: Json) -> None:
        """Keep what the model in the loop said about a part of the work."""
        self._drafts.remember_loop(person, assignment, part, said)

    def tasks_for(self, person: int) -> list[TaskForWorker]:
        """All tasks, as a worker sees them."""
        with self._database.read() as transaction:
            return [
                TaskForWorker(
                    task=name,
                    title=task.task.title,
                    instructions=task.task.instructions,
                    form=task.task.form,
                    pay_cents=task.settings.pay_cents,
                    paused=is_paused(transaction, name),
                    qualified=qualification(transaction, person, name),
                    tests_left=tests_left(transaction, person, name),
                    begun=transaction.scalar(
                        select(ASSIGNMENT.c.id)
                        .where(
                            ASSIGNMENT.c.person == person,
                            ASSIGNMENT.c.task == name,
                            ASSIGNMENT.c.state.in_(BEGUN),
                        )
                        .order_by(ASSIGNMENT.c.id)
                        .limit(1)
                    ),
                    states=counts_by_state(transaction, person, name),
                )
                for name, task in self.tasks.items()
            ]

    def history(self, person: int) -> list[OwnAssignment]:
        """All that a person has begun or done, newest first."""
        query = (
            select(ASSIGNMENT, LEDGER.c.cents)
            .outerjoin(LEDGER, LEDGER.c.assignment == ASSIGNMENT.c.id)
            .where(ASSIGNMENT.c.person == person)
            .order_by(ASSIGNMENT.c.id.desc())
        )
        with self._database.read() as transaction:
            return [
                OwnAssignment(
                    row.id,
                    row.task,
                    AssignmentState(row.state),
                    row.is_test,
                    row.assigned_at,
                    row.ended_at,
                    row.returned_reason,
                    row.cents or 0,
                )
                for row in transaction.execute(query)
            ]
