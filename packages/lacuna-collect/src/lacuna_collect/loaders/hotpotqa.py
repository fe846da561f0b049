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
SPLITS = ("train", "dev", "test-distractor", "test-fullwiki")


def questions(split: str) -> Iterator[dict[str, Any]]:
    """The questions of a split, each with its paragraphs; those of test have no ``answer``."""
    yield from json.loads((DATA / f"{split}.json").read_text(encoding="utf-8"))


if __name__ == "__main__":
    for name in SPLITS:
        print(name, len(list(questions(name))))
