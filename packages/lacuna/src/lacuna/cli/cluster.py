"""--ray: the same work on the machines of a cluster."""

from __future__ import annotations

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


@contextmanager
def answering_at(ray: str | None) -> Iterator[AnswersElsewhere | None]:
    """What answers at the address of --ray; None without one."""
    if ray is None:
        yield None
        return
    from lacuna_scale.cluster.connection import connected
    from lacuna_scale.cluster.jobs import AnsweringOnCluster

    with connected(ray) as cluster:
        yield AnsweringOnCluster(cluster)


@contextmanager
def mining_at(
    ray: str | None, corpora: Iterable[Path], store: Store
) -> Iterator[MiningOnCluster | None]:
    """What looks through a corpus at the address of --ray; None without one."""
    if ray is None:
        yield None
        return
    from lacuna_scale.cluster.connection import connected
    from lacuna_scale.cluster.mining import MiningOnCluster

    with connected(ray) as cluster:
        yield MiningOnCluster(cluster, corpora, store)


@contextmanager
def digesting_at(ray: str | None) -> Iterator[Digest]:
    """What looks through sentences at the address of --ray; this process without one."""
    from lacuna.retrieve.knowledge.build import digested_here

    if ray is None:
        yield digested_here
        return
    from lacuna_scale.cluster.connection import connected
    from lacuna_scale.cluster.jobs import digesting_on

    with connected(ray) as cluster:
        yield digesting_on(cluster)


@contextmanager
def labelling_at(ray: str, tokenizer: Path) -> Iterator[Label]:
    """What labels a reader's training data at the address of --ray."""
    from lacuna_scale.cluster.connection import connected
    from lacuna_scale.cluster.labelling import labelling_on

    with connected(ray) as cluster:
        yield labelling_on(cluster, tokenizer)


@contextmanager
def reading_at(ray: str | None) -> Iterator[Cluster | None]:
    """Files are read at the address of --ray while the block runs."""
    if ray is None:
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
