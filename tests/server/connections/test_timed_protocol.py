"""Clients that are slow, say nothing, or are too many: over real connections."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace

import httpx
import pytest
from fastapi import Response
from raw_client import HALF, connected, posted, problem, rest, status, wait_until
from stand_in import Site, listening

from lacuna.web.limits import Limits

QUICK = Limits(header_seconds=1, body_idle_seconds=0.5, body_seconds=2, stalled_seconds=1)
MakeSite = Callable[..., Site]


def test_a_header_that_never_ends(make_site: MakeSite) -> None:
    with (
        listening(make_site(limits=QUICK).app) as address,
        connected(address) as half,
        connected(address) as silent,
        connected(address) as slow,
    ):
        half.sendall(HALF)
        assert is_closed_while_dripping(slow)
        answer = rest(half)
        assert (status(answer), problem(answer)["code"]) == (408, "too-slow")
        assert rest(silent) == b""


def is_closed_while_dripping(connection: socket.socket) -> bool:
    """Send byte after byte; whether the server has had enough at some time."""
    end = time.monotonic() + 60
    try:
        while time.monotonic() < end:
            connection.sendall(b"x")
            time.sleep(0.1)
    except OSError:
        return True
    return False


def test_a_body_that_stops(make_site: MakeSite) -> None:
    site = make_site(limits=QUICK)
    with listening(site.app) as address, connected(address) as one:
        one.sendall(posted("/api/v1/ask", b"{", length=100))
        answer = rest(one)
        assert (status(answer), problem(answer)["code"]) == (408, "too-slow")
        assert not site.stand_in.asked


def test_a_body_that_drips(make_site: MakeSite) -> None:
    with listening(make_site(limits=QUICK).app) as address, connected(address) as one:
        one.sendall(posted("/api/v1/ask", b"", length=1_000))
        assert is_closed_while_dripping(one)


def test_who_does_not_take_the_answer(make_site: MakeSite) -> None:
    site = make_site(limits=QUICK)
    site.app.add_api_route("/large", lambda: Response(bytes(30_000_000)))
    with listening(site.app) as address, connected(address) as one:
        one.sendall(b"GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert is_closed_while_dripping(one)
        assert httpx.get(f"{address}/api/v1/server").status_code == 200


def test_slow_answers_are_no_fault(make_site: MakeSite) -> None:
    site = make_site(limits=QUICK)
    site.stand_in.seconds = 3
    with listening(site.app) as address:
        got = httpx.post(f"{address}/api/v1/ask", json={"question": "What?"}, timeout=30)
        assert got.status_code == 200


def test_half_sent_requests_keep_nobody_out(make_site: MakeSite) -> None:
    limits = replace(QUICK, header_seconds=60, connections_per_address=20)
    site = make_site(limits=limits)
    with listening(site.app) as address, ExitStack() as held:
        for _ in range(60):
            one = held.enter_context(connected(address))
            one.sendall(HALF)
        for _ in range(5):
            assert httpx.get(f"{address}/api/v1/server", timeout=5).status_code == 200


def test_no_room_for_more_who_are_answered(make_site: MakeSite) -> None:
    site = make_site(limits=replace(QUICK, connections_per_address=3))
    site.stand_in.may_go_on.clear()
    with listening(site.app) as address, ExitStack() as held:
        asking = [held.enter_context(connected(address)) for _ in range(3)]
        for one in asking:
            one.sendall(posted("/api/v1/ask", b'{"question": "What?"}'))
        queue = site.app.state.services.questions._queue
        wait_until(lambda: len(queue._begun) + len(queue._waiting) == 3)
        with connected(address) as late:
            assert status(rest(late)) == 503
        site.stand_in.may_go_on.set()
        assert [status(rest(one)) for one in asking] == [200] * 3


def test_what_is_no_request(make_site: MakeSite) -> None:
    with listening(make_site(limits=QUICK).app) as address:
        for sent in (b"\0\xff\r\n\r\n", HALF + b"X: " + b"x" * 20_000):
            with connected(address) as one:
                one.sendall(sent)
                answer = rest(one)
                assert (status(answer), problem(answer)["code"]) == (400, "bad-request")


def test_nonsense_in_the_middle_of_a_request(
    make_site: MakeSite, caplog: pytest.LogCaptureFixture
) -> None:
    site = make_site(limits=QUICK)
    site.stand_in.may_go_on.clear()
    body = b'{"question": "What?"}'
    with listening(site.app) as address, connected(address) as first, connected(address) as one:
        first.sendall(posted("/api/v1/ask", body))
        wait_until(lambda: len(site.stand_in.asked) == 1)
        chunked = "Transfer-Encoding: chunked\r\n"
        one.sendall(posted("/api/v1/ask/stream", b"no length\r\n", more=chunked))
        assert status(rest(one)) == 400
        site.stand_in.may_go_on.set()
        assert status(rest(first)) == 200
    assert "Traceback" not in caplog.text
    assert "Fatal error" not in caplog.text
