"""Runs a GapQA network in torch: models that were not exported, and the BiLSTM."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch

from lacuna.errors import LacunaError
from lacuna.models.gapqa.backend import ChoiceScores, Floats
from lacuna.models.gapqa.question_rows import MakesRows, QuestionRows
from lacuna.models.gapqa.rows import Row, RowMaker, padded
from lacuna.models.model_folder import WORDS, ModelFolder
from lacuna.models.tokenizer import Tokenizer
from lacuna.train.gapqa.dataset import Dataset
from lacuna.train.gapqa.examples import Example
from lacuna.train.gapqa.network import GapNetwork
from lacuna.train.gapqa.recipe import BILSTM
from lacuna.train.gapqa.saved import load_gap
from lacuna.train.gapqa.trainer import SCORE_BATCH, batches
from lacuna.train.gapqa.word_vectors import Vocabulary, WordRows


class TorchGapBackend:
    """The network as it was trained."""

    def __init__(self, network: GapNetwork, rows: MakesRows) -> None:
        self._device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self._network = network.to(self._device).eval()
        self.rows = rows

    def spans(self, rows: Sequence[Row]) -> list[Floats]:
        """Scores of the first and last token of the key span."""
        made: list[Floats] = []
        for start in range(0, len(rows), SCORE_BATCH):
            some = rows[start : start + SCORE_BATCH]
            feed = [torch.from_numpy(array).to(self._device) for array in padded(some)]
            with torch.no_grad():
                scores = self._network.encoder.span_scores(self._network.encoder(*feed))
            if scores is None:
                raise LacunaError("this model finds no key spans; take a transformer for them.")
            arrays = scores.float().cpu().numpy()
            made += [one[: len(row.ids)] for one, row in zip(arrays, some, strict=True)]
        return made

    def score(self, questions: Sequence[QuestionRows]) -> list[list[ChoiceScores]]:
        """The scores of every choice of every question."""
        if not questions:
            return []
        data = Dataset.of([Example("", rows, 0) for rows in questions]).to(self._device)
        numbers = [
            list(range(start, min(start + SCORE_BATCH, len(data))))
            for start in range(0, len(data), SCORE_BATCH)
        ]
        made: list[ChoiceScores] = []
        for batch, _ in batches(self._network, data, numbers):
            with torch.no_grad():
                fact, relation, relations, said = self._network(batch)[0]
            choice_of, places = batch.choice_of.cpu().numpy(), batch.order.numpy()
            lines = said.float().cpu().numpy()
            for choice in range(len(fact)):
                own = np.flatnonzero(choice_of == choice)
                own = own[np.argsort(places[own])]
                made.append(
                    ChoiceScores(
                        float(fact[choice]),
                        float(relation[choice]),
                        relations[choice].float().cpu().numpy(),
                        lines[own],
                    )
                )
        each = iter(made)
        return [[next(each) for _ in one.choices] for one in questions]


def load_gap_backend(
    folder: ModelFolder, pieces: Tokenizer, threads: int | None
) -> TorchGapBackend:
    """A trained network to read with, on the GPU if there is one."""
    if threads is not None:
        torch.set_num_threads(threads)
    if folder.kind != BILSTM:
        return TorchGapBackend(load_gap(folder), RowMaker(pieces))
    # Some words of GloVe's are ends of lines to splitlines.
    known = (folder.path / WORDS).read_text("utf-8").split("\n")[:-1]
    return TorchGapBackend(load_gap(folder), WordRows(Vocabulary(known)))
