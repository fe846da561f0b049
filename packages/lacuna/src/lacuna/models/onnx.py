"""A network in one ONNX file, run on the CPU."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lacuna.errors import LacunaError

Feed = Mapping[str, NDArray[np.int64]]
"""The inputs of a run, by name."""
Arrays = list[NDArray[np.float32]]
"""The outputs of a run, in order."""
EXACT_SUMS = "session.x64quantprecision"
SETTINGS = {"session.intra_op.allow_spinning": "0", EXACT_SUMS: "1"}
"""Of onnxruntime. Threads that wait do not spin: they would take the cores of others, and of each
other, for twice the time. Sums of 8-bit products are exact: a processor without VNNI would cut them
off at 16 bits for speed, and answer some questions otherwise than others do."""


class OnnxNetwork:
    """An open session with the inputs and outputs that are expected of it.

    As many runs go side by side as there are threads, since a short one does not keep all of them
    busy.
    """

    def __init__(
        self,
        path: Path,
        inputs: Collection[str],
        outputs: Mapping[str, int | tuple[int, ...] | None],
        *,
        threads: int | None = None,
        name: str = "model",
    ) -> None:
        """``outputs`` come with their last dimension, several where it may be one of them, or None
        where it may be any; errors call the network ``name``."""
        self._session = open_session(path, threads, name)
        self._outputs = list(outputs)
        self._pool = ThreadPoolExecutor(threads or os.cpu_count())
        takes = {node.name for node in self._session.get_inputs()}
        gives = {node.name: node.shape[-1] for node in self._session.get_outputs()}
        self.widths: Mapping[str, Any] = gives
        """The last dimension of each output."""
        fits = all(
            width is None or gives.get(output) in (width if isinstance(width, tuple) else (width,))
            for output, width in outputs.items()
        )
        if takes != set(inputs) or gives.keys() != outputs.keys() or not fits:
            raise _unusable(path, name, f"it takes {', '.join(sorted(takes))} and gives {gives}")

    def run_all(self, feeds: Sequence[Feed]) -> list[Arrays]:
        """The outputs of every run, in the order given."""
        if len(feeds) < 2:
            return [self._run(feed) for feed in feeds]
        return list(self._pool.map(self._run, feeds))

    def _run(self, feed: Feed) -> Arrays:
        return list(self._session.run(self._outputs, dict(feed)))


def open_session(path: Path, threads: int | None, name: str = "model") -> Any:
    """A network in one ONNX file, as onnxruntime runs it."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads or 0
    options.log_severity_level = 4  # the error says what goes wrong
    for entry, value in SETTINGS.items():
        options.add_session_config_entry(entry, value)
    try:
        return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    except Exception as problem:  # onnxruntime's errors share no base of their own
        reason = f"onnxruntime says: {' '.join(str(problem).split())}"
        raise _unusable(path, name, reason) from problem


def _unusable(path: Path, name: str, reason: str) -> LacunaError:
    return LacunaError(
        f"{path} cannot be loaded as a {name}; it may be cut short or of another make. "
        f"Get it again, or train it anew. ({reason})"
    )
