"""Look again and again at something; a look that fails is logged, and the next one comes."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress

from lacuna.errors import LacunaError

LOG = logging.getLogger(__name__)


class Ticking:
    """Looks every few seconds from ``start`` to ``stop``."""

    def __init__(self, look: Callable[[], Awaitable[None]], seconds: float) -> None:
        self._look = look
        self._seconds = seconds
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin to look."""
        self._task = asyncio.create_task(self._look_on())

    async def stop(self) -> None:
        """Look no more."""
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task

    async def _look_on(self) -> None:
        while True:
            await asyncio.sleep(self._seconds)
            await unharmed(self._look())


async def unharmed(look: Awaitable[None]) -> None:
    """Wait for something, and only log what goes wrong with it."""
    try:
        await look
    except LacunaError as error:  # the database is away: it is tried again
        LOG.warning("%s", error)
    except Exception:
        LOG.exception("A look at the dialogs failed.")
