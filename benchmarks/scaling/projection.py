"""What a corpus of any size would take, from how costs grow: machines, hours, bytes, and why.

On paper: nothing of this was run. The assumptions are the fields of ``Machine`` and ``Wishes``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import ceil

from benchmarks.scaling.growth import Growth

TARGETS = {
    "HotpotQA's abstracts": 5_200_000,
    "all of Wikipedia": 40_000_000,
    "a web crawl": 1_000_000_000,
}
"""Passages of what people ask for."""


@dataclass(frozen=True)
class Machine:
    """One of the machines that there would be, its cores as fast as the one that measured."""

    cores: int = 16
    memory: float = 64e9
    disk: float = 2e12


@dataclass(frozen=True)
class Wishes:
    """What is wanted of them."""

    build_hours: float = 24.0
    questions_a_second: float = 10.0
    efficiency: float = 0.85
    """Of several cores, beside one: what is lost to sharing."""
    busy: float = 0.7
    """How much of the cores questions may take, so that they do not wait for each other."""


@dataclass(frozen=True)
class Projection:
    """What so many passages would take."""

    passages: int
    core_hours: float
    """To parse and index all of it."""
    stored_bytes: float
    machines: int
    shards: int
    """Parts that a search is split into, so that each part's text index fits into memory."""
    p95: float
    """Seconds of a question on an idle core, searching and reading; the slowest part counts."""
    bottleneck: str
    needs: Mapping[str, float]
    """Machines that each need alone would take."""
    build_hours: float
    """With all machines at work together."""


LINEAR = ("parse", "index", "document_bytes", "index_bytes")
"""Costs of each passage: they cannot grow slower than the passages do."""
READING = ("read", "read_p95")
"""Costs of what is read, which is as much in any corpus."""
SEARCHING = ("search", "search_p95")


def carried(growth: Mapping[str, Growth], *, search_at_least: float = 0.0) -> dict[str, Growth]:
    """Growth as it may be carried far beyond what was measured."""
    least = {
        **dict.fromkeys(LINEAR, 1.0),
        **dict.fromkeys(READING, 0.0),
        **dict.fromkeys(SEARCHING, search_at_least),
    }
    return {name: one.at_least(least.get(name, one.exponent)) for name, one in growth.items()}


def project(
    passages: int,
    growth: Mapping[str, Growth],
    machine: Machine = Machine(),
    wishes: Wishes = Wishes(),
) -> Projection:
    """From the growth of ``parse``, ``index``, ``document_bytes``, ``index_bytes``, ``search``,
    ``search_p95`` and ``read``, of which the last is what a question costs beyond searching."""
    core_hours = (growth["parse"].at(passages) + growth["index"].at(passages)) / 3600
    index_bytes = growth["index_bytes"].at(passages)
    stored = index_bytes + growth["document_bytes"].at(passages)
    shards = max(1, ceil(index_bytes / machine.memory))
    part = passages / shards
    cores = machine.cores * wishes.busy
    asked = wishes.questions_a_second
    needs = {
        "building": core_hours / (wishes.build_hours * machine.cores * wishes.efficiency),
        "disk": stored / machine.disk,
        "memory for the text index": index_bytes / machine.memory,
        "searching": asked * shards * growth["search"].at(part) / cores,
        "reading": asked * growth["read"].at(passages) / cores,
    }
    machines = max(1, ceil(max(needs.values())))
    return Projection(
        passages=passages,
        core_hours=core_hours,
        stored_bytes=stored,
        machines=machines,
        shards=shards,
        p95=growth["search_p95"].at(part) + growth["read_p95"].at(passages),
        bottleneck=max(needs, key=lambda need: needs[need]),
        needs=needs,
        build_hours=needs["building"] * wishes.build_hours / machines,
    )
