"""Load the dataset. Needs Python alone; lies beside the folder ``data``.

from load import questions
for question in questions("train"): ...
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

DATA = Path(__file__).parent / "data"
SPLITS = ("train", "dev", "test")


def questions(split: str) -> Iterator[Any]:
    """The items of a split as its file has them; in test they have no answers."""
    (path,) = (path for path in DATA.iterdir() if path.stem == split)
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".jsonl":
        yield from map(json.loads, text.splitlines())
        return
    items = json.loads(text)
    yield from items["data"] if isinstance(items, dict) else items


if __name__ == "__main__":
    for file in (each for each in sorted(DATA.iterdir()) if each.stem in SPLITS):
        print(file.stem, len(list(questions(file.stem))))
