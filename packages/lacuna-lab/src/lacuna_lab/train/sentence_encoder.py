"""A pretrained encoder that makes one vector of each text: the mean of its last layer."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch
from transformers import AutoModel, AutoTokenizer

from lacuna.errors import LacunaError
from lacuna_lab.train.checkpoint import best_device

Floats = npt.NDArray[np.float32]
LONGEST = 512
"""Word pieces of a text that are read."""


class MeanEncoder:
    """Loads a folder, or a name of the model hub, as ``transformers`` knows them."""

    def __init__(self, name: str | Path) -> None:
        try:
            self._tokenizer = AutoTokenizer.from_pretrained(name)
            self._model = AutoModel.from_pretrained(name, dtype=torch.float32).eval()
        except (OSError, ValueError) as problem:
            raise LacunaError(
                f"{name} is no pretrained encoder: {_why_not(Path(name))}. Give a folder with "
                "config.json, weights and tokenizer, or a name that the model hub knows."
            ) from problem
        self._device = best_device()
        self._model.to(self._device)

    def means(self, texts: Sequence[str], at_once: int = 256) -> Floats:
        """[texts, size]; texts of like length are read together, which pads little."""
        order = sorted(range(len(texts)), key=lambda number: len(texts[number]))
        encoded: dict[int, Floats] = {}
        with torch.inference_mode():
            for start in range(0, len(order), at_once):
                numbers = order[start : start + at_once]
                inputs = self._tokenizer(
                    [texts[number] for number in numbers],
                    padding="longest",
                    truncation=True,
                    max_length=LONGEST,
                    return_tensors="pt",
                ).to(self._device)
                mask = inputs["attention_mask"][..., None]  # [texts, word pieces, 1]
                states = self._model(**inputs).last_hidden_state  # [texts, word pieces, size]
                part = ((states * mask).sum(1) / mask.sum(1)).float().cpu().numpy()
                encoded |= zip(numbers, part, strict=True)
        return np.stack([encoded[number] for number in range(len(texts))])

    def vectors(self, texts: Sequence[str]) -> Floats:
        """The means, each of length 1."""
        means = self.means(texts, at_once=64)
        unit: Floats = means / np.maximum(np.linalg.norm(means, axis=1, keepdims=True), 1e-9)
        return unit


def _why_not(folder: Path) -> str:
    if folder.is_dir():
        return "what the folder holds cannot be loaded"
    return "there is no such folder, and the model hub gave none of that name"


def open_encoder(name: str, threads: int | None) -> MeanEncoder:
    """An encoder of sentences."""
    if threads is not None:
        torch.set_num_threads(threads)
    return MeanEncoder(name)
