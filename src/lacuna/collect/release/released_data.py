"""Which files of an export go out, and what is kept back: nothing that tells an answer of test."""

from __future__ import annotations

import shutil
from collections.abc import Collection
from dataclasses import dataclass, field
from pathlib import Path

from lacuna.datasets.base import Dataset
from lacuna.datasets.without_answers import write_without_answers
from lacuna.errors import LacunaError

HIDDEN = "hidden"
TEST = "test"
SPLITS = ("train", "dev", TEST)


@dataclass(slots=True)
class ReleasedData:
    """The questions of each file that goes out, and files with gold that stay."""

    public: dict[str, int | None] = field(default_factory=dict)
    """By file: how many questions it has; None for a file of another kind, such as articles."""
    kept_back: list[Path] = field(default_factory=list)


def part_data(
    dataset: Dataset, companions: Collection[str], exported: Path, data: Path, kept: Path
) -> ReleasedData:
    """Share an export out: ``data`` gets what is public, ``kept`` the answers of test.

    Only the splits and what is named go out: anything else may tell of the questions of test.
    """
    parted = ReleasedData()
    for folder in (data, kept):
        folder.mkdir(parents=True, exist_ok=True)
    kept.chmod(0o700)
    for path in sorted((exported / HIDDEN).glob("*")):
        parted.kept_back.append(Path(shutil.copyfile(path, kept / path.name)))
    files = (
        path
        for path in exported.iterdir()
        if path.is_file() and (_split(path) in SPLITS or path.name in companions)
    )
    for path in sorted(files, key=_usual_order):
        questions = None if path.name in companions else _count(dataset, path)
        if path.stem.startswith(TEST) and questions:
            if _has_answers(dataset, path):
                parted.kept_back.append(Path(shutil.copyfile(path, kept / path.name)))
            write_without_answers(dataset, path, data / path.name)
        else:
            shutil.copyfile(path, data / path.name)
        parted.public[path.name] = questions
    if not any(parted.public.values()):
        raise LacunaError(
            "The project has no finished question yet, so there is nothing to release. Look at it "
            "with `lacuna collect status`."
        )
    return parted


def _usual_order(path: Path) -> tuple[int, str]:
    """Train, dev, test, and then what holds no questions."""
    split = _split(path)
    return (SPLITS.index(split) if split in SPLITS else len(SPLITS), path.name)


def _split(path: Path) -> str:
    return path.stem.partition("-")[0]


def _count(dataset: Dataset, path: Path) -> int | None:
    """How many questions a file has; None for a file of another kind."""
    try:
        with dataset.open(path) as reader:
            return sum(1 for _ in reader.questions())
    except LacunaError:
        return None


def _has_answers(dataset: Dataset, path: Path) -> bool:
    with dataset.open(path) as reader:
        return any(question.gold and question.gold.answers for question in reader.questions())
