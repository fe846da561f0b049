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


def passages(split: str) -> list[dict[str, Any]]:
    """The passages of a split, with their links and questions, as IIRC has them."""
    found: list[dict[str, Any]] = json.loads((DATA / f"{split}.json").read_text(encoding="utf-8"))
    return found


def questions(split: str) -> Iterator[dict[str, Any]]:
    """The questions of a split, each with its passage; those of test have no ``answer``."""
    for passage in passages(split):
        for question in passage["questions"]:
            yield {**question, "passage": passage["text"], "links": passage["links"]}


def articles() -> dict[str, str]:
    """The linked articles as HTML, by their titles."""
    text = (DATA / "context_articles.json").read_text(encoding="utf-8")
    found: dict[str, str] = json.loads(text)
    return found


if __name__ == "__main__":
    for name in SPLITS:
        print(name, len(list(questions(name))))
