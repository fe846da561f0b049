"""Runs the network. The shipped way is onnxruntime; training brings torch's."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from lacuna.errors import LacunaError
from lacuna.read.sequence import Input

Scores = NDArray[np.float32]
Outputs = tuple[Scores, Scores]
"""Scores per token and per sequence, of one input."""
INPUT_NAMES = ("ids", "marks", "mask")
OUTPUT_NAMES = ("per_token", "per_sequence")


class Backend(Protocol):
    """Anything that can run inputs through the network."""

    at_once: int
    """How many questions to give it together."""

    def run(self, inputs: Sequence[Input]) -> list[Outputs]: ...


def by_length(inputs: Sequence[Input], tokens: int) -> Iterator[list[int]]:
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


def padded(inputs: Sequence[Input]) -> dict[str, NDArray[np.int64]]:
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
    what else is asked at the same time: there every input is a batch of its own. With nothing
    padded, that is no slower (``benchmarks/reading.md``).
    """

    at_once = 16

    def __init__(self, path: Path, *, threads: int | None = None, batch_tokens: int = 0) -> None:
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads or 0
        options.log_severity_level = 3
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        try:
            self._session = onnxruntime.InferenceSession(
                str(path), options, providers=["CPUExecutionProvider"]
            )
        except Exception as problem:  # onnxruntime's errors share no base of their own
            raise LacunaError(
                f"{path} cannot be loaded as a model; it may be cut short or of another make. "
                f"Get it again, or train it anew. (onnxruntime says: {problem})"
            ) from problem
        self._batch_tokens = batch_tokens

    def run(self, inputs: Sequence[Input]) -> list[Outputs]:
        """The scores of every input, in the order given."""
        made: dict[int, Outputs] = {}
        for batch in by_length(inputs, self._batch_tokens):
            feed = padded([inputs[index] for index in batch])
            per_token, per_sequence = self._session.run(list(OUTPUT_NAMES), feed)
            for row, index in enumerate(batch):
                made[index] = per_token[row, : len(inputs[index].ids)], per_sequence[row]
        return [made[index] for index in range(len(inputs))]
