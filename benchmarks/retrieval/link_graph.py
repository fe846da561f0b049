"""Ten million made-up links: to build the arrays, open them, and find the way between two nodes."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from benchmarks.registry import command
from lacuna.corpus.graph import Arrays, LinkArrays, cached_arrays, csr

NODES = 1_000_000
EDGES = 10_000_000
PATHS = 100


def main(arguments: Sequence[str]) -> None:
    """Print a table."""
    command("link-graph", __doc__).parse_args(arguments)
    random = np.random.default_rng(0)
    sources = random.integers(0, NODES, EDGES)
    # Some pages are linked to far more often than others, as in a wiki.
    targets = (NODES * random.random(EDGES) ** 3).astype(np.int64)

    def build(_: Path) -> Arrays:
        return {**csr("out", sources, targets, NODES), **csr("in", targets, sources, NODES)}

    with tempfile.TemporaryDirectory() as folder:
        start = time.perf_counter()
        cached_arrays(Path(folder), "graph", 1, build)
        built = time.perf_counter()
        links = LinkArrays(cached_arrays(Path(folder), "graph", 1, build))
        opened = time.perf_counter()
        ends = random.integers(0, NODES, (PATHS, 2)).tolist()
        paths = [links.path(first, last) for first, last in ends]
        walked = time.perf_counter()
        for node, _ in ends:
            links.out(node), links.into(node)
        looked = time.perf_counter()
    lengths = [len(path) - 1 for path in paths if path]
    print("| step | time |\n|---|---:|")
    print(f"| build and write both directions | {built - start:.1f} s |")
    print(f"| open | {1000 * (opened - built):.1f} ms |")
    print(f"| out-links and in-links of a node | {1e6 * (looked - walked) / PATHS:.0f} µs |")
    mean = sum(lengths) / max(len(lengths), 1)
    print(f"| shortest path (mean length {mean:.1f}) | {1000 * (walked - opened) / PATHS:.0f} ms |")
