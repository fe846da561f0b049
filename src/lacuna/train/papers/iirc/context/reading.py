"""A trained context model: the best window of each text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import torch

from lacuna.models.model_folder import ModelFolder
from lacuna.train.papers.encoded.dataset import PieceDataset
from lacuna.train.papers.encoded.example import piece_input
from lacuna.train.papers.encoded.torch_model import READ_TOGETHER, LoadedNetwork, load_encoded
from lacuna.train.papers.iirc.classifier import LabelledInput
from lacuna.train.papers.iirc.context.windows import (
    window_document,
    window_length,
    window_spans,
)
from lacuna.types import Document


class WindowChooser:
    """Reads the windows of texts beside a question, and keeps the best of each."""

    def __init__(self, model: LoadedNetwork) -> None:
        self._model = model

    def best(self, question: str, texts: Sequence[Document], links: int) -> list[Document]:
        """The best window of each text, as a document; ``links`` is how many are followed."""
        tokenizer, longest = self._model.tokenizer, self._model.task.recipe.longest
        length = window_length(longest, len(tokenizer.encode(question).ids), links)
        windows = [
            [
                window_document(text, span)
                for span in window_spans(tokenizer.encode(text.text), length)
            ]
            for text in texts
        ]
        scores = iter(self._scores(question, [each for own in windows for each in own]))
        best = []
        for own in windows:
            rated = [(next(scores), -number) for number in range(len(own))]
            if rated:
                best.append(own[-max(rated)[1]])
        return best

    def _scores(self, question: str, windows: Sequence[Document]) -> Iterator[float]:
        task, network, tokenizer, device = self._model
        inputs = [
            LabelledInput(
                ids=piece_input(question, [window.text], tokenizer, task.recipe.longest).ids,
                group="",
                label=False,
            )
            for window in windows
        ]
        scores: dict[int, float] = {}
        for chosen, batch in PieceDataset(task, inputs, tokenizer).read(device, READ_TOGETHER):
            with torch.no_grad():
                scores |= zip(chosen, network(batch).cpu().tolist(), strict=True)
        return (scores[number] for number in range(len(windows)))


def load_window_chooser(folder: ModelFolder, threads: int | None) -> WindowChooser:
    """A trained context model."""
    return WindowChooser(load_encoded(folder, threads))
