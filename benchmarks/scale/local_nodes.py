"""Ray nodes on this machine, each a process of its own with one core."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext

STORE = 100 << 20
"""Bytes of shared memory of a node."""


@contextmanager
def local_nodes(count: int, *, pinned: bool = False) -> Iterator[str]:
    """The address of a head without a core and of nodes with one each; a token is wanted.

    Pinned nodes and all that runs on them keep to one core of this machine each. Ray looks once in
    a process whether tokens are wanted, so no other cluster may come before.
    """
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    os.environ.setdefault("RAY_worker_niceness", "0")  # on a machine of its own it would not matter
    os.environ.setdefault("RAY_AUTH_MODE", "token")
    os.environ.setdefault("RAY_AUTH_TOKEN", secrets.token_hex(32))
    from ray.cluster_utils import Cluster

    shared = {"object_store_memory": STORE}
    head = {"num_cpus": 0, "include_dashboard": False, **shared}
    nodes = Cluster(initialize_head=True, head_node_args=head)
    try:
        for number in range(count):
            with _on_core(number) if pinned else nullcontext():
                nodes.add_node(num_cpus=1, **shared)
        yield str(nodes.address)
    finally:
        nodes.shutdown()


@contextmanager
def _on_core(number: int) -> Iterator[None]:
    """What is started meanwhile stays on one of the cores that this process may use."""
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {sorted(allowed)[number % len(allowed)]})
    try:
        yield
    finally:
        os.sched_setaffinity(0, allowed)
