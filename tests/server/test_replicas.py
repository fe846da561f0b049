"""Servers behind nginx: one is killed, one is told to end, and nobody loses an answer."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import httpx
import pytest
from benchmarks.load.clients import questions
from benchmarks.load.own_server import OwnServer
from benchmarks.serving.own_nginx import nginx_command
from benchmarks.serving.own_redis import own_redis
from benchmarks.serving.replicas import Crowd, asking, forgotten, replicas, request

from lacuna.errors import LacunaError

TOKEN = "a-token-for-the-replicas"


@pytest.fixture
def running() -> Iterator[tuple[int, list[OwnServer]]]:
    with ExitStack() as stack:
        try:
            redis = stack.enter_context(own_redis())
            opened = stack.enter_context(
                replicas(3, TOKEN, redis.url, settings={"LACUNA_DRAIN": "20"})
            )
        except LacunaError as error:  # without Redis or nginx
            pytest.skip(str(error))
        yield opened


def wait_for_answers(crowd: Crowd, count: int) -> None:
    end = time.monotonic() + 300
    while len(crowd.answers) < count:
        assert time.monotonic() < end, crowd.lost
        time.sleep(0.05)


def test_nothing_is_lost_with_a_server(running: tuple[int, list[OwnServer]]) -> None:
    port, servers = running
    crowd = Crowd()
    with asking(port, TOKEN, 3, crowd, questions()):
        wait_for_answers(crowd, 2)
        servers[0].process.kill()
        wait_for_answers(crowd, 5)
        servers[1].process.terminate()
        wait_for_answers(crowd, 8)
    assert crowd.lost == []
    for server_port in (port, servers[2].port):
        assert forgotten(server_port, TOKEN, crowd.answers) == []
    servers[1].process.wait(30)
    first = crowd.answers[0]
    follow_up = {**questions()[0], "after": first["id"]}
    status, answer, _ = request(port, TOKEN, "/api/v1/ask", follow_up)
    assert (status, answer["after"]) == (200, first["id"])
    got = httpx.get(
        f"http://127.0.0.1:{port}/metrics", headers={"Authorization": f"Bearer {TOKEN}"}
    )
    assert got.status_code == 404, "each server has its own"


def test_the_configuration_of_nginx_is_sound(tmp_path: Path) -> None:
    try:
        words = nginx_command(tmp_path, 18080, ["127.0.0.1:18421", "127.0.0.1:18422"])
    except LacunaError as error:
        pytest.skip(str(error))
    ran = subprocess.run([*words, "-t", "-g", "pid nginx.pid;"], capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
