"""What is read off a result for a column of a table, in %."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lacuna.experiment import SystemResult
from lacuna.metrics.score_tables import scaled
from lacuna.metrics.seeds import spread

ReadsResult = Callable[[SystemResult], float | None]


@dataclass(frozen=True, slots=True)
class ScoreColumn:
    """A column: what it is called, and how it is read off a result."""

    name: str
    read: ReadsResult


def official(name: str, measure: str) -> ScoreColumn:
    """A number of the official scorer."""
    return ScoreColumn(name, lambda result: _percent(result, result.report.official.get(measure)))


def labelled(name: str, label: str, value: str, measure: str) -> ScoreColumn:
    """The same for the questions with one value of a label."""

    def read(result: SystemResult) -> float | None:
        part = result.report.facets.get(label, {}).get(value, {})
        return _percent(result, part.get(measure))

    return ScoreColumn(name, read)


def abstained(name: str, which: str) -> ScoreColumn:
    """Precision, recall or F1 of recognising questions without an answer."""
    return ScoreColumn(name, lambda result: scaled(result.report.abstention.as_json()[which], 100))


def human(name: str, measure: str) -> ScoreColumn:
    """What annotators reach against each other, whatever the system."""
    return ScoreColumn(name, lambda result: _percent(result, result.report.human.get(measure)))


def over_seeds(results: Sequence[SystemResult], measure: ScoreColumn) -> float | str | None:
    """One number, or the mean and deviation over seeds with how many they are.

    >>> over_seeds([], ScoreColumn("F1", lambda result: 1.0)) is None
    True
    """
    return seeds_cell(map(measure.read, results))


def seeds_cell(values: Iterable[float | None]) -> float | str | None:
    """The same of the values in %, one for each seed; None are left out.

    >>> seeds_cell([60.0, 64.0]), seeds_cell([60.0, None])
    ('62.00 ± 2.0 (2)', 60.0)
    """
    known = [value for value in values if value is not None]
    if len(known) < 2:
        return known[0] if known else None
    mean = spread(value / 100 for value in known)
    return f"{mean} ({mean.runs})"


def part_cell(
    results: Sequence[SystemResult], part: Callable[[SystemResult], Mapping[str, Any]], measure: str
) -> float | str | None:
    """The same for a part of the questions: a row of a breakdown."""
    return over_seeds(
        results, ScoreColumn("", lambda result: _percent(result, part(result).get(measure)))
    )


def _percent(result: SystemResult, value: float | None) -> float | None:
    return scaled(value, 100 / result.metric.scale)
