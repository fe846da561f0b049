"""Score a file of predictions: what is told of it, and what stays on the server."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from lacuna.board.scoring.checked_ids import check_ids
from lacuna.board.scoring.kind_parts import (
    KindPart,
    counted,
    enough_of,
    gives_away,
    kind_parts,
    rounded,
)
from lacuna.datasets import get_dataset
from lacuna.datasets.base import Dataset
from lacuna.errors import LacunaError
from lacuna.metrics.metric import Metric, Row
from lacuna.metrics.report import Report, score_predictions
from lacuna.types import Prediction, Question

Bounds = tuple[float, float] | None


@dataclass(frozen=True, slots=True)
class ScoredFile:
    """The scores of one file, over all questions and per kind; none of a single question."""

    questions: int
    scores: Mapping[str, float | None]
    """The official ones, rounded; None for a measure that too few questions count for."""
    intervals: Mapping[str, Bounds]
    parts: tuple[KindPart, ...]
    notes: tuple[str, ...] = ()
    """What the team should know of its file."""

    def as_json(self) -> dict[str, Any]:
        """Plain values."""
        return asdict(self)

    @classmethod
    def of_json(cls, said: Mapping[str, Any]) -> ScoredFile:
        """The reverse."""
        intervals = {
            name: None if bounds is None else (bounds[0], bounds[1])
            for name, bounds in said["intervals"].items()
        }
        parts = tuple(KindPart(**{**part, "kinds": tuple(part["kinds"])}) for part in said["parts"])
        return cls(said["questions"], said["scores"], intervals, parts, tuple(said["notes"]))


class HiddenFileDamagedError(Exception):
    """The hidden answers cannot be read; what is wrong with them is not for who sent a file."""


@dataclass(frozen=True, slots=True)
class HiddenRows:
    """The scores of each question, which no one but the server gets."""

    measures: tuple[str, ...]
    groups: list[int]
    rows: list[Row]


def read_gold(dataset: Dataset, path: Path) -> list[Question]:
    """The questions of a hidden file, which must all have an answer."""
    questions = dataset.gold_at_once(path)
    if questions is None:
        with dataset.open(path, gold_only=True) as reader:
            questions = list(reader.questions())
    without = [
        question.id for question in questions if not (question.gold and question.gold.answers)
    ]
    if not questions or without:
        what = f"{len(without):,} questions without an answer, such as {without[0]!r}"
        raise LacunaError(
            f"{path} has {what if questions else 'no question'}. Give a file in which every "
            "question has its answer: it is what submissions are scored by."
        )
    return questions


def score_file(
    dataset: str, gold: Path, predictions: Path, smallest_part: int
) -> tuple[ScoredFile, HiddenRows]:
    """Check and score a file of predictions."""
    source = get_dataset(dataset)
    metric = source.metric()
    predicted = source.read_predictions(predictions)
    try:
        questions = read_gold(source, gold)
    except LacunaError as error:
        raise HiddenFileDamagedError from error
    check_ids(metric, questions, predicted)
    return _scored(metric, questions, predicted, smallest_part)


def score_abstention(dataset: Dataset, gold: Path, smallest_part: int) -> tuple[ScoredFile, Metric]:
    """The floor: what a system gets that never answers, and the scorer that says so."""
    metric = dataset.metric()
    questions = read_gold(dataset, gold)
    abstaining = {question.id: metric.abstention(question) for question in questions}
    scored, _ = _scored(metric, questions, abstaining, smallest_part)
    return scored, metric


def _scored(
    metric: Metric,
    questions: list[Question],
    predicted: Mapping[str, Prediction],
    smallest_part: int,
) -> tuple[ScoredFile, HiddenRows]:
    report = score_predictions(metric, questions, predicted)
    counts, enough = counted(metric, report.scores), enough_of(report.scores, smallest_part)
    parts = kind_parts(metric, report.scores, smallest_part)
    of_parts = [part.counted for part in parts]
    told = {
        name
        for name, count in counts.items()
        if count >= enough and not gives_away(metric, name, of_parts, enough)
    }
    scored = ScoredFile(
        questions=report.questions,
        scores={
            name: rounded(metric, report.official.get(name)) if name in told else None
            for name in report.measures
        },
        intervals={
            name: _bounds(metric, report.interval.get(name)) if name in told else None
            for name in report.measures
        },
        parts=parts,
        notes=_notes(report),
    )
    rows = HiddenRows(
        tuple(report.measures),
        [score.group for score in report.scores],
        [score.row for score in report.scores],
    )
    return scored, rows


def _bounds(metric: Metric, bounds: Bounds) -> Bounds:
    if bounds is None:
        return None
    low, high = (rounded(metric, bound) for bound in bounds)
    assert low is not None
    assert high is not None
    return low, high


def _notes(report: Report) -> tuple[str, ...]:
    return tuple(
        f"{count:,} of {report.questions:,} predictions have no {part}, which counts as wrong."
        for part, count in report.lacking.items()
    )
