"""The model in the loop: it says about a part of the work what it can answer already."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, Protocol, cast

from lacuna.collect.database.engine import CollectDatabase
from lacuna.collect.refused import RefusedError
from lacuna.collect.tasks.task import Json
from lacuna.collect.work.looking_up import own_assignment, task_in_use
from lacuna.collect.work.shared_texts import with_shared
from lacuna.collect.work.work import Work

WAITING = 8
"""So many may wait for the model; the threads of all others are for saving."""


class AsksModel(Protocol):
    """A task that has something to ask a model."""

    def ask_model(self, reader: Any, payload: Json, work: Json, part: str) -> Json:
        """Ask about a part of the work, and say what that means for the worker."""


class ModelLoop:
    """Asks one at a time: an answer takes all cores for a moment."""

    def __init__(
        self, database: CollectDatabase, work: Work, open_reader: Callable[[], Any]
    ) -> None:
        self._database = database
        self._work = work
        self._open_reader = open_reader
        self._reader: Any = None
        self._turn = threading.Lock()
        self._room = threading.BoundedSemaphore(WAITING)

    def ask(self, person: int, assignment: int, work: Json, part: str) -> Json:
        """What the model says, which is kept with the assignment."""
        with self._database.read() as transaction:
            row = own_assignment(transaction, person, assignment)
            task = task_in_use(self._work.tasks, row.task)
            payload = with_shared(transaction, task.task, row.payload)
        if not task.settings.model_in_loop or not hasattr(task.task, "ask_model"):
            raise RefusedError("no-loop", "No model reads along in this task.")
        if not self._room.acquire(blocking=False):
            raise RefusedError("busy", "Many people ask the model at this moment. Ask it again.")
        try:
            with self._turn:
                if self._reader is None:
                    self._reader = self._open_reader()
                said = cast(AsksModel, task.task).ask_model(self._reader, payload, work, part)
        finally:
            self._room.release()
        self._work.remember_loop(person, assignment, part, said)
        return said
