"""What takes long to work out is worked out rarely, however often it is looked at."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Generic, TypeVar

Value = TypeVar("Value")
SHARE = 60
"""A value is kept for so many times the seconds that it took: a second, then a minute of rest."""


class KeptWhileCostly(Generic[Value]):
    """A value that may be a little old: as old as it is dear."""

    def __init__(
        self, make: Callable[[], Value], steady: Callable[[], float] = time.monotonic
    ) -> None:
        self._make = make
        self._steady = steady
        self._lock = threading.Lock()
        self._kept: tuple[Value, float] | None = None

    def __call__(self) -> Value:
        """The value; who asks while it is being made waits for the same one."""
        with self._lock:
            begun = self._steady()
            if self._kept is not None and begun < self._kept[1]:
                return self._kept[0]
            value = self._make()
            ended = self._steady()
            self._kept = (value, ended + SHARE * (ended - begun))
            return value
