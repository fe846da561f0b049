"""Standard input, line by line, read so that nothing waits for it at the end.

The package of the protocol reads it in a thread that cannot be given up: Ctrl+C, and SIGTERM from
an assistant that ends, would wait for a line that never comes.
"""

from __future__ import annotations

import asyncio
import os
import threading

CHUNK = 1 << 16


class StdinLines:
    """The lines of standard input as they come; to be made in the loop that reads them."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._lines: asyncio.Queue[str | None] = asyncio.Queue()
        self._descriptor = _taken_over()
        threading.Thread(target=self._read, name="input", daemon=True).start()

    def __aiter__(self) -> StdinLines:
        return self

    async def __anext__(self) -> str:
        line = await self._lines.get()
        if line is None:
            raise StopAsyncIteration
        return line

    def _read(self) -> None:
        begun = b""
        # Straight from the system: a buffered reader is locked while it waits, and Python cannot
        # end then.
        while chunk := os.read(self._descriptor, CHUNK):
            *whole, begun = (begun + chunk).split(b"\n")
            for line in whole:
                self._put(line.decode("utf-8", "replace"))
        if begun.strip():
            self._put(begun.decode("utf-8", "replace"))
        self._put(None)

    def _put(self, line: str | None) -> None:
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._lines.put_nowait, line)


def _taken_over() -> int:
    """What standard input was; from now on it is empty for everything else, child processes too."""
    own = os.dup(0)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    return own
