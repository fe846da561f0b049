"""A real Ray cluster on this machine: a head, and nodes that are processes of their own."""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

# Not in a fixture: Ray looks once, when it is loaded, whether tokens are wanted.
os.environ.update({"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": secrets.token_hex(32)})

HERE = Path(__file__).parent
STORE = 80 << 20
"""Bytes of shared memory for each node; Ray wants no fewer."""


class LocalCluster:
    """Nodes with one core each; the head has none, so that it never works."""

    def __init__(self) -> None:
        from ray.cluster_utils import Cluster

        self._cluster = Cluster(
            initialize_head=True,
            head_node_args={
                "num_cpus": 0, "object_store_memory": STORE, "include_dashboard": False,
            },
        )  # fmt: skip
        self.nodes: list[Any] = []
        self.grow(2)

    @property
    def address(self) -> str:
        return str(self._cluster.address)

    def grow(self, nodes: int) -> None:
        for _ in range(nodes - len(self.nodes)):
            self.nodes.append(_patiently(self._added))

    def _added(self) -> Any:
        return self._cluster.add_node(num_cpus=1, object_store_memory=STORE, wait=True)

    def kill_a_node(self, node_id: str | None = None) -> None:
        """The newest, or the one of that id; at once, with all that runs on it."""
        places = [n for n, node in enumerate(self.nodes) if node_id in (None, node.node_id)]
        self._cluster.remove_node(self.nodes.pop(places[-1]), allow_graceful=False)

    def renew(self) -> None:
        """Two other nodes, with the environment that this process has by now."""
        while self.nodes:
            self.kill_a_node()
        self.grow(2)

    def workers(self) -> int:
        """How many processes work on the nodes."""
        raylets = {node.all_processes["raylet"][0].process.pid for node in self.nodes}
        return sum(
            _parent_if_worker(process) in raylets for process in Path("/proc").glob("[0-9]*")
        )

    def end(self) -> None:
        self._cluster.shutdown()


def _patiently(start: Callable[[], Any]) -> Any:
    """On a busy machine, Ray may be too impatient with its own head and nodes."""
    for _ in range(3):
        with suppress(Exception):
            return start()
    return start()


def _parent_if_worker(process: Path) -> int | None:
    with suppress(OSError):  # it may have ended
        if (process / "cmdline").read_bytes().startswith(b"ray::Worker"):
            return int((process / "stat").read_text().rpartition(")")[2].split()[1])
    return None


@pytest.fixture(scope="session")
def whole_cluster(cache: Path) -> Iterator[LocalCluster]:
    pytest.importorskip("ray")
    with pytest.MonkeyPatch.context() as patch:
        # Nodes have the environment that they were started in, and so have their workers.
        places = [str(HERE / "awkward"), os.environ.get("PYTHONPATH", "")]
        patch.syspath_prepend(str(HERE / "awkward"))
        patch.setenv("PYTHONPATH", os.pathsep.join(filter(None, places)))
        patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
        patch.setenv("OMP_NUM_THREADS", "1")
        # Else all else that this machine does comes first, and the tests take their time.
        patch.setenv("RAY_worker_niceness", "0")
        patch.setenv("RAY_raylet_start_wait_time_s", "120")
        cluster = _patiently(LocalCluster)
        yield cluster
        cluster.end()


@pytest.fixture
def lacuna(lacuna: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Run a command in this process; ``ray`` is the address of the cluster that it works on."""

    def run(*arguments: str | Path, ray: str = "") -> Any:
        with monkeypatch.context() as patch:
            patch.setenv("LACUNA_RAY", ray)
            return lacuna(*arguments)

    return run


@pytest.fixture
def cluster(whole_cluster: LocalCluster) -> LocalCluster:
    """With two nodes, whatever the test before has done to it."""
    whole_cluster.grow(2)
    return whole_cluster


@pytest.fixture
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Unfinished work of other tests is not found."""
    folder = tmp_path / "cache"
    monkeypatch.setenv("LACUNA_CACHE", str(folder))
    return folder


@pytest.fixture
def squad(tmp_path: Path) -> Callable[[list[str]], Path]:
    """Writes a file of SQuAD's with questions that are called q0, q1, …"""

    def written(questions: list[str]) -> Path:
        qas = [
            {"id": f"q{number}", "question": text, "is_impossible": False,
             "answers": [{"text": "Ada", "answer_start": 0}]}
            for number, text in enumerate(questions)
        ]  # fmt: skip
        paragraphs = [{"context": "Ada was.", "qas": qas}]
        content = {"version": "v2.0", "data": [{"title": "T", "paragraphs": paragraphs}]}
        path = tmp_path / "questions.json"
        path.write_text(json.dumps(content))
        return path

    return written
