"""What `lacuna describe` tells of each split, as a file for people and one for programs."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from lacuna.collect.release.released_data import ReleasedData
from lacuna.datasets.base import Dataset
from lacuna.datasets.describing.description import DescribedPart

Statistics = Mapping[str, list[DescribedPart]]


def statistics_of(dataset: Dataset, folder: Path, data: ReleasedData) -> Statistics:
    """The tables of the dataset's paper for each split, from the very files that go out: nothing
    is told of answers that are kept back."""
    told: dict[str, list[DescribedPart]] = {}
    for name in (name for name, questions in data.public.items() if questions):
        description = dataset.description()
        with dataset.open(folder / name) as reader:
            for item in reader:
                description.add(item)
        told[Path(name).stem] = list(description.parts())
    return told


def statistics_markdown(title: str, statistics: Statistics) -> str:
    """All tables, split by split."""
    parts = [f"# Statistics: {title}"]
    for split, described in statistics.items():
        parts += [f"## {split}", *(part.to_markdown() for part in described)]
    return "\n\n".join(parts) + "\n"


def statistics_json(statistics: Statistics) -> dict[str, Any]:
    """The same as plain values."""
    return {
        split: {part.name: part.as_json() for part in described}
        for split, described in statistics.items()
    }
