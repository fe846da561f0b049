"""The order of examples: texts are held out whole, and batches pad little."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
import pytest

pytest.importorskip("torch")

from lacuna_lab.papers.words import PaperDataset, TextExample


def dataset(count: int) -> PaperDataset:
    none = np.zeros(0, np.int32)
    examples = [
        TextExample(
            context=np.zeros(1 + number * 7 % 100, np.int32),
            places=none,
            question=none,
            starts=none,
            ends=none,
            group=str(number // 4),
        )
        for number in range(count)
    ]
    return PaperDataset(cast(Any, None), examples, cast(Any, None))


def test_questions_about_one_text_are_held_out_together() -> None:
    data = dataset(200)
    trained_on, held_out = data.split(0.1)
    assert (len(trained_on), len(held_out)) == (180, 20)
    groups = [{data.examples[n].group for n in part} for part in (trained_on, held_out)]
    assert not groups[0] & groups[1]
    assert data.split(0.1) == (trained_on, held_out)
    assert data.split(0.0)[1] == []


def test_batches_hold_every_example_once_and_texts_of_similar_length() -> None:
    data, numbers = dataset(403), list(range(403))
    order = data.shuffled(numbers, 8, np.random.default_rng(1))
    assert sorted(order) == numbers
    assert order != data.shuffled(numbers, 8, np.random.default_rng(2))
    lengths = [data.examples[n].length for n in order]
    apart = [max(lengths[at : at + 8]) - min(lengths[at : at + 8]) for at in range(0, 400, 8)]
    assert np.mean(apart) < 10
