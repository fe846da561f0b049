"""What the name of a system stands for."""

from __future__ import annotations

import pytest

from lacuna.datasets import get_dataset
from lacuna.errors import LacunaError
from lacuna.evaluation.registry import NamedSystem, SystemKind


@pytest.mark.parametrize(
    ("name", "kind", "model"),
    [
        ("reader", SystemKind.READER, "small"),
        ("reader:models/mine", SystemKind.READER, "models/mine"),
        ("reader:C:/models/mine", SystemKind.READER, "C:/models/mine"),
        ("gapqa", SystemKind.GAPQA, "gapqa"),
        ("gapqa:mine", SystemKind.GAPQA, "mine"),
        ("abstain", SystemKind.ABSTAIN, None),
        ("majority", SystemKind.BASELINE, None),
        ("transition-matrix:train.json", SystemKind.BASELINE, "train.json"),
        ("quac-paper:runs/mine", SystemKind.READER, "runs/mine"),
        ("small", SystemKind.READER, "small"),
        ("llm:qwen2.5", SystemKind.READER, "llm:qwen2.5"),
    ],
)
def test_names(name: str, kind: SystemKind, model: str | None) -> None:
    system = NamedSystem.parse(name)
    assert (system.name, system.kind, system.model) == (name, kind, model)


def test_a_model_beside_the_name() -> None:
    assert NamedSystem.parse("reader", "mine").model == "mine"
    assert NamedSystem.parse("gapqa", "mine").model == "mine"
    assert NamedSystem.parse("hotpotqa-paper", "mine").model == "mine"
    for name in ("reader:other", "abstain", "llm:qwen2.5"):
        with pytest.raises(LacunaError, match="no use for another model"):
            NamedSystem.parse(name, "mine")


def test_a_network_of_a_paper_needs_a_model_and_its_dataset() -> None:
    with pytest.raises(LacunaError, match=r"lacuna train recipes/quac-paper\.toml"):
        NamedSystem.parse("quac-paper")
    system = NamedSystem.parse("quac-paper", "mine")
    system.check(get_dataset("quac"), None)
    with pytest.raises(LacunaError, match="a network for quac alone"):
        system.check(get_dataset("squad"), None)
    assert NamedSystem.parse("reader", "mine").paper is None
