"""The papers' networks at toy size, over the examples."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from toy_recipes import write_recipe

SMALL: dict[str, Any] = {
    "name": "toy",
    "hidden": 12,
    "vector_size": 12,
    "dropout": 0.0,
    "epochs": 40,
    "batch": 4,
    "learning_rate": 0.02,
    "held_out": 0.0,
}


@pytest.fixture
def paper_recipe(tmp_path: Path) -> Callable[..., Path]:
    """Writes a recipe of a system, some of its settings changed."""

    def write(system: str, **changes: Any) -> Path:
        return write_recipe(tmp_path, system, **{**SMALL, **changes})

    return write
