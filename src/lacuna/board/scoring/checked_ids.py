"""Whether a file of predictions is for exactly the questions of a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lacuna.errors import LacunaError
from lacuna.metrics.metric import Metric
from lacuna.types import Prediction, Question

NAMED = 5
"""Ids that are named; of the others it is told how many there are."""


def check_ids(
    metric: Metric, questions: Sequence[Question], predictions: Mapping[str, Prediction]
) -> None:
    """Refuse a file that lacks questions, or has others; an id that stands there twice was
    refused when the file was read."""
    known = [metric.prediction_ids(question) for question in questions]
    missing = [ids[0] for ids in known if not any(id_ in predictions for id_ in ids)]
    unknown = sorted(set(predictions).difference(*known))
    told = []
    if missing:
        told.append(f"{_counted(missing, 'question has', 'questions have')} no prediction")
    if unknown:
        told.append(f"{_counted(unknown, 'prediction is', 'predictions are')} for unknown ids")
    if told:
        names = [f"{_few(ids)}" for ids in (missing, unknown) if ids]
        both = "; ".join(f"{what}: {which}" for what, which in zip(told, names, strict=True))
        raise LacunaError(
            f"{both}. Send a file with one prediction for each of the {len(questions):,} questions."
        )


def _counted(ids: Sequence[str], one: str, several: str) -> str:
    return f"{len(ids):,} {one if len(ids) == 1 else several}"


def _few(ids: Sequence[str]) -> str:
    more = f" and {len(ids) - NAMED:,} more" if len(ids) > NAMED else ""
    return ", ".join(repr(id_[:80]) for id_ in ids[:NAMED]) + more
