"""Term vectors learned at toy size: words that stand in for each other become alike."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch")

from lacuna.errors import LacunaError
from lacuna_lab.train.terms import (
    TermPair,
    TermTraining,
    learn,
    numbered,
    training_pairs,
    with_fewer_dimensions,
)

SAME = [("delete", "remove"), ("folder", "directory"), ("ferry", "ship"), ("song", "melody")]
HOW = TermTraining(steps=60, batch=8, dimensions=6, learning_rate=0.05)


def toy_pairs() -> list[TermPair]:
    fillers = ("green", "seven", "copper", "window")
    return [
        TermPair("toys", f"the {asked} {filler}", f"{filler} {said} {number}")
        for asked, said in SAME
        for number, filler in enumerate(fillers)
    ] + [TermPair("words", filler, f"{a} {filler}") for a, _ in SAME for filler in fillers]


def test_words_that_stand_for_each_other_become_alike() -> None:
    vocabulary, pairs = numbered(toy_pairs(), 100)
    start = np.random.default_rng(3).normal(size=(len(vocabulary.terms), 6)).astype(np.float32)
    losses: list[float] = []
    table = learn(start, vocabulary, pairs, HOW, lambda step, loss: losses.append(loss))
    assert len(losses) == HOW.steps
    assert np.mean(losses[-10:]) < 0.7 * np.mean(losses[:10])
    place = {word: number for number, word in enumerate(vocabulary.words)}

    def cosine(
        table: np.ndarray[tuple[int, int], np.dtype[np.float32]], one: str, two: str
    ) -> float:
        first, second = table[place[one]], table[place[two]]
        return float(first @ second / np.linalg.norm(first) / np.linalg.norm(second))

    before = np.mean([cosine(start, *words) for words in SAME])
    assert np.mean([cosine(table, *words) for words in SAME]) > before + 0.2


def test_fewer_dimensions_keep_what_differs_most() -> None:
    flat = np.zeros((40, 5), np.float32)
    flat[:, 1] = np.linspace(-9, 9, 40)
    flat[:, 4] = np.tile([-1, 1], 20)
    reduced = with_fewer_dimensions(flat, 2)
    assert reduced.shape == (40, 2)
    assert np.linalg.norm(reduced, axis=1) == pytest.approx(np.ones(40), abs=1e-4)
    assert abs(reduced[0, 0]) > 0.99


def test_rare_terms_get_no_vector() -> None:
    vocabulary, pairs = numbered(toy_pairs(), 3)
    assert len(vocabulary.terms) == 3
    assert max(max(map(max, filter(len, pairs.questions))), 0) < 3


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with gzip.open(path, "wt", encoding="utf-8") as file:
        file.write(text)


def test_pairs_of_files(tmp_path: Path) -> None:
    with pytest.raises(LacunaError, match="none of the files"):
        list(training_pairs(tmp_path))
    asked = {"question": "When?", "title": "Ferry", "passage": "At noon."}
    write(tmp_path / "boolq" / "train.jsonl.gz", json.dumps(asked))
    hops = {
        "question": "Who?",
        "supporting_facts": [["Ferry", 0]],
        "context": [["Ferry", ["Mara sails."]], ["Lamp", ["It shines."]]],
    }
    write(tmp_path / "hotpotqa" / "train.json.gz", json.dumps([hops]))
    assert list(training_pairs(tmp_path)) == [
        TermPair("yes or no", "When?", "Ferry. At noon."),
        TermPair("hotpotqa", "Who?", "Ferry. Mara sails."),
    ]
