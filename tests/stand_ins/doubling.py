"""Whether something takes time that grows with the square of what it is given.

What it is given is doubled as long as that is quick; times are those of this process alone.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable

SMALLEST, LARGEST = 1 << 10, 1 << 18
WORTH_TIMING = 0.02
SURELY_LINEAR = 0.1
LONG_ENOUGH = 0.5
TOO_FAST = 2.8
"""Times as long for twice as much; linear is two, quadratic is four."""

Read = Callable[[str], object]
Make = Callable[[int], str]


def is_quadratic(read: Read, make: Make, smallest: int = SMALLEST) -> bool:
    """Whether the last two doublings took too long, each time that it is tried."""
    return all(min(growth(read, make, smallest)[-2:], default=0) > TOO_FAST for _ in range(3))


def growth(read: Read, make: Make, smallest: int = SMALLEST) -> list[float]:
    """How many times as long each doubling takes, where it takes long enough to be told."""
    ratios: list[float] = []
    size, before = smallest, 0.0
    while size <= LARGEST:
        took = _seconds(read, make(size))
        if before > WORTH_TIMING:
            ratios.append(took / before)
        linear = took > SURELY_LINEAR and ratios and ratios[-1] < TOO_FAST
        if linear or (took > LONG_ENOUGH and len(ratios) >= 2):
            break
        size, before = 2 * size, took
    return ratios


def _seconds(read: Read, text: str) -> float:
    gc.collect()  # what was read before is not paid for now
    began = time.process_time()
    read(text)
    return time.process_time() - began
