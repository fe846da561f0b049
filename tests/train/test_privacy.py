"""What is trained on stays on the machine."""

from __future__ import annotations

from typing import Any

import pytest
from watched import watch

pytest.importorskip("torch")


def test_training_reaches_nothing_and_leaves_nothing(toy: Any) -> None:
    recipe, out = toy.recipe(epochs=1), toy.out("watched")
    with watch(toy.folder) as watched:
        watched.run(*toy.arguments(recipe, out))
    assert (out / "config.json").is_file()
