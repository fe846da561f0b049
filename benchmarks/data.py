"""Where the real datasets are: the folder that the environment variable LACUNA_DATA names."""

from __future__ import annotations

import os
from itertools import islice
from pathlib import Path

from lacuna.datasets import get_dataset
from lacuna.errors import LacunaError
from lacuna.types import Question

OPENBOOK_DEV = Path("openbookqa", "dev_complete.jsonl.gz")


def data_folder() -> Path:
    """The folder with the datasets."""
    if not (folder := os.environ.get("LACUNA_DATA")):
        raise LacunaError("Set LACUNA_DATA to the folder with the datasets.")
    return Path(folder)


def data_file(path: Path) -> Path:
    """A file of that folder; an absolute path stays as it is."""
    return path if path.is_absolute() else data_folder() / path


def read_questions(dataset: str, path: Path, limit: int | None = None) -> list[Question]:
    """The questions of a file, or the first so many."""
    with get_dataset(dataset).open(data_file(path)) as reader:
        return list(islice(reader.questions(), limit))
