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


def dialogs(split: str) -> Iterator[dict[str, Any]]:
    """The dialogs of a split: a section (``context``) and what was asked about it (``qas``)."""
    for article in json.loads((DATA / f"{split}.json").read_text(encoding="utf-8"))["data"]:
        about = {name: value for name, value in article.items() if name != "paragraphs"}
        for dialog in article["paragraphs"]:
            yield {**about, **dialog}


def questions(split: str) -> Iterator[dict[str, Any]]:
    """The questions of a split in their order, each with its dialog's id and section; those of
    test have no answer."""
    for dialog in dialogs(split):
        for question in dialog["qas"]:
            yield {"dialog": dialog["id"], "context": dialog["context"], **question}


if __name__ == "__main__":
    for name in SPLITS:
        print(name, len(list(questions(name))))
