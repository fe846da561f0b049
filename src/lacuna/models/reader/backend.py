"""Runs the network. The shipped way is onnxruntime; training brings torch's."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from lacuna.errors import LacunaError
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
    that is no slower. As many are run side by side as there are threads, since a short one does not
    keep all of them busy. Threads that wait do not spin: they would take the cores of others, and
    of each other, for twice the time.
    """

    at_once = 8

    def __init__(self, path: Path, *, threads: int | None = None) -> None:
        self._session = open_session(path, threads)
        self._side_by_side = ThreadPoolExecutor(threads or os.cpu_count())
        takes = {one.name for one in self._session.get_inputs()}
        gives = {one.name: one.shape[-1] for one in self._session.get_outputs()}
        if takes != set(INPUT_NAMES) or gives != OUTPUT_WIDTHS:
            raise _unusable(path, f"it takes {', '.join(sorted(takes))} and gives {gives}")

    def run(self, inputs: Sequence[ModelInput]) -> list[Outputs]:
        """The scores of every input, in the order given."""
        if len(inputs) < 2:
            return [self._run(one) for one in inputs]
        return list(self._side_by_side.map(self._run, inputs))

    def _run(self, one: ModelInput) -> Outputs:
        per_token, per_sequence = self._session.run(list(OUTPUT_NAMES), padded([one]))
        return per_token[0], per_sequence[0]


def open_session(path: Path, threads: int | None) -> Any:
    """A network in one ONNX file, as onnxruntime runs it."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads or 0
    options.log_severity_level = 4  # what goes wrong is said by the error
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    try:
        return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    except Exception as problem:  # onnxruntime's errors share no base of their own
        raise _unusable(path, f"onnxruntime says: {' '.join(str(problem).split())}") from problem


def _unusable(path: Path, why: str) -> LacunaError:
    return LacunaError(
        f"{path} cannot be loaded as a model; it may be cut short or of another make. "
        f"Get it again, or train it anew. ({why})"
    )
