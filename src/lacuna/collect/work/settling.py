"""Settings of a task as the accepted work of other tasks has settled them."""

from __future__ import annotations

import threading
from dataclasses import replace
from typing import cast

from sqlalchemy import func, select

from lacuna.collect.database.engine import CollectDatabase
from lacuna.collect.database.tables import ASSIGNMENT
from lacuna.collect.tasks.task import Json, SettlingTask, TaskSettings
from lacuna.collect.work.finished import finished_works
from lacuna.collect.work.looking_up import TasksInUse
from lacuna.collect.work.results import AssignmentState, TaskInUse


class Settling:
    """Asks the tasks that settle others, and again when more of their work was accepted."""

    def __init__(self, database: CollectDatabase, tasks: TasksInUse) -> None:
        self._database = database
        self._tasks = [task for task in tasks.values() if hasattr(task.task, "settle")]
        self._lock = threading.Lock()
        self._settled: dict[str, tuple[int, dict[str, Json]]] = {}

    def settings_of(self, task: TaskInUse) -> TaskSettings:
        """The project's settings, and what was settled since."""
        more = dict(task.settings.more)
        with self._lock:
            for settling in self._tasks:
                more |= self._by(settling).get(task.name, {})
        return replace(task.settings, more=more)

    def _by(self, settling: TaskInUse) -> dict[str, Json]:
        with self._database.read() as transaction:
            accepted = transaction.scalar(
                select(func.count()).where(
                    ASSIGNMENT.c.task == settling.name,
                    ASSIGNMENT.c.state == AssignmentState.ACCEPTED,
                )
            )
            before = self._settled.get(settling.name)
            if before is not None and before[0] == accepted:
                return before[1]
            finished = finished_works(transaction, settling)
        settled = dict(cast(SettlingTask, settling.task).settle(finished, settling.settings))
        self._settled[settling.name] = (accepted or 0, settled)
        return settled
