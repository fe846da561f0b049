"""The protocol over streamable HTTP, with the official client and without."""

from __future__ import annotations

import asyncio
import re
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from agent_parts import (
    SlowAnswerer,
    calls_over,
    notes_in,
    over_http,
    run,
    started,
    text_of,
    values_of,
)
from stand_in import KNOWN, TOKEN, StandIn, listening

from lacuna.corpus.store import Store
from lacuna.mcp.server import make_http_app, make_server
from lacuna.pipeline.query import Answerer
from lacuna.web.access import Access

PRINTED = re.compile(r"Lacuna speaks MCP at (\S+)\n(?:.*Bearer (\S+)\n)?")
LISTED = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
TAKES = {"Accept": "application/json, text/event-stream"}
ASKED = {"question": "What is the Marrow?", "document": "Marrow"}


@contextmanager
def serving(answerer: Answerer) -> Iterator[str]:
    """A real server in this process; the address of the protocol."""
    calls = calls_over(answerer)
    app = make_http_app(make_server(calls, "notes"), calls, Access((TOKEN,)))
    with listening(app) as address:
        yield f"{address}/mcp"


def refusal(response: httpx.Response) -> tuple[int, str]:
    problem: dict[str, Any] = response.json()
    return response.status_code, problem["code"]


def test_who_has_no_token_gets_nothing(store: Store) -> None:
    with serving(StandIn(store)) as address:
        for headers in ({}, {"Authorization": "Bearer no"}, {"Authorization": f"Basic {TOKEN}"}):
            for method in ("POST", "GET", "DELETE"):
                response = httpx.request(method, address, headers={**TAKES, **headers})
                assert refusal(response) == (401, "no-token")
                assert response.headers["WWW-Authenticate"] == "Bearer"
        assert httpx.get(f"{address}?token={TOKEN}").status_code == 401


def test_another_name_and_another_page_are_refused(store: Store) -> None:
    with serving(StandIn(store)) as address:
        as_another = {**KNOWN, **TAKES, "Host": "evil.example"}
        assert refusal(httpx.post(address, json=LISTED, headers=as_another)) == (421, "wrong-host")
        from_another = {**KNOWN, **TAKES, "Origin": "https://evil.example"}
        response = httpx.post(address, json=LISTED, headers=from_another)
        assert refusal(response) == (403, "other-origin")


def test_what_is_too_large_or_no_message_is_refused(store: Store) -> None:
    headers = {**KNOWN, **TAKES, "Content-Type": "application/json"}
    with serving(StandIn(store)) as address:
        large = httpx.post(address, content=b"[" * (1 << 20), headers=headers)
        assert large.status_code == 413
        for content in (b"", b"{", b"[]", b"7", b'{"jsonrpc": "2.0"}', b"\xff\xfe"):
            assert 400 <= httpx.post(address, content=content, headers=headers).status_code < 500
        missing = {**headers, "Mcp-Session-Id": "no-such-session"}
        assert httpx.post(address, json=LISTED, headers=missing).status_code == 404


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_two_clients_at_once(store: Store, mode: str) -> None:
    async def ask(address: str, title: str) -> set[str]:
        asked = {"question": "What is it?", "document": title}
        async with over_http(address, TOKEN, mode=mode) as client:
            results = await asyncio.gather(*(client.call_tool("ask", asked) for _ in range(5)))
            return {values_of(result)["sources"][0]["document"] for result in results}

    async def both(address: str) -> list[set[str]]:
        return await asyncio.gather(*(ask(address, title) for title in ("Marrow", "Ada Quill")))

    with serving(StandIn(store)) as address:
        assert run(both(address)) == [{"Marrow"}, {"Ada Quill"}]


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_a_client_that_goes_away_takes_its_question_along(store: Store, mode: str) -> None:
    answerer = SlowAnswerer(store)

    async def leave(address: str) -> None:
        async with over_http(address, TOKEN, mode=mode) as client:
            asking = asyncio.ensure_future(client.call_tool("ask", ASKED))
            while not answerer.at_work.is_set():
                await asyncio.sleep(0.01)
            asking.cancel()

    async def steps_left_behind() -> int:
        before = -1
        while before != answerer.done:
            before = answerer.done
            await asyncio.sleep(0.5)
        return before

    with serving(answerer) as address:
        run(leave(address))
        assert run(steps_left_behind()) < answerer.steps


@contextmanager
def served_over_http(folder: Path, *options: str | Path) -> Iterator[tuple[Any, str, str]]:
    """``lacuna mcp --http`` in a process of its own: that, its address and its token."""
    settings = started(folder, "--http", "127.0.0.1:0", "--corpus", notes_in(folder), *options)
    with subprocess.Popen(
        [settings.command, *settings.args], stdout=subprocess.PIPE, text=True, env=settings.env
    ) as running:
        assert running.stdout is not None
        try:
            line = running.stdout.readline()
            printed = PRINTED.match(
                line if "--no-token" in options else line + running.stdout.readline()
            )
            assert printed
            yield running, printed[1], printed[2] or ""
        finally:
            running.kill()


def test_the_command_serves_who_has_its_token(tmp_path: Path) -> None:
    async def session(address: str, token: str) -> str:
        async with over_http(address, token) as client:
            return text_of(await client.call_tool("read_document", {"document": "Marrow"}))

    with served_over_http(tmp_path, "--token-file", tmp_path / "token") as (
        running,
        address,
        token,
    ):
        assert (tmp_path / "token").read_text().strip() == token
        assert "The Marrow is a ferry." in run(session(address, token))
        running.send_signal(signal.SIGTERM)
        assert running.wait(30) in (0, 143, -signal.SIGTERM)


def test_without_a_token_everybody_is_served(tmp_path: Path) -> None:
    async def session(address: str) -> int:
        async with over_http(address) as client:
            return len((await client.list_tools()).tools)

    with served_over_http(tmp_path, "--no-token") as (_, address, _token):
        assert run(session(address)) == 6
