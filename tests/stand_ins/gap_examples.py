"""Examples to train GapQA on that are so small that a test can."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import numpy as np

from lacuna.models.gapqa.gapqa_reader import QuestionRows
from lacuna.models.gapqa.rows import Part, Row
from lacuna_lab.gapqa.data import GapExample
from lacuna_lab.gapqa.network import FIRST_WORD, Vocabulary, WordRows

COLOURS = ("red", "green", "blue", "grey")
VOCABULARY = Vocabulary([*COLOURS, "what", "colour", "is", "it"])
VECTORS = np.random.default_rng(1).normal(0, 1, (FIRST_WORD + len(VOCABULARY.known), 6))
VECTORS = VECTORS.astype(np.float32)
"""Stand-ins for word vectors."""


def colour_examples(*, knowledge: bool = True) -> list[GapExample]:
    """Questions of two choices; the right one is that whose word stands in the fact."""
    rows = WordRows(VOCABULARY)
    return [
        GapExample(
            f"{said}, not {other}, {right}",
            QuestionRows(
                rows.question_row("what colour", f"it is {said}"),
                tuple(rows.choice_row("what colour", one, f"it is {said}") for one in choices),
                tuple(
                    (rows.knowledge_row(said, one, f"{said} is {one}"),) if knowledge else ()
                    for one in choices
                ),
            ),
            right,
        )
        for said, other in permutations(COLOURS, 2)
        for right, choices in enumerate([(said, other), (other, said)])
    ]


def weights(network: Any) -> dict[str, Any]:
    """What a network has learned by now."""
    return {name: value.clone() for name, value in network.state_dict().items()}


def changed(before: dict[str, Any], after: dict[str, Any]) -> set[str]:
    """The names of the weights that differ."""
    assert before.keys() == after.keys()
    return {name for name in before if bool((before[name] != after[name]).any())}


def row(*texts: tuple[Part, int]) -> Row:
    """A row of made-up words, so many for each part."""
    size = sum(length for _, length in texts)
    ids = iter(range(100 * size, 100 * size + size))  # rows of other lengths have other words
    return Row.joined([(part, [next(ids) for _ in range(length)]) for part, length in texts])


def uneven_examples() -> list[GapExample]:
    """Questions with other numbers of choices, of lines, of words, and of what is known of them."""
    made = []
    for number, lines in enumerate([(2, 0), (1, 3, 1), (0, 0), (1, 1, 2, 1)]):
        length = 3 + number
        made.append(
            GapExample(
                f"question {number}",
                QuestionRows(
                    row((Part.QUESTION, length), (Part.FACT, 2)),
                    tuple(
                        row((Part.QUESTION, length), (Part.CHOICE, 7 * at + 1), (Part.FACT, 2))
                        for at in range(len(lines))
                    ),
                    tuple(
                        tuple(
                            row(
                                (Part.SPAN, 1),
                                (Part.CHOICE, 31 * number + 5 * at),
                                (Part.KNOWLEDGE, k),
                            )
                            for k in range(1, size + 1)
                        )
                        for at, size in enumerate(lines)
                    ),
                ),
                right=len(lines) - 1,
                span=(length, length + 1) if number % 2 else None,
                relations=frozenset({number, 16}) if number else frozenset(),
                lines=tuple((number + at) % 18 for at in range(sum(lines))) if number else (),
            )
        )
    return made
