"""Single bits of a model's files turn over: it is refused with a reason, never read wrongly."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from lacuna.errors import LacunaError
from lacuna.models.model_folder import SHIPPED, ModelSystem, find_model
from lacuna.retrieve.term_vectors import TermVectors

Rounds = Callable[[], Iterator[random.Random]]


@pytest.mark.parametrize("name", ["small", "gapqa", "terms"])
def test_bits_that_turn_over(name: str, tmp_path: Path, rounds: Rounds) -> None:
    folder = tmp_path / name
    shutil.copytree(SHIPPED / name, folder)
    files = [path for path in folder.iterdir() if path.name not in ("CARD.md", "checksums.json")]

    def load() -> None:
        if name == "terms":
            TermVectors(folder)
        else:
            find_model(folder, system=ModelSystem(name) if name == "gapqa" else ModelSystem.READER)

    load()
    for rng in rounds():
        path = rng.choice(files)
        place, bit = rng.randrange(path.stat().st_size), 1 << rng.randrange(8)
        print(path.name, place, bit)
        _flip(path, place, bit)
        with pytest.raises(LacunaError, match="damaged"):
            load()
        _flip(path, place, bit)
    load()


def _flip(path: Path, place: int, bit: int) -> None:
    with path.open("r+b") as file:
        file.seek(place)
        (byte,) = file.read(1)
        file.seek(place)
        file.write(bytes([byte ^ bit]))
