"""A clock that never runs backwards, whatever is done to the machine's."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable


class CollectClock:
    """Seconds since 1970, never less than any time that it told or was told of before.

    After the machine's clock was set back, it goes on from where it was at the usual speed, so that
    no lease ends early and none lasts for ever.
    """

    def __init__(
        self,
        wall: Callable[[], float] = time.time,
        steady: Callable[[], float] = time.monotonic,
    ) -> None:
        self._wall = wall
        self._steady = steady
        self._lock = threading.Lock()
        self._last = float("-inf")
        self._measured = steady()

    def now(self, seen: float = 0.0) -> float:
        """The present time; ``seen`` is the latest that is written down."""
        with self._lock:
            measured = self._steady()
            elapsed = max(measured - self._measured, 0.0)
            self._last = max(self._wall(), self._last + elapsed, seen)
            self._measured = measured
            return self._last
