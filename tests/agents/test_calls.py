"""Calls: their progress, their end when nobody waits, and many of them at once."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path
from typing import Any

import anyio
import pytest
from agent_parts import SlowAnswerer, run, server_over, store_of, text_of, values_of
from mcp import Client
from stand_in import StandIn

from lacuna.corpus.open import Progress
from lacuna.corpus.store import Store
from lacuna.errors import LacunaError
from lacuna.mcp.documents import Library
from lacuna.mcp.server import LibraryOpening, ToolCalls, make_server
from lacuna.web.limits import Limits

ASKED = {"question": "What is the Marrow?", "document": "Marrow"}


async def stands_still(answerer: SlowAnswerer) -> int:
    """How many steps it has done when it does no more."""
    while True:
        before = answerer.done
        await asyncio.sleep(0.5)
        if answerer.done == before:
            return before


def test_progress_is_told_step_by_step(store: Store) -> None:
    told: list[tuple[float, str | None]] = []

    async def note(progress: float, total: float | None, message: str | None) -> None:
        told.append((progress, message))

    async def ask() -> None:
        async with Client(server_over(SlowAnswerer(store, steps=5))) as client:
            await client.call_tool("ask", ASKED, progress_callback=note)

    run(ask())
    assert told == [(number, f"Step {number}.") for number in range(1, 6)]


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_a_call_that_is_cancelled_stops(store: Store, mode: str) -> None:
    answerer = SlowAnswerer(store)

    async def give_up() -> int:
        async with Client(server_over(answerer), mode=mode) as client:
            with anyio.move_on_after(0.3):
                await client.call_tool("ask", ASKED)
            steps = await stands_still(answerer)
            await client.call_tool("search", {"query": "ferry"})  # and it goes on with others
            return steps

    assert 0 < run(give_up()) < answerer.steps


def test_a_client_that_goes_away_takes_its_question_along(store: Store) -> None:
    answerer = SlowAnswerer(store)

    async def leave() -> int:
        async with Client(server_over(answerer), mode="legacy") as client:
            asking = asyncio.ensure_future(client.call_tool("ask", ASKED))
            while not answerer.at_work.is_set():
                await asyncio.sleep(0.01)
        asking.cancel()
        return await stands_still(answerer)

    assert 0 < run(leave()) < answerer.steps


def test_a_question_that_waits_and_is_given_up_is_never_asked(store: Store) -> None:
    answerer = SlowAnswerer(store, steps=40)

    async def ask() -> None:
        async with Client(server_over(answerer)) as client:
            first = asyncio.ensure_future(client.call_tool("ask", ASKED))
            while not answerer.at_work.is_set():
                await asyncio.sleep(0.01)
            with anyio.move_on_after(0.1):
                await client.call_tool("ask", {**ASKED, "question": "Another?"})
            values_of(await first)
            await asyncio.sleep(0.2)

    run(ask())
    assert [query.question for query in answerer.asked] == [ASKED["question"]]


def test_lookups_do_not_wait_for_questions(store: Store) -> None:
    answerer = SlowAnswerer(store)

    async def look_up() -> int:
        async with Client(server_over(answerer)) as client:
            asking = asyncio.ensure_future(client.call_tool("ask", ASKED))
            values_of(await client.call_tool("read_document", {"document": "Marrow"}))
            asking.cancel()
            return answerer.done

    assert run(look_up()) < answerer.steps


def test_more_questions_than_there_is_room_for_are_refused(store: Store) -> None:
    async def ask() -> list[str]:
        async with Client(server_over(SlowAnswerer(store, steps=10), waiting=1)) as client:
            results = await asyncio.gather(*(client.call_tool("ask", ASKED) for _ in range(4)))
            return [text_of(result) for result in results if result.is_error]

    refused = run(ask())
    assert len(refused) == 2
    assert all("Try again" in words for words in refused)


def test_two_clients_at_once_get_their_own_answers(store: Store) -> None:
    server = server_over(StandIn(store))

    async def ask(title: str) -> set[str]:
        async with Client(server) as client:
            asked = {"question": "What is it?", "document": title}
            results = await asyncio.gather(*(client.call_tool("ask", asked) for _ in range(8)))
            return {values_of(result)["sources"][0]["document"] for result in results}

    async def both() -> list[set[str]]:
        return await asyncio.gather(*map(ask, ("Marrow", "Ada Quill")))

    assert run(both()) == [{"Marrow"}, {"Ada Quill"}]


def test_what_is_broken_is_logged_and_not_told(
    store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    class Broken(StandIn):
        def ask(self, *_: Any, **__: Any) -> Any:
            raise RuntimeError("a secret")

    async def ask() -> str:
        async with Client(server_over(Broken(store))) as client:
            result = await client.call_tool("ask", ASKED)
            assert result.is_error
            return text_of(result)

    assert "a secret" not in run(ask())
    assert "a secret" in caplog.text


class Opening:
    """A corpus that is opened when the test lets it."""

    def __init__(self, folder: Path, error: str = "", read: int = 3) -> None:
        self.folder = folder
        self.error = error
        self.read = read
        self.may_open = threading.Event()

    def __call__(self, progress: Progress) -> Library:
        progress(self.read, 40)
        assert self.may_open.wait(60)
        if self.error:
            raise LacunaError(self.error)
        return Library(StandIn(store_of(self.folder)), True)


def call_while_opening(opening: Opening, seconds: float) -> tuple[str, list[str | None]]:
    server = make_server(ToolCalls(LibraryOpening(opening), 1, Limits()), "notes")
    told: list[str | None] = []

    async def note(progress: float, total: float | None, message: str | None) -> None:
        told.append(message)

    async def call() -> str:
        async with Client(server) as client:
            assert len((await client.list_tools()).tools) == 6  # without the corpus
            asyncio.get_running_loop().call_later(seconds, opening.may_open.set)
            result = await client.call_tool("list_documents", {}, progress_callback=note)
            return text_of(result)

    return run(call()), told


def test_a_call_waits_for_a_corpus_that_is_being_read(tmp_path: Path) -> None:
    text, told = call_while_opening(Opening(tmp_path), 2.5)
    assert "Marrow" in text
    assert "The documents are being read: 3 of 40 files so far." in told


def test_what_comes_after_reading_is_told_too(tmp_path: Path) -> None:
    _, told = call_while_opening(Opening(tmp_path, read=40), 2.5)
    assert "All 40 files are read; now their documents are linked and indexed." in told


def test_a_corpus_that_cannot_be_opened_is_told_with_every_call(tmp_path: Path) -> None:
    text, _ = call_while_opening(Opening(tmp_path, "The disk is full."), 0)
    assert text == "The disk is full."
