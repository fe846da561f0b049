"""What the routes of the collecting server work with."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from fastapi.requests import HTTPConnection

from lacuna.collect.database.engine import CollectDatabase
from lacuna.collect.live.hub import LiveHub
from lacuna.collect.people.accounts import Accounts
from lacuna.collect.people.crowd import Crowd
from lacuna.collect.people.person import Person
from lacuna.collect.people.sessions import DAYS, LoginSession
from lacuna.collect.tasks.task import Json
from lacuna.collect.web.dataset_archive import DatasetArchive
from lacuna.collect.web.model_loop import ModelLoop
from lacuna.collect.work.open_items import OpenItems
from lacuna.collect.work.results import AssignmentState, Submitted
from lacuna.collect.work.work import Work
from lacuna.server.limits import Limits
from lacuna.server.stopping import Stopping

COLLECT_LIMITS = Limits(body=2 << 20)
"""A set of ten long answers is far below it."""
SOCKET_MESSAGE = 32 << 10
"""Bytes of one message on a WebSocket; a question in a dialog is far below it."""


@dataclass(frozen=True, slots=True)
class CollectServices:
    """One of each; made when the app is."""

    title: str
    """What the project is called."""
    database: CollectDatabase
    work: Work
    accounts: Accounts
    crowd: Crowd
    loop: ModelLoop
    open_items: OpenItems
    agreement: Callable[[], Json]
    archive: DatasetArchive
    live: Mapping[str, LiveHub]
    """By the names of the tasks that two people do at once."""
    secure: bool = False
    """Whether cookies are for https alone, even where the server itself cannot see it."""
    limits: Limits = COLLECT_LIMITS
    stopping: Stopping = field(default_factory=lambda: Stopping([]))

    @property
    def session_seconds(self) -> int:
        """How long a browser keeps its cookie."""
        return DAYS * 86_400

    def seconds_until(self, time: float) -> float:
        """How long it is until then by the project's own clock; browsers' clocks may be wrong."""
        return time - self.database.clock.now()

    def unread(self, person: Person) -> int:
        """How many messages wait for a person."""
        return self.work.messages.unread_by_worker(person.id)

    def way_back(self, session: LoginSession, got: Submitted) -> dict[str, Any] | None:
        """The way back to the platform that sent this person, once real work was handed in."""
        if got.state == AssignmentState.TESTED:
            return None
        completion = self.crowd.handed_in(session, got.receipt)
        return None if completion is None else asdict(completion)


def services_of(request: HTTPConnection) -> CollectServices:
    """Those of the app that a request came to."""
    services: CollectServices = request.app.state.services
    return services
