"""The first questions of a file, as a file of their own."""

from __future__ import annotations

from pathlib import Path

from lacuna.datasets import get_dataset


def first_questions(name: str, file: Path, count: int, out: Path) -> Path:
    """So many, or a few more where several belong together."""
    dataset = get_dataset(name)
    items, size = [], 0
    with dataset.open(file) as reader:
        for item in reader:
            if size >= count:
                break
            items.append(item)
            size += len(list(item.questions))
        dataset.write(out, items, form=reader.form, shape=reader.shape, header=reader.header)
    return out
