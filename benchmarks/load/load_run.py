"""A server under load: many clients for a while, alone and among rude ones.

The server is started here, over the demo corpus. First clients ask, each its next question when it
has the answer to the last; then a few do so while others hold connections with half-sent headers
and with bodies that drip; then beside idle connections; and at last many upload at once.

    python -m benchmarks load --clients 50 200 --seconds 60
"""

from __future__ import annotations

import resource
import threading
import time
from collections.abc import Sequence

from benchmarks.load.clients import HEAD, ask, crowd, questions
from benchmarks.load.idle_clients import IdleClients
from benchmarks.load.own_server import OwnServer, own_server
from benchmarks.load.rude_clients import RudeClients
from benchmarks.load.uploads import uploads_at_once
from benchmarks.registry import command

FILES = 4_096
"""Connections that this process may need to open."""


def main(arguments: Sequence[str]) -> None:
    """Ask, and print the figures as tables."""
    parser = command("load", __doc__)
    parser.add_argument("--clients", type=int, nargs="*", default=[50, 200])
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--half-sent", type=int, default=1_200, help="headers that never end")
    parser.add_argument("--slow-bodies", type=int, default=200, help="bodies that drip")
    parser.add_argument("--idle", type=int, default=200, help="connections that say nothing")
    parser.add_argument("--uploads", type=int, default=20, help="at once")
    parser.add_argument("--workers", default="1", help="of the server")
    options = parser.parse_args(arguments)
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(FILES, most), most))
    with own_server([], {"LACUNA_WORKERS": options.workers}) as server:
        ask(server, questions()[0])  # what is loaded for the first one
        print(f"{HEAD} | memory before and after | log")
        for clients in options.clients:
            under_load(server, clients, options.seconds)
        among_rude(server, options.half_sent, options.slow_bodies, options.seconds)
        beside_idle(server, options.idle, options.seconds)
        while_uploading(server, options.uploads)


def under_load(server: OwnServer, clients: int, seconds: float) -> None:
    """Many polite clients."""
    before, logged = server.megabytes(), server.logged()
    seen = crowd(server, clients, seconds)
    print(f"{clients} | {seen.line(seconds)} | {_taken(server, before, logged)}", flush=True)


def among_rude(server: OwnServer, headers: int, bodies: int, seconds: float) -> None:
    """Five polite clients among many rude ones."""
    before, logged = server.megabytes(), server.logged()
    rude = RudeClients(server)
    rude.open(headers, bodies)
    dripping = threading.Thread(target=rude.drip, args=(seconds,))
    dripping.start()
    seen = crowd(server, 5, seconds)
    dripping.join()
    rude.close()
    print(f"5 among rude ones | {seen.line(seconds)} | {_taken(server, before, logged)}")
    opened = ", ".join(f"{count:,} {kind}" for kind, count in rude.opened.items())
    print(f"Opened by the rude ones: {opened}.", flush=True)


def beside_idle(server: OwnServer, idle: int, seconds: float) -> None:
    """Five polite clients beside many that only hold a connection."""
    before, logged = server.megabytes(), server.logged()
    with IdleClients(server, idle) as clients:
        seen = crowd(server, 5, seconds)
        answered = clients.answered()
    taken = _taken(server, before, logged)
    print(f"5 beside {idle} idle ones | {seen.line(seconds)} | {taken}")
    print(
        f"The idle ones: {clients.opened:,} connections opened for {idle} that are held, "
        f"{clients.refused} of them refused; {answered} of {idle} were answered at the end.",
        flush=True,
    )


def while_uploading(server: OwnServer, uploads: int) -> None:
    """Many uploads at once; the seconds are those of an upload."""
    before, logged = server.megabytes(), server.logged()
    began = time.monotonic()
    seen = uploads_at_once(server, uploads)
    took = time.monotonic() - began
    taken = _taken(server, before, logged)
    print(f"{uploads} uploads at once | {seen.line(took)} | {taken}", flush=True)


def _taken(server: OwnServer, before: float, logged: int) -> str:
    return (
        f"{before:.0f} → {server.megabytes():.0f} MB | {(server.logged() - logged) / 1024:.1f} kB"
    )
