"""One worker who opens sockets without end takes room from nobody but himself."""

from __future__ import annotations

import resource
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from pathlib import Path

import httpx
import pytest
from benchmarks.collecting.killed_server import KilledServer
from live_person import LivePerson
from quac_site import let_in, make_quac_project, quac_app
from raw_client import wait_until
from stand_in import listening
from websockets.exceptions import ConnectionClosed, InvalidHandshake
from websockets.sync.client import ClientConnection, connect

from lacuna.web.limits import Limits
from lacuna.web.listening import SOCKETS_A_PERSON
from lacuna_collect.project import CollectProject

FILES = 200
TRIED = 300


@contextmanager
def with_few_files(server: KilledServer) -> Iterator[str]:
    """The address of a server that may open few files; this process may open as many as before."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (FILES, hard))
    try:
        server.start()
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    try:
        yield f"http://127.0.0.1:{server.port}"
    finally:
        server.stop()


def opened(address: str, token: str, held: ExitStack, times: int) -> list[ClientConnection]:
    """Open so many sockets with one cookie, and say nothing on them; those that were let in."""
    cookie = {"Cookie": f"lacuna-collect-{address.rpartition(':')[2]}={token}"}
    at = address.replace("http://", "ws://") + "/collect/api/live/quac-dialogs"
    found = []
    for _ in range(times):
        with suppress(OSError, InvalidHandshake):  # a time-out, too
            one = connect(at, additional_headers=cookie, open_timeout=20, close_timeout=0.1)
            found.append(held.enter_context(one))
    return found


def is_open(one: ClientConnection) -> bool:
    try:
        one.recv(timeout=0)
    except TimeoutError:
        return True
    except ConnectionClosed:
        return False
    return True


def test_one_cookie_and_hundreds_of_sockets(tmp_path: Path) -> None:
    project = make_quac_project(tmp_path)
    rude, _, _ = let_in(project, "Rude")
    (ada, ada_csrf, _), (ben, ben_csrf, _) = let_in(project, "Ada"), let_in(project, "Ben")
    project.close()
    server = KilledServer(project.folder, tmp_path / "log")
    with ExitStack() as held, with_few_files(server) as address:
        opened(address, rude, held, TRIED)
        assert httpx.get(f"{address}/collect/", timeout=20).status_code == 200
        one = LivePerson(address, ada, ada_csrf)
        held.callback(one.close)
        other = LivePerson(address, ben, ben_csrf)
        held.callback(other.close)
        one.hello()
        other.begin()
        one.get("dialog")
    log = (tmp_path / "log").read_text()
    assert "Traceback" not in log
    assert len(log) < 10_000


@pytest.fixture
def project(tmp_path: Path) -> Iterator[CollectProject]:
    made = make_quac_project(tmp_path)
    yield made
    made.close()


def test_who_opens_too_many_loses_the_oldest(project: CollectProject) -> None:
    rude, _, _ = let_in(project, "Rude")
    other, _, _ = let_in(project, "Ada")
    with listening(quac_app(project)) as address, ExitStack() as held:
        (kept,) = opened(address, other, held, 1)
        mine = opened(address, rude, held, 20)
        assert len(mine) == 20
        wait_until(lambda: sum(map(is_open, mine)) == SOCKETS_A_PERSON)
        still = [number for number, one in enumerate(mine) if is_open(one)]
        assert still == list(range(20 - len(still), 20))
        assert is_open(kept)


def test_sockets_leave_room_for_pages(project: CollectProject) -> None:
    app = quac_app(project)
    limits = Limits(connections=40, connections_per_address=16)
    app.state.services = replace(app.state.services, limits=limits)
    people = [let_in(project, f"Person {number}")[0] for number in range(20)]
    with listening(app) as address, ExitStack() as held:
        sockets = [one for token in people for one in opened(address, token, held, 1)]
        assert len(sockets) == 12
        assert all(map(is_open, sockets))
        for _ in range(5):
            assert httpx.get(f"{address}/collect/", timeout=20).status_code == 200
        for one in sockets[:3]:
            one.close()
        assert len(opened(address, people[-1], held, 1)) == 1
