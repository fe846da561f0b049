"""GapQA at toy size."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

MakeTraining = Callable[..., Any]


@pytest.fixture
def bilstm() -> Callable[..., Any]:
    """Makes a BiLSTM over stand-ins for word vectors, the same at each call."""
    torch = pytest.importorskip("torch")
    from gap_examples import VECTORS

    from lacuna.models.gapqa.gapqa_reader import Shown
    from lacuna_lab.gapqa.network import BiLstmRows, GapNetwork

    def make(shown: Shown | None = None) -> GapNetwork:
        torch.manual_seed(1)
        return GapNetwork(BiLstmRows(torch.from_numpy(VECTORS)), shown or Shown())

    return make


@pytest.fixture
def transformer(encoder: Path, tokenizer: Path) -> Any:
    """A network over the toy encoder."""
    torch = pytest.importorskip("torch")
    from lacuna.models.gapqa.gapqa_reader import Shown
    from lacuna_lab.gapqa.network import GapNetwork
    from lacuna_lab.gapqa.run import begin_transformer

    torch.manual_seed(2)
    network = GapNetwork(begin_transformer(str(encoder), tokenizer), Shown())
    network.eval()
    return network


@pytest.fixture
def training(bilstm: Callable[..., Any], tmp_path: Path) -> MakeTraining:
    """Begins, or goes on with, a short run over questions about colours."""
    from gap_examples import colour_examples

    from lacuna_lab.gapqa.data import GapDataset
    from lacuna_lab.gapqa.recipe import BILSTM, GapRecipe
    from lacuna_lab.gapqa.run import GapTraining

    recipe = GapRecipe(
        *("toy", "vectors.txt", BILSTM),
        epochs=3,
        batch=8,
        learning_rate=1e-2,
        head_learning_rate=1e-2,
        held_out=0.25,
        precision="no",
    )
    examples = GapDataset.of(colour_examples())

    def begin(folder: str = "run", seed: int = 1, **changes: Any) -> GapTraining:
        changed = replace(recipe, **changes)
        return GapTraining(changed, seed, bilstm(changed.shown), examples, tmp_path / folder)

    return begin
