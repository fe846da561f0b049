"""Attacks go on for a while with random hostile input; what one finds can be made to come again.

``LACUNA_ATTACK_SECONDS`` is how long each attack lasts (a few seconds in ``make test``, minutes in
``make attack``). Every round has a seed of its own, which a failure shows; ``LACUNA_ATTACK_SEED``
runs that round alone. What was found is made small and kept as a test of its own.
"""

from __future__ import annotations

import os
import random
import secrets
import time
from collections.abc import Callable, Iterator

import pytest

Rounds = Callable[[], Iterator[random.Random]]
SECONDS = float(os.environ.get("LACUNA_ATTACK_SECONDS", "4"))


@pytest.fixture
def rounds() -> Rounds:
    """Random generators, one a round, until the time of this attack is over (at least one)."""

    def until_the_end() -> Iterator[random.Random]:
        if given := os.environ.get("LACUNA_ATTACK_SEED"):
            yield random.Random(int(given))
            return
        end = time.monotonic() + SECONDS
        done = 0
        while not done or time.monotonic() < end:
            seed = secrets.randbits(32)
            print(f"round {done + 1}: LACUNA_ATTACK_SEED={seed}")  # shown where a test fails
            yield random.Random(seed)
            done += 1

    return until_the_end
