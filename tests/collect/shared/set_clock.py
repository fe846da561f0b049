"""Time as a test sets it, and how a test gets its work."""

from __future__ import annotations

from collections.abc import Callable

from lacuna_collect.database.engine import CollectClock
from lacuna_collect.work.work import Work

MakeWork = Callable[..., Work]


class SetClock:
    """A clock that stands still until it is set."""

    def __init__(self) -> None:
        self.wall = 1_800_000_000.0
        self.steady = 0.0
        self.clock = CollectClock(lambda: self.wall, lambda: self.steady)

    def pass_minutes(self, minutes: float) -> None:
        """Let time go by."""
        self.wall += minutes * 60
        self.steady += minutes * 60
