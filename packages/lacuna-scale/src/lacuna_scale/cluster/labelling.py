"""A reader's training data, labelled and tokenised on a cluster.

The machine of the command reads the datasets and sends questions; nobody else needs the files.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from lacuna.errors import LacunaError
from lacuna.models.model_folder import TOKENIZER
from lacuna_lab.train.cache import Label, Labelled, Labeller, UnlabelledChunk
from lacuna_scale.cluster.connection import Cluster
from lacuna_scale.cluster.workers import WorkerPool, in_order

AHEAD = 256
"""Chunks that are held at most, while one before them is not done."""


@dataclass(frozen=True, slots=True)
class LabellingJob:
    """With the bytes of the tokenizer's file."""

    tokenizer: bytes

    @contextmanager
    def open(self) -> Iterator[Labeller]:
        """Load the tokenizer."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, TOKENIZER)
            path.write_bytes(self.tokenizer)
            yield Labeller(path)

    def halves(self, item: UnlabelledChunk) -> None:
        """What is drawn for a question depends on those before it: nothing is left out."""


def labelling_on(cluster: Cluster, tokenizer: Path) -> Label:
    """A function that labels on all machines of a cluster, the same as one machine does."""
    job = LabellingJob(tokenizer.read_bytes())

    def label(chunks: Iterable[UnlabelledChunk]) -> Iterator[Labelled]:
        with WorkerPool(cluster, job, depth=2) as pool:
            for finished in in_order(pool.run(chunks, ahead=AHEAD)):
                if finished.result is None:
                    first = finished.item.questions[0].id
                    raise LacunaError(
                        f"Questions of {finished.item.source} from {first} on could not be "
                        f"labelled: {finished.reason}."
                    )
                yield finished.result

    return label
