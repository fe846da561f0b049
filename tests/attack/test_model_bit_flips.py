"""Single bits of a model's files turn over: it is refused with a reason, never read wrongly."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from lacuna.errors import LacunaError
from lacuna.models.model_folder import SHIPPED, ModelSystem, find_model
from lacuna.retrieve.hybrid import TermVectors

Rounds = Callable[[], Iterator[random.Random]]
NOT_READ = ("CARD.md", "checksums.json")


def load(folder: Path) -> None:
    if folder.name == "terms":
        TermVectors(folder)
    elif folder.name == "gapqa":
        find_model(folder, system=ModelSystem.GAPQA)
    else:
        find_model(folder)


def test_bits_that_turn_over(tmp_path: Path, rounds: Rounds) -> None:
    shutil.copytree(SHIPPED, tmp_path / "models")
    folders = [path for path in (tmp_path / "models").iterdir() if path.is_dir()]
    for rng in rounds():
        folder = rng.choice(folders)
        load(folder)
        path = rng.choice([path for path in folder.iterdir() if path.name not in NOT_READ])
        place, bit = rng.randrange(path.stat().st_size), 1 << rng.randrange(8)
        print(path, place, bit)
        _flip(path, place, bit)
        with pytest.raises(LacunaError, match="damaged"):
            load(folder)
        _flip(path, place, bit)
        load(folder)


def _flip(path: Path, place: int, bit: int) -> None:
    with path.open("r+b") as file:
        file.seek(place)
        (byte,) = file.read(1)
        file.seek(place)
        file.write(bytes([byte ^ bit]))
