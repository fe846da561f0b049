from __future__ import annotations

import numpy as np
import pytest

from lacuna import Choice, Question
from lacuna.models.reader.decode import Columns
from lacuna.models.reader.encode import MAX_TOKENS, ModelInput, Tokenizer, choice_inputs
from lacuna.models.reader.reader import Outputs, best_windows


def asked(fact: str | None, *choices: str) -> Question:
    made = tuple(Choice(str(number), text) for number, text in enumerate(choices))
    return Question("q", "who built the ferry", choices=made, fact=fact)


def words(read: ModelInput) -> list[str]:
    quotes = [
        read.quote(one.at, one.at + one.last - one.first - 1)
        for one in read.segments
        if one.first < one.last
    ]
    return [quote[0] for quote in quotes if quote]


@pytest.mark.parametrize(
    ("fact", "choice", "read"),
    [
        ("ann in 1901", "bob", ["bob", "ann in 1901"]),
        (None, "bob", ["bob"]),
        ("", "bob", ["bob"]),
        ("ann", "", ["ann"]),
        (None, " ", []),
    ],
)
def test_a_choice_is_read_beside_the_fact(
    tokenizer: Tokenizer, fact: str | None, choice: str, read: list[str]
) -> None:
    (one,) = choice_inputs(tokenizer, asked(fact, choice), 0)
    assert words(one) == read


@pytest.mark.parametrize(("fact", "choice"), [(2000, 3), (3, 600), (700, 600), (0, 900)])
def test_nothing_of_a_long_one_is_cut_off(tokenizer: Tokenizer, fact: int, choice: int) -> None:
    inputs = choice_inputs(tokenizer, asked("ann " * fact, "bob " * choice), 0)
    assert all(len(one.ids) <= MAX_TOKENS for one in inputs)
    sizes = {"bob": choice, "ann": fact}
    for number, word in enumerate([word for word in sizes if sizes[word]]):
        seen = [
            token
            for one in inputs
            for segment in one.segments
            if segment.document == number
            for token in range(segment.first, segment.last)
        ]
        assert set(seen) == set(range(sizes[word]))


def test_the_best_window_of_each_choice_counts(tokenizer: Tokenizer) -> None:
    question = asked("ann", "bob", "word " * 900, "")
    inputs = [one for number in range(3) for one in choice_inputs(tokenizer, question, number)]
    assert len(inputs) > 4

    def output(score: float) -> Outputs:
        row = np.zeros(Columns.PER_SEQUENCE, np.float32)
        row[Columns.CHOICE] = score
        return np.zeros((1, Columns.PER_TOKEN), np.float32), row

    scores = [0.5, *range(1, len(inputs) - 1), -1.0]
    best = best_windows(inputs, [output(score) for score in scores])
    assert [float(row[Columns.CHOICE]) for _, row in best] == [0.5, len(inputs) - 2, -1.0]
