"""Several servers behind nginx, of which one is killed and one is told to end while people ask.

All of it runs on this machine: Redis (or --postgres), the servers over the demo corpus, nginx with
the configuration of deploy/, and clients that each ask their next question when they have the
answer to the last. Afterwards every answer that a client got is asked for again.

    python -m benchmarks replicas --servers 3 --clients 8 --seconds 30
"""

from __future__ import annotations

import http.client
import json
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from statistics import median, quantiles
from typing import Any

from benchmarks.collecting.own_postgres import new_postgres_database, own_postgres
from benchmarks.load.clients import questions
from benchmarks.load.own_server import OwnServer, own_server
from benchmarks.registry import command
from benchmarks.serving.own_nginx import own_nginx
from benchmarks.serving.own_redis import own_redis
from lacuna.web.sessions import new_token

LONGEST = 120
"""Seconds after which a request counts as lost."""
Bodies = Sequence[dict[str, str]]
COLUMNS = "| answered | told to come again (503) | lost | p50 | p95 | forgotten |"


@dataclass
class Crowd:
    """What the clients saw, and the answers that they got."""

    seconds: list[float] = field(default_factory=list)
    answers: list[dict[str, Any]] = field(default_factory=list)
    told: int = 0
    lost: list[str] = field(default_factory=list)


@contextmanager
def replicas(
    count: int,
    token: str,
    keep_in: str,
    options: Sequence[str] = (),
    settings: Mapping[str, str] | None = None,
) -> Iterator[tuple[int, list[OwnServer]]]:
    """The port of nginx, and the servers behind it."""
    environment = {"LACUNA_TOKEN": token, "LACUNA_KEEP_IN": keep_in, "LACUNA_THREADS": "1"}
    with ExitStack() as stack:
        environment.update(settings or {})
        servers = [stack.enter_context(own_server(options, environment)) for _ in range(count)]
        yield stack.enter_context(own_nginx([server.port for server in servers])), servers


def request(port: int, token: str, path: str, body: object = None) -> tuple[int, Any, float]:
    """The status, the JSON, and after how many seconds to come again."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=LONGEST)
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {token}"}
    try:
        sent = None if body is None else json.dumps(body)
        connection.request("GET" if sent is None else "POST", path, sent, headers)
        response = connection.getresponse()
        return response.status, json.load(response), float(response.headers.get("Retry-After", 0))
    finally:
        connection.close()


def _ask(
    port: int, token: str, clients: int, crowd: Crowd, bodies: Bodies, over: threading.Event
) -> None:
    """Each client asks its next question when it has its answer, and comes again if told to."""

    def client(number: int) -> None:
        while not over.is_set():
            body = bodies[number % len(bodies)]
            number += clients
            begun = time.monotonic()
            try:
                status, answer, again = request(port, token, "/api/v1/ask", body)
            except (OSError, http.client.HTTPException, ValueError) as error:
                crowd.lost.append(repr(error))
                continue
            if status == 200:
                crowd.seconds.append(time.monotonic() - begun)
                crowd.answers.append(answer)
            elif status == 503 and again:
                crowd.told += 1
                time.sleep(min(again, 1.0))
            else:
                crowd.lost.append(f"{status} {answer}")

    with ThreadPoolExecutor(clients) as people:
        list(people.map(client, range(clients)))


def forgotten(port: int, token: str, answers: Sequence[dict[str, Any]]) -> list[str]:
    """The ids of answers that a server does not give again as they were."""
    lost = []
    for answer in answers:
        status, dialog, _ = request(port, token, f"/api/v1/answers/{answer['id']}")
        if status != 200 or dialog["answers"][-1] != answer:
            lost.append(answer["id"])
    return lost


def main(arguments: Sequence[str]) -> None:
    """Run it, and print a table."""
    parser = command("replicas", __doc__)
    parser.add_argument("--servers", type=int, default=3)
    parser.add_argument("--clients", type=int, default=8)
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--postgres", action="store_true", help="instead of Redis")
    options = parser.parse_args(arguments)
    token = new_token()
    with ExitStack() as stack:
        if options.postgres:
            keep_in = new_postgres_database(stack.enter_context(own_postgres()), "kept")
        else:
            keep_in = stack.enter_context(own_redis()).url
        port, servers = stack.enter_context(replicas(options.servers, token, keep_in))
        for server in servers:
            request(server.port, token, "/api/v1/ask", questions()[0])  # the first one is slower
        print(f"| servers {COLUMNS}\n|---|{'---:|' * 6}")
        for happening in ("all", "one killed", "one told to end"):
            crowd = Crowd()
            with asking(port, token, options.clients, crowd, questions()):
                time.sleep(options.seconds / 2)
                if happening == "one killed":
                    servers.pop().process.kill()
                elif happening == "one told to end":
                    servers.pop().process.terminate()
                time.sleep(options.seconds / 2)
            print(_row(happening, crowd, forgotten(servers[0].port, token, crowd.answers)))


@contextmanager
def asking(port: int, token: str, clients: int, crowd: Crowd, bodies: Bodies) -> Iterator[None]:
    """Clients ask as long as the block takes, and get the answer to their last question."""
    over = threading.Event()
    with ThreadPoolExecutor(1) as crowds:
        done = crowds.submit(_ask, port, token, clients, crowd, bodies, over)
        try:
            yield
        finally:
            over.set()
        done.result()


def _row(happening: str, crowd: Crowd, gone: Sequence[str]) -> str:
    p95 = quantiles(crowd.seconds, n=20, method="inclusive")[-1]
    lost = "".join(f"\nLost: {problem}" for problem in crowd.lost[:5])
    return (
        f"| {happening} | {len(crowd.answers)} | {crowd.told} | {len(crowd.lost)} "
        f"| {median(crowd.seconds):.2f} s | {p95:.2f} s | {len(gone)} |{lost}"
    )
