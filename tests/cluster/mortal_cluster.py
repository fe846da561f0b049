"""A cluster whose head can be ended, in a process of its own: two of one process would get in each
other's way."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

SCRIPT = """
import sys
from ray.cluster_utils import Cluster

store = {"object_store_memory": 80 << 20}
head = {"num_cpus": 0, "include_dashboard": False, **store}
cluster = Cluster(initialize_head=True, head_node_args=head)
cluster.add_node(num_cpus=1, **store)
print("ADDRESS", cluster.address, flush=True)
sys.stdin.readline()
cluster.head_node.kill_gcs_server(check_alive=False)
sys.stdin.read()
cluster.shutdown()
"""


class MortalCluster:
    """One node of one core, and a head."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        assert process.stdout is not None
        self._process = process
        self.address = next(
            line.split()[1] for line in process.stdout if line.startswith("ADDRESS")
        )

    def end_head(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write("end the head\n")
        self._process.stdin.flush()


@contextmanager
def mortal_cluster() -> Iterator[MortalCluster]:
    process = subprocess.Popen(
        [sys.executable, "-c", SCRIPT], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    try:
        yield MortalCluster(process)
    finally:
        process.communicate()
