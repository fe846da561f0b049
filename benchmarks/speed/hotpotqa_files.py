"""Make HotpotQA-format files of any size by repeating the questions at hand under new ids."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from itertools import count, islice
from pathlib import Path
from typing import Any

from benchmarks.data import data_folder
from lacuna.datasets import get_dataset


def raw_questions() -> Iterator[dict[str, Any]]:
    """The questions of the sample, over and over, each time under a new id."""
    hotpot = get_dataset("hotpotqa")
    with hotpot.open(data_folder() / "hotpotqa" / "train.json.gz") as reader:
        raws = [hotpot.forms[0].encode(item)[1] for item in reader]
    for number in count():
        yield {**raws[number % len(raws)], "_id": f"q{number}"}


def write_gold(path: Path, questions: int) -> None:
    """A gold file with that many questions."""
    path.write_text(json.dumps(list(islice(raw_questions(), questions))), encoding="utf-8")


def write_gold_of_size(path: Path, size: int) -> int:
    """A gold file of at least that many bytes; says how many questions it took."""
    with path.open("w", encoding="utf-8") as out:
        out.write("[")
        for number, raw in enumerate(raw_questions(), 1):
            out.write(("" if number == 1 else ", ") + json.dumps(raw))
            if out.tell() >= size:
                break
        out.write("]")
    return number


def write_predictions(gold: Path, path: Path) -> None:
    """Predictions as a middling system makes them: right, partly right, wrong, and missing."""
    chance = random.Random(7)
    answers: dict[str, str] = {}
    facts: dict[str, list[Any]] = {}
    for raw in json.loads(gold.read_text(encoding="utf-8")):
        words = raw["answer"].split()
        luck = chance.random()
        if luck < 0.98:
            answers[raw["_id"]] = raw["answer"] if luck < 0.4 else " ".join(["the", *words[:2]])
            facts[raw["_id"]] = raw["supporting_facts"][: chance.randint(1, 3)]
    path.write_text(json.dumps({"answer": answers, "sp": facts}), encoding="utf-8")
