"""Attacks go on for a while with random hostile input; what one finds can be made to come again.

``LACUNA_ATTACK_SECONDS`` is how long each attack lasts: minutes in ``make attack``, with new seeds
every time. Without it, as in ``make test``, it is a few seconds with the same seeds again: a change
must not fail for what chance has found. Every round has a seed of its own, which a failure shows;
``LACUNA_ATTACK_SEED`` runs that round alone. What was found is made small and kept as a test of its
own.
"""

from __future__ import annotations

import os
import random
import secrets
import time
from collections.abc import Callable, Iterator

import pytest

Rounds = Callable[..., Iterator[random.Random]]
IN_LONG_FORM = "LACUNA_ATTACK_SECONDS" in os.environ
SECONDS = float(os.environ.get("LACUNA_ATTACK_SECONDS", "4"))
MOST_IN_SHORT_FORM = 30


@pytest.fixture
def rounds() -> Rounds:
    """Random generators, one a round, until the time of this attack is over (at least one)."""

    def until_the_end(at_least: int = 1) -> Iterator[random.Random]:
        if given := os.environ.get("LACUNA_ATTACK_SEED"):
            yield random.Random(int(given))
            return
        end = time.monotonic() + SECONDS
        done = 0
        while done < at_least or time.monotonic() < end:
            if not IN_LONG_FORM and done == MOST_IN_SHORT_FORM:
                return
            seed = secrets.randbits(32) if IN_LONG_FORM else done
            print(f"round {done + 1}: LACUNA_ATTACK_SEED={seed}")  # shown where a test fails
            yield random.Random(seed)
            done += 1

    return until_the_end
