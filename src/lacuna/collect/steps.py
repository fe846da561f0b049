"""Work that is done step by step: an answer is final, and then more is shown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import insert, select, update

from lacuna.collect.database.engine import CollectDatabase, CollectTransaction
from lacuna.collect.database.tables import ASSIGNMENT, STEP
from lacuna.collect.people.person import working_person
from lacuna.collect.refused import RefusedError
from lacuna.collect.tasks.stepped_task import SteppedTask
from lacuna.collect.tasks.task import FieldProblem, Json
from lacuna.collect.work.drafts import already_handed_in, check_size, check_whole_characters
from lacuna.collect.work.looking_up import (
    TasksInUse,
    locked_assignment,
    own_assignment,
    task_in_use,
)
from lacuna.collect.work.places import BEGUN
from lacuna.collect.work.shared_texts import with_shared


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
            {
                **task.step(payload, number),
                "answer": answer,
                **task.after_step(payload, number),
            }
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
        transaction.execute(
            insert(STEP).values(
                assignment=assignment, number=number, answer=answer, at=transaction.now
            )
        )
        # As a draft that is saved, it keeps the item for longer.
        minutes = task_in_use(self._tasks, task).settings.minutes
        transaction.execute(
            update(ASSIGNMENT)
            .where(ASSIGNMENT.c.id == assignment)
            .values(expires_at=transaction.now + minutes * 60)
        )

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
