"""The exported file says what the network says."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("onnx")
pytest.importorskip("transformers")

from gap_examples import VOCABULARY
from gap_toys import QUESTION, build

from lacuna.errors import LacunaError
from lacuna.models.gapqa.gapqa_reader import GapQAReader, Shown
from lacuna.models.model_folder import ModelSystem, find_model
from lacuna.pipeline.gapqa import GapQAPipeline
from lacuna_lab.gapqa.recipe import BILSTM, GapRecipe
from lacuna_lab.gapqa.run import export_gap, save_gap

RECIPE = GapRecipe("toy", "folder")


SEED = 2
"""One whose key span finds lines for every choice."""


@pytest.fixture
def trained(transformer: Any, tokenizer: Path, tmp_path: Path) -> Path:
    torch.manual_seed(SEED)
    with torch.no_grad():
        for parameter in transformer.parameters():
            parameter.add_(torch.randn_like(parameter) * 0.05)
    save_gap(transformer, RECIPE, tmp_path / "trained", {"name": "toy-1"}, tokenizer=tokenizer)
    return tmp_path / "trained"


@pytest.mark.parametrize(("int8", "within"), [(False, 1e-3), (True, 0.3)])
def test_both_give_the_same_scores(
    trained: Path, tmp_path: Path, int8: bool, within: float
) -> None:
    weights = export_gap(
        find_model(trained, system=ModelSystem.GAPQA), tmp_path / "exported", int8=int8
    )
    assert weights.is_file()
    folder = find_model(tmp_path / "exported", system=ModelSystem.GAPQA)
    assert folder.config["name"] == "toy-1"
    base = build(tmp_path)
    before, after = (
        GapQAPipeline(GapQAReader.load(path, threads=1), base).ask(QUESTION)
        for path in (trained, folder.path)
    )
    if not int8:
        assert before.key_span == after.key_span
    for one, other in zip(before.choices, after.choices, strict=True):
        assert len(one.lines) == len(other.lines) > 1
        assert (one.fact_score, one.relation_score) == pytest.approx(
            (other.fact_score, other.relation_score), abs=within
        )
        assert one.relations == pytest.approx(other.relations, abs=within)
        for line, again in zip(one.lines, other.lines, strict=True):
            assert np.allclose(line.relations, again.relations, atol=within)
    spread = [one.fact_score for one in before.choices]
    assert max(spread) - min(spread) > 1e-2, "choices are told apart at all"


def test_only_whole_models_are_exported(
    bilstm: Any, transformer: Any, tokenizer: Path, tmp_path: Path
) -> None:
    words = GapRecipe("toy", "vectors.txt", BILSTM)
    save_gap(bilstm(), words, tmp_path / "words", {}, vocabulary=VOCABULARY)
    fact_only = GapRecipe("toy", "folder", knowledge="none")
    assert fact_only.shown == Shown(knowledge=False)
    save_gap(transformer, fact_only, tmp_path / "fact", {}, tokenizer=tokenizer)
    for name in ("words", "fact"):
        with pytest.raises(LacunaError, match="one to compare with"):
            export_gap(
                find_model(tmp_path / name, system=ModelSystem.GAPQA),
                tmp_path / "exported",
                int8=False,
            )


def test_a_place_that_cannot_be_written_to_is_refused(trained: Path, tmp_path: Path) -> None:
    model = find_model(trained, system=ModelSystem.GAPQA)
    with pytest.raises(LacunaError, match="own folder"):
        export_gap(model, trained, int8=False)
    (tmp_path / "file").write_text("")
    with pytest.raises(LacunaError, match="is a file"):
        export_gap(model, tmp_path / "file", int8=False)
