"""Look on a cluster for places where questions could be asked: every worker opens the corpus."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

from lacuna.corpus.open import open_store
from lacuna.corpus.store import Store
from lacuna.errors import LacunaError, shown
from lacuna.evaluation.system import chunks
from lacuna.types import Document
from lacuna_collect.mining import (
    SectionFilter,
    bridge_edges,
    choose_sections,
    raw_section,
    raw_seed,
    seeds,
)
from lacuna_scale.cluster.connection import Cluster, absolute
from lacuna_scale.cluster.workers import WorkerPool, in_order

DOCUMENTS_AT_ONCE = 256
MINED_AHEAD = 64
"""Parts that are held at most, while one before them is not done."""
Edges = dict[str, tuple[str, ...]]


class MiningKind(StrEnum):
    """The kind of place that is looked for."""

    SEEDS = "seeds"
    SECTIONS = "sections"
    EDGES = "edges"


class _Everything(Container[str]):
    """Every document may be a bridge."""

    def __contains__(self, title: object) -> bool:
        return True


@dataclass(frozen=True, slots=True)
class _OpenedCorpus:
    job: MiningJob
    store: Store

    def work(self, item: Sequence[str]) -> Any:
        """The places in some documents, by their titles."""
        documents: Iterable[Document] = map(self.store.document, item)
        match self.job.kind:
            case MiningKind.SEEDS:
                return [
                    raw_seed(seed) for seed in seeds(documents, self.store.resolve, self.job.fewest)
                ]
            case MiningKind.SECTIONS:
                chosen = choose_sections(documents, self.store.graph(), self.job.sections)
                return [raw_section(section) for section in chosen]
            case MiningKind.EDGES:
                bridges = _Everything() if self.job.bridges is None else self.job.bridges
                return bridge_edges(documents, bridges, self.store.resolve)


@dataclass(frozen=True, slots=True)
class MiningJob:
    """What is looked for, in which corpus; of what follows, each kind looks at one."""

    kind: MiningKind
    corpora: tuple[Path, ...]
    fewest: int = 0
    sections: SectionFilter = field(default_factory=SectionFilter)
    bridges: frozenset[str] | None = None

    @contextmanager
    def open(self) -> Iterator[_OpenedCorpus]:
        """Open the corpus."""
        with open_store(self.corpora) as store:
            yield _OpenedCorpus(self, store)

    def halves(self, item: Sequence[str]) -> None:
        """A document that cannot be read is a damaged corpus: nothing is left out."""


class MiningOnCluster:
    """Looks through a corpus that all machines can read under the same path."""

    def __init__(self, cluster: Cluster, corpora: Iterable[Path], store: Store) -> None:
        self._cluster, self._store = cluster, store
        self._corpora = tuple(map(absolute, corpora))

    def seeds(self, fewest_links: int) -> Iterator[dict[str, Any]]:
        """The same as ``seeds`` gives, as records."""
        job = MiningJob(MiningKind.SEEDS, self._corpora, fewest_links)
        return (record for part in self._parts(job) for record in part)

    def sections(self, wanted: SectionFilter) -> Iterator[dict[str, Any]]:
        """The same as ``choose_sections`` gives, as records."""
        job = MiningJob(MiningKind.SECTIONS, self._corpora, sections=wanted)
        return (record for part in self._parts(job) for record in part)

    def bridge_edges(self, bridges: Iterable[str] | None) -> Edges:
        """The same as ``bridge_edges`` gives; None for ``bridges`` allows every document."""
        curated = None if bridges is None else frozenset(bridges)
        sources: dict[str, set[str]] = {}
        part: Edges
        for part in self._parts(MiningJob(MiningKind.EDGES, self._corpora, bridges=curated)):
            for target, titles in part.items():
                sources.setdefault(target, set()).update(titles)
        return {target: tuple(sorted(sources[target])) for target in sorted(sources)}

    def _parts(self, job: MiningJob) -> Iterator[Any]:
        with WorkerPool(self._cluster, job) as pool:
            titles = chunks(self._store.titles(), DOCUMENTS_AT_ONCE)
            for finished in in_order(pool.run(titles, ahead=MINED_AHEAD)):
                if finished.reason:
                    raise LacunaError(
                        f"The documents from {shown(finished.item[0])} to "
                        f"{shown(finished.item[-1])} could not be looked through: "
                        f"{finished.reason}. Look for damage with `lacuna corpus check`."
                    )
                yield finished.result
