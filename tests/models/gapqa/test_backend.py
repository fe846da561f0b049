"""The way to onnxruntime, with a stand-in for its session."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from gap_toys import shipped_pieces
from numpy.typing import NDArray

from lacuna.errors import LacunaError
from lacuna.models import onnx
from lacuna.models.gapqa.gapqa_reader import (
    INPUT_NAMES,
    OUTPUT_NAMES,
    OnnxGapQABackend,
    QuestionRows,
)
from lacuna.models.gapqa.relations import DIRECTIONS
from lacuna.models.gapqa.rows import Part, Row, RowMaker


class Named(NamedTuple):
    name: str
    shape: tuple[Any, ...] = ()


class Session:
    """Gives back what it was given: ids as spans, the first ids as scores, and as many lines as
    there are rows of knowledge."""

    takes: tuple[str, ...] = INPUT_NAMES
    directions = len(DIRECTIONS)

    def get_inputs(self) -> list[Named]:
        return [Named(name) for name in self.takes]

    def get_outputs(self) -> list[Named]:
        return [Named(name, ("rows", self.directions)) for name in OUTPUT_NAMES]

    def run(self, names: list[str], feed: dict[str, NDArray[np.int64]]) -> list[Any]:
        assert names == list(OUTPUT_NAMES)
        ids = feed["ids"]
        assert (ids[feed["parts"] == Part.PADDING] == 0).all()
        assert len(ids) > 1
        spans = np.stack([ids[0], -ids[0]], 1).astype(np.float32)
        lines = np.repeat(ids[2:, :1], self.directions, 1).astype(np.float32)
        scores = np.array([ids[0, 0], ids[1, 0]], np.float32)
        return [spans, scores, lines.sum(0), lines]


def opened(monkeypatch: pytest.MonkeyPatch, session: Session) -> OnnxGapQABackend:
    monkeypatch.setattr(onnx, "open_session", lambda *_: session)
    return OnnxGapQABackend(Path("model.onnx"), RowMaker(shipped_pieces()), threads=2)


def row(*ids: int) -> Row:
    return Row.joined([(Part.QUESTION, ids)])


def test_every_choice_gets_its_own_scores(monkeypatch: pytest.MonkeyPatch) -> None:
    made = opened(monkeypatch, Session())
    questions = [
        QuestionRows(row(7, 1, 1), (row(10), row(11)), ((row(20), row(21, 5, 5, 5)), (row(22),))),
        QuestionRows(row(8), (row(12), row(13), row(14)), ((), (row(23),), ())),
    ]
    scores = made.score(questions)
    assert [[(one.fact, one.relation) for one in some] for some in scores] == [
        [(7, 10), (7, 11)],
        [(8, 12), (8, 13), (8, 14)],
    ]
    assert [[one.lines[:, 0].tolist() for one in some] for some in scores] == [
        [[20, 21], [22]],
        [[], [23], []],
    ]
    assert scores[0][0].relations[0] == 41
    assert made.score([]) == []


def test_spans_are_scored_for_the_rows_own_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = opened(monkeypatch, Session()).spans([row(7, 8, 9), row(5)])
    assert first.tolist() == [[7, -7], [8, -8], [9, -9]]
    assert second.tolist() == [[5, -5]]


def test_a_network_of_another_make_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    reading = Session()
    reading.takes = ("ids", "marks", "mask")
    fewer = Session()
    fewer.directions = 9
    for session in (reading, fewer):
        with pytest.raises(LacunaError, match="cannot be loaded as a GapQA model"):
            opened(monkeypatch, session)


def test_the_readers_own_model_is_refused() -> None:
    from lacuna.models.model_folder import SHIPPED, WEIGHTS

    with pytest.raises(LacunaError, match="it takes ids, marks, mask"):
        OnnxGapQABackend(SHIPPED / "small" / WEIGHTS, RowMaker(shipped_pieces()), threads=1)
