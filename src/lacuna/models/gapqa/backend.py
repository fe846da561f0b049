"""Runs GapQA's network. The shipped way is onnxruntime; training brings torch's."""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from lacuna.errors import LacunaError
from lacuna.models.gapqa.question_rows import MakesRows, QuestionRows
from lacuna.models.gapqa.relations import DIRECTIONS
from lacuna.models.gapqa.rows import Row, padded
from lacuna.models.reader.backend import open_session

Floats = NDArray[np.float32]
INPUT_NAMES = ("ids", "parts")
OUTPUT_NAMES = ("spans", "scores", "relations", "lines")


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
        self._session = open_session(path, threads)
        self._side_by_side = ThreadPoolExecutor(threads or os.cpu_count())
        takes = {one.name for one in self._session.get_inputs()}
        gives = {one.name: one.shape[-1] for one in self._session.get_outputs()}
        if takes != set(INPUT_NAMES) or gives.get("lines") != len(DIRECTIONS):
            raise LacunaError(
                f"{path} cannot be loaded as a GapQA model: it takes {', '.join(sorted(takes))} "
                f"and gives {gives}. Get it again, or train it anew."
            )

    def spans(self, rows: Sequence[Row]) -> list[Floats]:
        """Scores of the first and last token of the key span."""
        # What the other rows would hold does not matter for the span.
        return list(
            self._side_by_side.map(lambda row: self._run([row] * 3)[0][: len(row.ids)], rows)
        )

    def score(self, questions: Sequence[QuestionRows]) -> list[list[ChoiceScores]]:
        """The scores of every choice, side by side."""
        runs = [
            [one.question, choice, *lines]
            for one in questions
            for choice, lines in zip(one.choices, one.knowledge, strict=True)
        ]
        made = iter(self._side_by_side.map(self._run, runs))
        return [[_scores(next(made)) for _ in one.choices] for one in questions]

    def _run(self, rows: Sequence[Row]) -> list[Any]:
        feed = dict(zip(INPUT_NAMES, padded(rows), strict=True))
        return list(self._session.run(list(OUTPUT_NAMES), feed))


def _scores(outputs: list[Any]) -> ChoiceScores:
    _, scores, relations, lines = outputs
    return ChoiceScores(float(scores[0]), float(scores[1]), relations, lines)
