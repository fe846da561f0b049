"""Routes: the WebSocket on which two people talk.

A page says hello with the session's secret, and from then on every message of it is looked at one
after another. What cannot be done is refused in words; nothing is acknowledged before it is kept.
"""

from __future__ import annotations

import asyncio
import json
import time
from typing import Any

from fastapi import APIRouter, WebSocket
from starlette.websockets import WebSocketDisconnect

from lacuna.collect.live.connection import LiveConnection
from lacuna.collect.live.hub import LiveHub
from lacuna.collect.people.sessions import LoginSession
from lacuna.collect.refused import RefusedError
from lacuna.collect.web.services import services_of
from lacuna.collect.web.who import session_of
from lacuna.errors import LacunaError

router = APIRouter()
HELLO_SECONDS = 10.0
NOT_LET_IN, TOO_MUCH = 4003, 4008
TOO_MANY = (
    "You send far more than anybody can say. Wait a few seconds; nothing that was kept is lost."
)


@router.websocket("/collect/api/live/{task}")
async def live(socket: WebSocket, task: str) -> None:
    """One person's connection to the dialogs of a task."""
    hub = services_of(socket).live.get(task)
    session = await asyncio.to_thread(session_of, socket)
    await socket.accept()
    if hub is None or session is None:
        code = "no-such-task" if session else "not-logged-in"
        await _refuse(
            socket, code, "You are not logged in, or there is no such task. Log in again."
        )
        return
    connection: LiveConnection | None = None
    try:
        hello = await _hello(socket, session)
        if hello is None:
            return
        connection = LiveConnection(session.person.id, socket, time.monotonic())
        await _handle(hub, connection, hello)
        await _talk(socket, hub, connection)
    except WebSocketDisconnect:
        pass
    finally:
        if connection is not None:
            hub.lost(connection)
            await connection.ended()


async def _hello(socket: WebSocket, session: LoginSession) -> dict[str, Any] | None:
    try:
        said = _message(await asyncio.wait_for(_received(socket), HELLO_SECONDS))
    except TimeoutError:
        said = {}
    if said.get("type") != "hello" or not session.has_csrf(str(said.get("csrf", ""))):
        await _refuse(socket, "no-csrf", "This page is from an earlier log-in. Load it again.")
        return None
    return said


async def _talk(socket: WebSocket, hub: LiveHub, connection: LiveConnection) -> None:
    while True:
        text = await _received(socket)
        if not connection.rate.allows(time.monotonic()):
            connection.send({"type": "refused", "code": "too-many", "message": TOO_MANY})
            connection.close(TOO_MUCH, "too-many")
            await connection.finished()
            return
        await _handle(hub, connection, _message(text))


async def _handle(hub: LiveHub, connection: LiveConnection, said: dict[str, Any]) -> None:
    try:
        match said.get("type"):
            case "hello":
                await hub.hello(connection, said)
            case "wait":
                await hub.wait(connection)
            case "say":
                await hub.say(connection, said)
            case "typing":
                hub.typing(connection)
            case "here":  # a page cannot see the protocol's own pings
                connection.send({"type": "here"})
            case "leave":
                await hub.leave(connection)
            case "report":
                await hub.report(connection, said)
            case _:
                raise RefusedError("bad-message", "This page sent something that is no message.")
    except LacunaError as error:
        code = error.code if isinstance(error, RefusedError) else "database"
        refused = {"type": "refused", "code": code, "message": str(error)}
        connection.send({**refused, "key": said.get("key")})


async def _received(socket: WebSocket) -> str:
    """The next message; of bytes, which no page sends, nothing."""
    try:
        return await socket.receive_text()
    except KeyError:
        return ""
    except RuntimeError as error:  # sending has found out before that nobody is there
        raise WebSocketDisconnect from error


async def _refuse(socket: WebSocket, code: str, message: str) -> None:
    await socket.send_text(json.dumps({"type": "refused", "code": code, "message": message}))
    await socket.close(NOT_LET_IN, code)


def _message(text: str) -> dict[str, Any]:
    try:
        said = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return said if isinstance(said, dict) else {}
