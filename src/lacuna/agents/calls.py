"""Calls of tools: done by a few workers, with word of their progress, and dropped when given up."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable
from concurrent.futures import Future
from typing import TypeVar

from lacuna.agents.agent_tool import A, AgentTool, R, Told
from lacuna.agents.library import Library
from lacuna.agents.opening import LibraryOpening
from lacuna.server.limits import Limits
from lacuna.server.work_queue import WorkQueue

T = TypeVar("T")
Report = Callable[[str], Awaitable[None]]
"""Sends word of the progress to whoever called."""
LOOK_AGAIN = 0.5
"""Seconds between two looks at how many are ahead."""
LOOKUP_THREADS = 2


class GivenUp(Exception):  # noqa: N818 - nobody sees it: nobody waits any more
    """Ends work that nobody waits for."""


class ToolCalls:
    """Does the calls of all clients: questions in one queue, short lookups in another."""

    def __init__(self, opening: LibraryOpening, workers: int, limits: Limits) -> None:
        self._opening = opening
        questions = WorkQueue(workers, limits.waiting)
        lookups = WorkQueue(LOOKUP_THREADS, limits.waiting)
        self._questions, self._lookups = questions, lookups
        self.queues = (questions, lookups)

    async def call(self, tool: AgentTool[A, R], arguments: A, report: Report) -> R:
        """The result of a tool."""
        queue = self._questions if tool.answers else self._lookups
        return await self._done(
            queue, lambda library, told: tool.run(library, arguments, told), report
        )

    async def look_up(self, work: Callable[[Library], T]) -> T:
        """Something short that is no tool."""
        return await self._done(self._lookups, lambda library, _: work(library), _to_nobody)

    async def _done(
        self, queue: WorkQueue, work: Callable[[Library, Told], T], report: Report
    ) -> T:
        library = await self._opening.wait(report)
        loop = asyncio.get_running_loop()
        words: asyncio.Queue[str | None] = asyncio.Queue()
        given_up = threading.Event()

        def put(word: str | None) -> None:
            if not loop.is_closed():  # a server may have ended while a worker was still at it
                loop.call_soon_threadsafe(words.put_nowait, word)

        def told(word: str) -> None:
            if given_up.is_set():
                raise GivenUp
            if word:
                put(word)

        future = queue.join(lambda: work(library, told))
        future.add_done_callback(lambda _: put(None))
        try:
            await _pass_on(words, queue, future, report)
            return future.result()
        finally:  # a call that is cancelled, or whose client is gone, stops at its next step
            given_up.set()
            queue.leave(future)


async def _pass_on(
    words: asyncio.Queue[str | None], queue: WorkQueue, future: Future[T], report: Report
) -> None:
    """Send on what the work tells until it is done, and how many calls are before it."""
    ahead = None
    while True:
        try:
            word = await asyncio.wait_for(words.get(), LOOK_AGAIN)
        except TimeoutError:
            now_ahead = queue.ahead(future)
            if now_ahead and now_ahead != ahead:
                await report(f"Waiting: {now_ahead} before this one.")
            ahead = now_ahead
            continue
        if word is None:
            return
        await report(word)


async def _to_nobody(_: str) -> None:
    return
