"""The same work on the machines of the Ray cluster that LACUNA_RAY names."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from lacuna.cli.console import notify, warn

if TYPE_CHECKING:
    from lacuna.corpus.store import Store
    from lacuna.corpus.writer import Added
    from lacuna.evaluation.answering import AnswersElsewhere
    from lacuna.retrieve.knowledge.build import Digest
    from lacuna_lab.train.cache import Label
    from lacuna_scale.cluster.connection import Cluster
    from lacuna_scale.cluster.mining import MiningOnCluster


SHOWN = 10
VARIABLE = "LACUNA_RAY"
"""HOST:PORT of a cluster's head, or auto for the cluster that this machine belongs to."""


def ray_address() -> str | None:
    """The cluster to work on, as the environment says; a file of settings cannot name one."""
    return os.environ.get(VARIABLE, "").strip() or None


@contextmanager
def answering_elsewhere() -> Iterator[AnswersElsewhere | None]:
    """The cluster, to answer questions; None without one."""
    if (ray := ray_address()) is None:
        yield None
        return
    from lacuna_scale.cluster.connection import connected
    from lacuna_scale.cluster.jobs import AnsweringOnCluster

    with connected(ray) as cluster:
        yield AnsweringOnCluster(cluster)


@contextmanager
def mining_elsewhere(corpora: Iterable[Path], store: Store) -> Iterator[MiningOnCluster | None]:
    """The cluster, to look through a corpus; None without one."""
    if (ray := ray_address()) is None:
        yield None
        return
    from lacuna_scale.cluster.connection import connected
    from lacuna_scale.cluster.mining import MiningOnCluster

    with connected(ray) as cluster:
        yield MiningOnCluster(cluster, corpora, store)


@contextmanager
def digesting_elsewhere() -> Iterator[Digest]:
    """The cluster, to look through sentences; this process without one."""
    from lacuna.retrieve.knowledge.build import digested_here

    if (ray := ray_address()) is None:
        yield digested_here
        return
    from lacuna_scale.cluster.connection import connected
    from lacuna_scale.cluster.jobs import digesting_on

    with connected(ray) as cluster:
        yield digesting_on(cluster)


@contextmanager
def labelling_at(ray: str, tokenizer: Path) -> Iterator[Label]:
    """The cluster at an address, to label a reader's training data."""
    from lacuna_scale.cluster.connection import connected
    from lacuna_scale.cluster.labelling import labelling_on

    with connected(ray) as cluster:
        yield labelling_on(cluster, tokenizer)


@contextmanager
def reading_elsewhere() -> Iterator[Cluster | None]:
    """Let the cluster read files while the block runs; None without one."""
    if (ray := ray_address()) is None:
        yield None
        return
    from lacuna.corpus.formats.isolation import reading_by
    from lacuna_scale.cluster.connection import connected
    from lacuna_scale.cluster.jobs import ReadingOnCluster

    with connected(ray) as cluster, ReadingOnCluster(cluster) as reading, reading_by(reading):
        yield cluster


def built_on(
    cluster: Cluster | None,
    store: Store,
    out: Path,
    sources: Sequence[Path],
    source_format: str | None,
) -> list[Added] | None:
    """Build a new corpus at an address by all machines of a cluster; None where that cannot be."""
    from lacuna.cli.console import estimating_bar
    from lacuna.corpus.address import address_of

    if cluster is None or address_of(out) is None:
        return None
    from lacuna_scale.cluster.building import build_corpus, new_dumps
    from lacuna_scale.lance.store import LanceStore

    assert isinstance(store, LanceStore)
    dumps = new_dumps(store, sources, source_format)
    if dumps is None:
        return None
    with estimating_bar(f"Reading {' and '.join(path.name for path in sources)}") as update:
        return build_corpus(cluster, store, dumps, update)


def exit_if_failed(failed: Mapping[str, str]) -> None:
    """Say which questions could not be answered; then the exit code is 1."""
    if not failed:
        return
    for id_, why in list(failed.items())[:SHOWN]:
        notify(f"{id_}: {why}.", "Failed")
    more = f", {len(failed) - SHOWN:,} more than are shown" if len(failed) > SHOWN else ""
    warn(f"{len(failed):,} questions could not be answered, and count as abstained{more}.")
    raise typer.Exit(1)
