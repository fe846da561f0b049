"""A library of a few notes, something slow that answers over it, and clients of the protocol."""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, TypeVar

from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp.server.lowlevel.server import Server
from mcp.shared._httpx_utils import create_mcp_http_client
from mcp_types import CallToolResult, TextContent
from served import environment
from stand_in import NOTES, StandIn

from lacuna.corpus.refresh import refresh_source
from lacuna.corpus.store import Store
from lacuna.mcp.documents import Library
from lacuna.mcp.server import LibraryOpening, ToolCalls, make_server
from lacuna.pipeline.query import Answerer, Query
from lacuna.pipeline.result import OnStep, Result, Stage, Step
from lacuna.web.limits import Limits

T = TypeVar("T")
SAME = {"2023/plan.md": "# Plan\n\nThe old plan.\n", "2024/plan.md": "# Plan\n\nThe new plan.\n"}
"""Two documents that call themselves the same."""
LONG = "# Long\n\n" + "\n\n".join(
    f"## Part {part}\n\n" + " ".join(f"Sentence {part}.{at} is here." for at in range(40))
    for part in range(6)
)
PAGES = {**NOTES, **SAME, "Long.md": LONG}
STEP_SECONDS = 0.02


class SlowAnswerer(StandIn):
    """Takes very many short steps before it answers, and counts them."""

    def __init__(self, store: Store, steps: int = 500) -> None:
        super().__init__(store)
        self.steps = steps
        self.done = 0
        self.at_work = threading.Event()

    def ask(self, query: Query, *, on_step: OnStep | None = None) -> Result:
        wait = threading.Event()
        for number in range(self.steps):
            wait.wait(STEP_SECONDS)
            self.done = number + 1
            self.at_work.set()
            if on_step:
                on_step(Step(Stage.READ, 1, f"Step {number + 1}.", (), 1.0))
        return super().ask(query)


def notes_in(folder: Path) -> Path:
    """The notes as files."""
    notes = folder / "notes"
    for name, text in PAGES.items():
        path = notes / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return notes


def store_of(folder: Path) -> Store:
    """The notes as a store."""
    store = Store.create(folder / "corpus")
    with store.writer() as writer:
        refresh_source(writer, notes_in(folder))
    return store


def calls_over(answerer: Answerer, *, local: bool = True, **limits: Any) -> ToolCalls:
    """What does the calls of clients over it."""
    opening = LibraryOpening.done(Library(answerer, local))
    return ToolCalls(opening, 1, Limits(**limits))


def server_over(answerer: Answerer, **settings: Any) -> Server[Any]:
    """A server of the protocol in this process."""
    return make_server(calls_over(answerer, **settings), "some notes")


def run(work: Coroutine[Any, Any, T]) -> T:
    """Do it in a loop of its own; a test that hangs fails."""

    async def in_time() -> T:
        return await asyncio.wait_for(work, 120)

    return asyncio.run(in_time())


def started(folder: Path, *options: str | Path) -> StdioServerParameters:
    """``lacuna mcp`` as an assistant starts it."""
    return StdioServerParameters(
        command=sys.executable,
        args=["-m", "lacuna", "mcp", *map(str, options)],
        env={**environment(), "LACUNA_CACHE": str(folder / "cache")},
    )


@asynccontextmanager
async def over_http(address: str, token: str = "", **settings: Any) -> AsyncIterator[Client]:
    """A client of a server at an address."""
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    async with create_mcp_http_client(headers) as http:
        transport = streamable_http_client(address, http_client=http)
        async with Client(transport, **settings) as client:
            yield client


def text_of(result: CallToolResult) -> str:
    """What a model reads."""
    (content,) = result.content
    assert isinstance(content, TextContent)
    return content.text


def values_of(result: CallToolResult) -> dict[str, Any]:
    """The structured output; the call must have gone well."""
    assert not result.is_error, text_of(result)
    values = result.structured_content
    assert isinstance(values, dict)
    return values
