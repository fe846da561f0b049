"""The example file of each dataset; reading and changing such files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from lacuna import Question, get_dataset

FILES = {
    "iirc": "iirc.json",
    "hotpotqa": "hotpotqa.json",
    "openbookqa": "openbookqa.jsonl",
    "quac": "quac.json",
    "squad": "squad.json",
    "drop": "drop.json",
}


def questions(dataset_name: str, path: Path, **options: Any) -> list[Question]:
    with get_dataset(dataset_name).open(path, **options) as reader:
        return list(reader.questions())


def load(path: Path) -> Any:
    text = path.read_text(encoding="utf-8")
    return (
        [json.loads(line) for line in text.splitlines()]
        if path.suffix == ".jsonl"
        else json.loads(text)
    )


def save(path: Path, content: Any) -> Path:
    if path.suffix == ".jsonl":
        path.write_text("".join(json.dumps(item) + "\n" for item in content))
    else:
        path.write_text(json.dumps(content))
    return path
