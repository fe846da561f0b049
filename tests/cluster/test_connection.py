"""A cluster that cannot be reached is told in one paragraph."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from .mortal_cluster import mortal_cluster

pytest.importorskip("ray")


@pytest.fixture
def asked(squad: Any, tmp_path: Path) -> tuple[str | Path, ...]:
    return ("predict", "squad", squad(["Who?"]), "-o", tmp_path / "pred.json")


@pytest.mark.parametrize(
    ("address", "told"),
    [
        ("ray://localhost:10001", "on a machine of the cluster"),
        ("nowhere", "is no address of a Ray cluster"),
        ("127.0.0.1:{free}", "does not answer"),
    ],
)
def test_addresses(lacuna: Any, asked: tuple[str, ...], address: str, told: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        free = server.getsockname()[1]
    ran = lacuna(*asked, ray=address.format(free=free))
    assert ran.code == 2
    assert told in ran.err
    assert "Traceback" not in ran.err


def test_without_the_extra(
    lacuna: Any, asked: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    ran = lacuna(*asked, ray="auto")
    assert ran.code == 2
    assert "pip install 'lacuna-qa[scale]'" in ran.err


def test_a_machine_without_a_token_is_told(asked: tuple[str, ...], tmp_path: Path) -> None:
    """In a process of its own, at whose home there is none."""
    own = {name: value for name, value in os.environ.items() if name != "RAY_AUTH_TOKEN"}
    with socket.create_server(("127.0.0.1", 0)) as server:
        head = f"127.0.0.1:{server.getsockname()[1]}"
        ran = subprocess.run(
            [sys.executable, "-m", "lacuna", *map(str, asked)],
            env={**own, "LACUNA_RAY": head, "RAY_AUTH_MODE": "token", "HOME": str(tmp_path)},
            capture_output=True,
            text=True,
        )
    assert ran.returncode == 2
    assert "this machine has no token" in ran.stderr
    assert "Traceback" not in ran.stderr


ASKS_THE_HEAD = """
import sys
from lacuna_scale.cluster.connection import HeadGoneError, connected

try:
    with connected(sys.argv[1]) as cluster:
        print(len(cluster.machines), flush=True)
        sys.stdin.readline()
        cluster.machines
except HeadGoneError as error:
    print(error, flush=True)
"""


@pytest.mark.usefixtures("cache")
def test_a_head_that_is_lost_while_it_is_asked_is_told() -> None:
    """Ray itself would end the process."""
    with mortal_cluster() as mortal:
        running = subprocess.Popen(
            [sys.executable, "-c", ASKS_THE_HEAD, mortal.address],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert running.stdout
        assert running.stdout.readline() == "2\n"
        mortal.end_head()
        time.sleep(1)
        told, _ = running.communicate("go on\n", timeout=120)
    assert "does not answer" in told
    assert running.returncode == 0


TOKEN_SESSION = """
import json, os, subprocess, sys
from ray.cluster_utils import Cluster

store = {"object_store_memory": 80 << 20}
head = {"num_cpus": 1, "include_dashboard": False, **store}
cluster = Cluster(initialize_head=True, head_node_args=head)
asked = [sys.executable, "-m", "lacuna", *sys.argv[1:]]
os.environ["LACUNA_RAY"] = cluster.address
told = []
for token in (None, "0" * 64):
    more = {} if token is None else {"RAY_AUTH_TOKEN": token}
    ran = subprocess.run(asked, env={**os.environ, **more}, capture_output=True, text=True)
    told.append([ran.returncode, ran.stderr])
cluster.shutdown()
print(json.dumps(told))
"""


def test_who_has_another_token_gets_nothing(asked: tuple[str, ...], cache: Path) -> None:
    """In a process of its own: Ray looks once whether tokens are wanted."""
    token = {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": "ab" * 32}
    ran = subprocess.run(
        [sys.executable, "-c", TOKEN_SESSION, *map(str, asked), "--system", "abstain"],
        env={**os.environ, **token, "RAY_USAGE_STATS_ENABLED": "0"},
        capture_output=True,
        text=True,
        check=True,
    )
    (code, told), (other_code, other_told) = json.loads(ran.stdout.splitlines()[-1])
    assert code == 0, told
    assert other_code == 2
    assert "this machine must have the same (RAY_AUTH_MODE=token)" in other_told
    assert "ab" * 32 not in other_told
    assert other_told.count("\n") == 1, "one paragraph, and no word of Ray's own"
