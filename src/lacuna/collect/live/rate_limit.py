"""How much one connection may send: a few messages at once, and not many a second for long."""

from __future__ import annotations

AT_ONCE = 30
A_SECOND = 10


class MessageRate:
    """A bucket that fills with time, and that every message takes from."""

    def __init__(self, now: float) -> None:
        self._left = float(AT_ONCE)
        self._at = now

    def allows(self, now: float) -> bool:
        """Count a message; whether it may still be looked at."""
        self._left = min(AT_ONCE, self._left + (now - self._at) * A_SECOND)
        self._at = now
        if self._left < 1:
            return False
        self._left -= 1
        return True
