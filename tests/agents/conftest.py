"""A server of the protocol over a few notes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from agent_parts import run, server_over, store_of
from mcp import Client
from mcp_types import CallToolResult
from stand_in import StandIn

from lacuna.corpus.store import Store

Call = Callable[..., CallToolResult]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """The notes."""
    with store_of(tmp_path_factory.mktemp("notes")) as store:
        yield store


@pytest.fixture
def call(store: Store) -> Call:
    """Calls a tool with the official client, which checks results against their schemas."""

    def call(tool: str, /, **arguments: Any) -> CallToolResult:
        async def session() -> CallToolResult:
            async with Client(server_over(StandIn(store))) as client:
                return await client.call_tool(tool, arguments)

        return run(session())

    return call


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An empty folder."""
    return tmp_path
