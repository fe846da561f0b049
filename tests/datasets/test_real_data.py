"""Every real file is read, counted as its owners count it, and given back equal."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from lacuna import get_dataset
from lacuna.datasets.base import Raw
from lacuna.datasets.convert import Summary
from lacuna.datasets.openbookqa import is_short

COUNTS: list[tuple[str, str, dict[str, Any]]] = [
    (
        "iirc",
        "iirc/dev.json.gz",
        {
            "texts": 430,
            "questions": 1301,
            "type": {"span": 593, "value": 233, "binary": 128, "none": 347},
        },
    ),
    (
        "iirc",
        "iirc/train_snippets.jsonl.gz",
        {"questions": 9076, "reference_answers": 8805, "texts": 1571},
    ),
    ("hotpotqa", "hotpotqa/train.json.gz", {"questions": 6407}),
    ("hotpotqa", "hotpotqa/dev.json.gz", {"questions": 494, "candidate_documents": 4940}),
    ("hotpotqa", "hotpotqa/dev_fullwiki.json.gz", {"questions": 1230}),
    ("hotpotqa", "hotpotqa/train_gold_only.jsonl.gz", {"questions": 10000}),
    ("hotpotqa", "hotpotqa/abstracts_pool.jsonl.gz", {"texts": 75844}),
    ("hotpotqa", "hotpotqa/abstracts_sample.jsonl.gz", {"texts": 27654}),
    ("hotpotqa", "2wikimultihopqa/train.json.gz", {"questions": 2112}),
    ("quac", "quac/train.json.gz", {"items": 11393, "questions": 82358}),
    ("quac", "quac/dev.json.gz", {"items": 451, "questions": 3344}),
    ("quac", "quac/train_acts.json.gz", {"items": 33, "questions": 241}),
    ("quac", "quac/dev_acts.json.gz", {"items": 12, "questions": 88}),
    ("openbookqa", "openbookqa/train_complete.jsonl.gz", {"questions": 4957}),
    ("openbookqa", "openbookqa/dev_complete.jsonl.gz", {"questions": 500}),
    ("openbookqa", "openbookqa/openbook.txt", {"texts": 1326}),
    ("openbookqa", "openbookqa/crowdsourced-facts.txt", {"texts": 5166}),
    ("squad", "squad/train-v1.1.json.gz", {"questions": 87599}),
    ("squad", "squad/dev-v1.1.json.gz", {"items": 35}),
    ("squad", "squad/train-v2.0.json.gz", {"questions": 7561}),
    ("squad", "squad/dev-v2.0.json.gz", {"questions": 1542}),
    ("drop", "drop/train.json.gz", {"questions": 7375}),
    ("drop", "drop/dev.json.gz", {"questions": 745}),
    ("drop", "drop/contrast_sets.json", {"questions": 947}),
]


def content(path: Path) -> Any:
    raw = path.read_bytes()
    text = (gzip.decompress(raw) if path.suffix == ".gz" else raw).decode()
    if ".txt" in path.suffixes:
        return text
    if ".jsonl" in path.suffixes:
        return [json.loads(line) for line in text.split("\n") if line]
    return json.loads(text)


@pytest.mark.parametrize(("dataset_name", "name", "counts"), COUNTS)
def test_counts_and_round_trip(
    data_folder: Path, tmp_path: Path, dataset_name: str, name: str, counts: dict[str, Any]
) -> None:
    source = data_folder / name
    target = tmp_path / source.name.removesuffix(".gz")
    dataset = get_dataset(dataset_name)
    summary = Summary(dataset)
    with dataset.open(source) as reader:
        for _ in summary.counted(reader):
            pass
    with dataset.open(source) as reader:
        dataset.copy(reader, target)
    found = summary.as_json()
    assert {key: found[key] for key in counts} == counts
    assert content(target) == content(source)


OTHER_FORMATS = {"squad/train-v2.0-unanswerable.jsonl.gz"}
"""Made from a dataset's questions, but not in a format of its own."""


def test_every_file_of_the_six_datasets_is_among_them(data_folder: Path) -> None:
    folders = ("iirc", "hotpotqa", "openbookqa", "quac", "squad", "drop", "2wikimultihopqa")
    there = {
        f"{folder}/{path.name}" for folder in folders for path in (data_folder / folder).iterdir()
    }
    assert there - OTHER_FORMATS == {name for _, name, _ in COUNTS}


def test_iirc_answers_mean_what_the_drop_style_ones_say(data_folder: Path) -> None:
    """The dev file holds each answer in both forms; our reading of both must agree."""
    iirc = get_dataset("iirc")
    drop_style = iirc.forms[1]
    compared: Counter[str] = Counter()
    with iirc.open(data_folder / "iirc/dev.json.gz") as reader:
        for item in reader:
            for question in item.questions:
                raw = {
                    "passage": "",
                    "qa_pairs": [
                        {
                            "query_id": question.id,
                            "question": "",
                            "answer": question.extra["gold_answers_drop"][0],
                        }
                    ],
                }
                other = drop_style.decode(Raw(raw, "p", 1, False)).question
                assert question.gold is not None
                assert other.gold is not None
                one, two = question.gold.answers[0], other.gold.answers[0]
                assert (one.kind, one.texts, one.value) == (two.kind, two.texts, two.value)
                compared[one.kind] += 1
    assert compared.total() == 1301


def test_more_than_half_of_openbookqa_is_short(data_folder: Path) -> None:
    """The paper counts 290 of the 500 test questions; these are the dev ones."""
    with get_dataset("openbookqa").open(data_folder / "openbookqa/dev_complete.jsonl.gz") as reader:
        short = sum(map(is_short, reader.questions()))
    assert short == 271
