"""Clients that send half of it, drip, never read, or talk nonsense keep nobody else out."""

from __future__ import annotations

import random
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from pathlib import Path

import httpx
from raw_client import HALF, connected, posted
from stand_in import KNOWN, TOKEN, Site, listening

from lacuna.web.access import Access
from lacuna.web.limits import Limits

Rounds = Callable[[], Iterator[random.Random]]
LIMITS = Limits(
    header_seconds=2,
    body_idle_seconds=1,
    body_seconds=3,
    stalled_seconds=2,
    connections=120,
    connections_per_address=100,
)
KNOWN_LINE = f"Authorization: {KNOWN['Authorization']}\r\n"


def half(rng: random.Random) -> bytes:
    return HALF[: rng.randrange(len(HALF))]


def half_a_body(rng: random.Random) -> bytes:
    path = rng.choice(["/api/v1/ask", "/api/v1/ask/stream", "/api/v1/corpora/upload"])
    return posted(path, b'{"quest', length=rng.choice([20, 60_000]), more=KNOWN_LINE)


def a_body_without_the_token(rng: random.Random) -> bytes:
    return posted("/api/v1/corpora/upload", bytes(100), length=16_000_000)


def nonsense(rng: random.Random) -> bytes:
    return rng.randbytes(rng.randrange(1, 2_000))


def large_headers(rng: random.Random) -> bytes:
    return HALF + b"X: " + b"x" * rng.randrange(100_000)


def a_whole_question(rng: random.Random) -> bytes:
    return posted("/api/v1/ask/stream", b'{"question": "What?"}', more=KNOWN_LINE)


def many_in_one(rng: random.Random) -> bytes:
    return (HALF + b"\r\n") * rng.randrange(2, 50)


RUDE = (
    half,
    half,
    half_a_body,
    a_body_without_the_token,
    nonsense,
    large_headers,
    a_whole_question,
    many_in_one,
)


def test_rude_clients(rounds: Rounds, tmp_path: Path) -> None:
    site = Site(tmp_path, access=Access([TOKEN]), limits=LIMITS)
    with listening(site.app) as address, httpx.Client(headers=KNOWN, timeout=20) as polite:
        for rng in rounds():
            with ExitStack() as held:
                rude: list[socket.socket] = []
                for _ in range(rng.randrange(50, 300)):
                    with suppress(OSError):
                        one = held.enter_context(connected(address))
                        one.sendall(rng.choice(RUDE)(rng))
                        rude.append(one)
                for one in rng.sample(rude, len(rude) // 2):
                    with suppress(OSError):
                        one.sendall(b"x")
                begun = time.monotonic()
                assert polite.get(f"{address}/api/v1/server").status_code == 200
                got = polite.post(f"{address}/api/v1/ask", json={"question": "What?"})
                assert got.status_code in (200, 503), got.text
                assert time.monotonic() - begun < 10
