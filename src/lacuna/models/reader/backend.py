"""Runs the network. The shipped way is onnxruntime; training brings torch's."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from lacuna.models.onnx import OnnxNetwork
from lacuna.models.reader.heads import Columns
from lacuna.models.reader.model_input import ModelInput

Scores = NDArray[np.float32]
Outputs = tuple[Scores, Scores]
"""Scores per token and per sequence, of one input."""
INPUT_NAMES = ("ids", "marks", "mask")
OUTPUT_NAMES = ("per_token", "per_sequence")
OUTPUT_WIDTHS = dict(zip(OUTPUT_NAMES, (Columns.PER_TOKEN, Columns.PER_SEQUENCE), strict=True))


class Backend(Protocol):
    """Anything that can run inputs through the network."""

    at_once: int
    """How many questions to give it together."""

    def run(self, inputs: Sequence[ModelInput]) -> list[Outputs]: ...


def by_length(inputs: Sequence[ModelInput], tokens: int) -> Iterator[list[int]]:
    """Indices of inputs in batches of like length, each of at most so many padded tokens."""
    order = sorted(range(len(inputs)), key=lambda index: -len(inputs[index].ids))
    batch: list[int] = []
    for index in order:
        if batch and len(inputs[batch[0]].ids) * (len(batch) + 1) > tokens:
            yield batch
            batch = []
        batch.append(index)
    if batch:
        yield batch


def padded(inputs: Sequence[ModelInput]) -> dict[str, NDArray[np.int64]]:
    """One batch as the network takes it."""
    longest = max(len(one.ids) for one in inputs)
    batch = {name: np.zeros((len(inputs), longest), np.int64) for name in INPUT_NAMES}
    for row, one in enumerate(inputs):
        size = len(one.ids)
        batch["ids"][row, :size] = one.ids
        batch["marks"][row, :size] = one.marks
        batch["mask"][row, :size] = 1
    return batch


class OnnxBackend:
    """A network in one ONNX file, on the CPU.

    The int8 network scales its numbers by the largest of a batch, so an answer would depend on
    what else is asked at the same time: every input is a batch of its own. With nothing padded,
    that is no slower.
    """

    at_once = 8

    def __init__(self, path: Path, *, threads: int | None = None) -> None:
        self._network = OnnxNetwork(path, INPUT_NAMES, OUTPUT_WIDTHS, threads=threads)

    def run(self, inputs: Sequence[ModelInput]) -> list[Outputs]:
        """The scores of every input, in the order given."""
        outputs = self._network.run_all([padded([one]) for one in inputs])
        return [(per_token[0], per_sequence[0]) for per_token, per_sequence in outputs]
