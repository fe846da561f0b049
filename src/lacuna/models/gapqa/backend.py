"""Runs GapQA's network. The shipped way is onnxruntime; training brings torch's."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from lacuna.models.gapqa.question_rows import MakesRows, QuestionRows
from lacuna.models.gapqa.relations import DIRECTIONS
from lacuna.models.gapqa.rows import Row, padded
from lacuna.models.onnx import Arrays, OnnxNetwork

Floats = NDArray[np.float32]
INPUT_NAMES = ("ids", "parts")
OUTPUT_NAMES = ("spans", "scores", "relations", "lines")
OUTPUT_WIDTHS = {**dict.fromkeys(OUTPUT_NAMES), "lines": len(DIRECTIONS)}


class ChoiceScores(NamedTuple):
    """What the network says of one choice; relations before the sigmoid."""

    fact: float
    relation: float
    relations: Floats
    lines: Floats


class GapQABackend(Protocol):
    """Anything that can run rows through the network."""

    rows: MakesRows

    def spans(self, rows: Sequence[Row]) -> list[Floats]:
        """How likely each token of a question's row begins and ends the key span: [tokens, 2]."""
        ...

    def score(self, questions: Sequence[QuestionRows]) -> list[list[ChoiceScores]]:
        """The scores of every choice of every question."""
        ...


class OnnxGapQABackend:
    """A network in one ONNX file, on the CPU.

    One run has the rows of one choice: the question's, the choice's, then those of its knowledge.
    The int8 network scales its numbers by the largest of a run, so an answer does not depend on
    what else is asked at the same time.
    """

    def __init__(self, path: Path, rows: MakesRows, *, threads: int | None = None) -> None:
        self.rows = rows
        self._network = OnnxNetwork(
            path, INPUT_NAMES, OUTPUT_WIDTHS, threads=threads, name="GapQA model"
        )

    def spans(self, rows: Sequence[Row]) -> list[Floats]:
        """Scores of the first and last token of the key span."""
        # What the other rows would hold does not matter for the span.
        outputs = self._network.run_all([_feed([row] * 3) for row in rows])
        return [spans[: len(row.ids)] for row, (spans, *_) in zip(rows, outputs, strict=True)]

    def score(self, questions: Sequence[QuestionRows]) -> list[list[ChoiceScores]]:
        """The scores of every choice, side by side."""
        runs = [
            [question.question, choice, *lines]
            for question in questions
            for choice, lines in zip(question.choices, question.knowledge, strict=True)
        ]
        outputs = iter(self._network.run_all([_feed(rows) for rows in runs]))
        return [[_scores(next(outputs)) for _ in question.choices] for question in questions]


def _feed(rows: Sequence[Row]) -> dict[str, NDArray[np.int64]]:
    return dict(zip(INPUT_NAMES, padded(rows), strict=True))


def _scores(outputs: Arrays) -> ChoiceScores:
    _, scores, relations, lines = outputs
    return ChoiceScores(float(scores[0]), float(scores[1]), relations, lines)
