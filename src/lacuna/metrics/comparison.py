"""Several systems on the same questions, side by side, each tested against a baseline."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from lacuna.errors import ItemError, LacunaError
from lacuna.metrics.metric import Row
from lacuna.metrics.paired_test import PairedTest, paired_test
from lacuna.metrics.score_tables import ScoreTable, between, scaled

Bounds = tuple[float, float] | None


@dataclass(frozen=True, slots=True)
class ComparedSystem:
    """The scores of one system: over all questions, and ``rows`` with those of each question."""

    name: str
    scores: Mapping[str, float | None]
    intervals: Mapping[str, Bounds]
    rows: Sequence[Row] = field(repr=False)


@dataclass(frozen=True, slots=True)
class ComparisonTable:
    """Systems by measures: scores, 95% intervals, and a paired test against the baseline.

    ``rows`` of a system have a value for each of ``measures``; ``main`` are the measures that the
    table shows. ``scale`` is what a perfect score is, 1 or 100; measures in ``ranks`` are no
    shares, and stay as they are. ``floor`` are the scores of never answering, ``human`` those of
    annotators, where they mean something; ``left_out`` are the broken items of the file.
    """

    title: str
    measures: tuple[str, ...]
    main: tuple[str, ...]
    groups: Sequence[int] = field(repr=False)
    systems: tuple[ComparedSystem, ...]
    baseline: int | None = 0
    scale: float = 1.0
    ranks: frozenset[str] = frozenset()
    floor: Mapping[str, float | None] = field(default_factory=dict)
    human: Mapping[str, float | None] = field(default_factory=dict)
    left_out: tuple[ItemError, ...] = ()
    tests: tuple[Mapping[str, PairedTest | None] | None, ...] = field(init=False)
    """Of each system, against the baseline; None for the baseline itself."""

    def __post_init__(self) -> None:
        tests = tuple(map(self._test, range(len(self.systems))))
        object.__setattr__(self, "tests", tests)

    def _test(self, number: int) -> Mapping[str, PairedTest | None] | None:
        if self.baseline is None or number == self.baseline:
            return None
        return paired_test(
            self.groups,
            self.systems[number].rows,
            self.systems[self.baseline].rows,
            self.measures,
            scale=self.scale,
        )

    def table(self) -> ScoreTable:
        """One line for each measure and system."""
        columns = ("measure", "system", "score", "95% interval", *self._difference_columns())
        return ScoreTable(self.title, columns, tuple(self._lines()))

    def to_markdown(self) -> str:
        """The table as Markdown."""
        return self.table().to_markdown()

    def to_json(self) -> dict[str, Any]:
        """Plain values, for ``json.dumps``."""
        return {
            "baseline": None if self.baseline is None else self.systems[self.baseline].name,
            "systems": [
                {
                    "system": system.name,
                    **system.scores,
                    "interval_95": dict(system.intervals),
                    "against_baseline": self.test_json(number),
                }
                for number, system in enumerate(self.systems)
            ],
        }

    def test_json(self, number: int) -> dict[str, Any] | None:
        """One system's tests against the baseline, by measure."""
        tests = self.tests[number]
        if tests is None:
            return None
        return {name: None if test is None else asdict(test) for name, test in tests.items()}

    def _difference_columns(self) -> tuple[str, ...]:
        if self.baseline is None or len(self.systems) == 1:
            return ()
        return (f"difference from {self.systems[self.baseline].name}", "p-value")

    def _lines(self) -> Iterator[tuple[Any, ...]]:
        compared = bool(self._difference_columns())
        for measure in self.main:
            times = 1.0 if measure in self.ranks else 100 / self.scale
            for number, system in enumerate(self.systems):
                score = scaled(system.scores.get(measure), times)
                bounds = between(system.intervals.get(measure), times)
                line = (measure, system.name, score, bounds)
                yield (*line, *self._difference(number, measure, times)) if compared else line
            for name, beside in (("always abstain", self.floor), ("human", self.human)):
                if beside:
                    score = scaled(beside.get(measure), times)
                    yield (measure, name, score, "", *(("", "") if compared else ()))

    def _difference(self, number: int, measure: str, times: float) -> tuple[str, str]:
        tests = self.tests[number]
        if tests is None:
            return "", ""
        test = tests.get(measure)
        if test is None:
            return "–", "–"
        return f"{times * test.difference:+.1f}", f"{test.p_value:.4f}"


def check_baseline(baseline: int | None, systems: int) -> None:
    """Refuse a baseline that is none of the systems."""
    if baseline is not None and not 0 <= baseline < systems:
        raise LacunaError(
            f"There is no system number {baseline} to compare with; the {systems} systems are "
            "numbered from 0."
        )
