"""What the routes of a board work with."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import Annotated

from fastapi import Depends, Request

from lacuna.board.board import Board
from lacuna.board.keeping.teams import Team
from lacuna.board.scoring.scoring_queue import ScoringQueue
from lacuna.server.limits import MB, Limits
from lacuna.server.stopping import Stopping

AT_ONCE = 4
"""Files that arrive at the same time; others wait for their turn."""


@dataclass(frozen=True, slots=True)
class BoardServices:
    """One of each; made when the app is."""

    board: Board
    queue: ScoringQueue
    secure: bool = False
    """Whether cookies are for https alone, even where the server itself cannot see it."""
    limits: Limits = field(init=False)
    stopping: Stopping = field(default_factory=lambda: Stopping([]))
    arriving: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(AT_ONCE))

    def __post_init__(self) -> None:
        # A little more than the file: what the team says of it comes along.
        limits = Limits(upload=(self.board.settings.upload_mb + 1) * MB)
        object.__setattr__(self, "limits", limits)


async def board_services(request: Request) -> BoardServices:
    """Those of the app that a request came to."""
    services: BoardServices = request.app.state.services
    return services


BoardServicesHere = Annotated[BoardServices, Depends(board_services)]


def cookie_name(request: Request) -> str:
    """Of its port: cookies do not tell the ports of a machine apart, and two may be in use."""
    server = request.scope.get("server") or ("", 0)
    return f"lacuna-board-{server[1]}"


def team_of(request: Request) -> Team | None:
    """Who sends a request: by a key in its header or its cookie."""
    services: BoardServices = request.app.state.services
    scheme, _, sent = request.headers.get("authorization", "").partition(" ")
    key = sent.strip() if scheme.lower() == "bearer" else request.cookies.get(cookie_name(request))
    return services.board.teams.with_key(key) if key else None


AnyTeam = Annotated[Team | None, Depends(team_of)]
