"""How many files a training step goes through."""

from __future__ import annotations

from typing import Any

import pytest
from walking import Walk, walked

pytest.importorskip("torch")
pytest.importorskip("transformers")

from lacuna_lab.train.trainer import Training


def test_a_training_step(lacuna: Any, toy: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    learn = Training._learn
    walks: list[Walk] = []

    def learn_in_sight(*arguments: Any) -> None:
        with walked() as walk:
            learn(*arguments)
        walks.append(walk)

    monkeypatch.setattr(Training, "_learn", learn_in_sight)
    ran = lacuna(*toy.arguments(toy.recipe(epochs=1), toy.out("run")))
    assert ran.code == 0, ran.err
    assert max(len(walk.files) for walk in walks) <= 6
