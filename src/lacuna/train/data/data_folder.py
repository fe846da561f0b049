"""Which files of a data folder are trained on, and which are kept for evaluation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from lacuna.datasets import get_dataset
from lacuna.errors import LacunaError
from lacuna.types import Question

BAD_ITEM = "a broken item"


@dataclass(frozen=True, slots=True)
class DataFile:
    """A dataset's file, relative to the data folder.

    ``telling`` is False where the same words are asked of many texts ("When was he born?"), so
    that equal words do not make two questions the same.
    """

    task: str
    path: str
    telling: bool = True


TRAIN = {
    "squad1": DataFile("squad", "squad/train-v1.1.json.gz"),
    "squad2": DataFile("squad", "squad/train-v2.0.json.gz"),
    "hotpotqa": DataFile("hotpotqa", "hotpotqa/train.json.gz"),
    "hotpotqa_gold": DataFile("hotpotqa", "hotpotqa/train_gold_only.jsonl.gz"),
    "twowiki": DataFile("hotpotqa", "2wikimultihopqa/train.json.gz"),
    "iirc": DataFile("iirc", "iirc/train_snippets.jsonl.gz"),
    "quac": DataFile("quac", "quac/train.json.gz", telling=False),
    "quac_acts": DataFile("quac", "quac/train_acts.json.gz", telling=False),
    "drop": DataFile("drop", "drop/train.json.gz", telling=False),
    "openbookqa": DataFile("openbookqa", "openbookqa/train_complete.jsonl.gz"),
}
DEV = {
    "squad1": DataFile("squad", "squad/dev-v1.1.json.gz"),
    "squad2": DataFile("squad", "squad/dev-v2.0.json.gz"),
    "hotpotqa": DataFile("hotpotqa", "hotpotqa/dev.json.gz"),
    "iirc": DataFile("iirc", "iirc/dev.json.gz"),
    "quac": DataFile("quac", "quac/dev.json.gz", telling=False),
    "quac_acts": DataFile("quac", "quac/dev_acts.json.gz", telling=False),
    "drop": DataFile("drop", "drop/dev.json.gz", telling=False),
    "openbookqa": DataFile("openbookqa", "openbookqa/dev_complete.jsonl.gz"),
}
PARAGRAPHS = "hotpotqa/abstracts_pool.jsonl.gz"


def named(files: dict[str, DataFile], name: str) -> DataFile:
    """The file of that name."""
    if name not in files:
        raise LacunaError(f"There is no {name!r}. Take one of {', '.join(files)}.")
    return files[name]


def read(file: DataFile, folder: Path, left_out: Counter[str] | None = None) -> Iterator[Question]:
    """The questions of a file; broken items are passed over and counted."""
    with get_dataset(file.task).open(folder / file.path, skip_bad=True) as reader:
        yield from reader.questions()
        if left_out is not None and reader.bad:
            left_out[BAD_ITEM] += len(reader.bad)
