"""Sentences of a knowledge base, looked through on a cluster: each line is sent to a worker."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from lacuna.cluster.connection import Cluster
from lacuna.cluster.crew import Crew, in_order
from lacuna.errors import LacunaError
from lacuna.retrieve.knowledge.digested_lines import (
    Digest,
    DigestedLines,
    SentenceLines,
    digested,
)

AHEAD = 256
"""Pieces that are held at most, while one before them is not done."""


class _OpenedDigesting:
    def work(self, item: SentenceLines) -> DigestedLines:
        """What some lines hold."""
        return digested(item)


@dataclass(frozen=True, slots=True)
class DigestingJob:
    """Needs nothing that is not sent along."""

    @contextmanager
    def open(self) -> Iterator[_OpenedDigesting]:
        """Nothing has to be loaded."""
        yield _OpenedDigesting()

    def halves(self, item: SentenceLines) -> None:
        """No line is left out that one machine would have read."""


def digesting_on(cluster: Cluster) -> Digest:
    """What digests on all machines of a cluster, the same as one machine does."""

    def digest(lines: Iterable[SentenceLines]) -> Iterator[DigestedLines]:
        with Crew(cluster, DigestingJob(), depth=2) as crew:
            for finished in in_order(crew.run(lines, ahead=AHEAD)):
                if finished.result is None:
                    raise LacunaError(
                        f"{finished.item.file} could not be read from line {finished.item.first} "
                        f"on: {finished.reason}."
                    )
                yield finished.result

    return digest
