"""Several systems and people on the same questions, side by side."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from lacuna.errors import BadField, ItemError, LacunaError, shown
from lacuna.files.json import decode_whole, dump
from lacuna.files.opening import open_text
from lacuna.files.writing import replace_text
from lacuna.metrics.metric import Row
from lacuna.metrics.report import ScoreTable, between, scaled
from lacuna.metrics.statistics import PairedTest, paired_test

KINDS: Mapping[str, type] = {
    "dataset": str,
    "setting": str,
    "questions": int,
    "people": int,
    "made": str,
}
CALLED = {str: "a text", int: "a whole number from 1"}


@dataclass(frozen=True, slots=True)
class HumanRow:
    """The scores of people on some questions of a dataset, in a setting."""

    dataset: str
    setting: str
    questions: int
    people: int
    """The number of different people who gave answers."""
    made: str
    """The day on which it was reckoned, as 2026-11-17."""
    measures: Mapping[str, float | None]
    upper_bound: Mapping[str, float | None] = field(default_factory=dict)

    @property
    def described(self) -> str:
        """Its source, in words."""
        return f"{self.people:,} people, {self.questions:,} questions, {self.made}"

    def check(self, dataset: str, setting: str) -> None:
        """Refuse to stand beside other questions than its own."""
        if (self.dataset, self.setting) != (dataset, setting):
            raise LacunaError(
                f"The human row is for {self.dataset}, {self.setting}, and not for {dataset}, "
                f"{setting}. Give the row of this dataset and setting."
            )

    def table(self, main: Sequence[str], scale: float) -> ScoreTable:
        """The scores of people, and the upper bound of these; ``scale`` is a perfect score."""
        rows = tuple(
            (
                name,
                scaled(self.measures.get(name), 100 / scale),
                *((scaled(self.upper_bound.get(name), 100 / scale),) if self.upper_bound else ()),
            )
            for name in main
        )
        columns = ("measure", "human", *(("upper bound",) if self.upper_bound else ()))
        return ScoreTable(f"Human performance in % ({self.described})", columns, rows)

    def as_json(self) -> dict[str, Any]:
        """Plain values, as they are written."""
        return {name: value for name, value in asdict(self).items() if value != {}}

    def write(self, path: Path) -> None:
        """Write it as a small file of JSON."""
        with replace_text(path) as out:
            out.write(dump(self.as_json()) + "\n")

    @classmethod
    def read(cls, path: Path) -> HumanRow:
        """Read such a file; what is wrong in it is told by name."""
        with open_text(path) as source:
            said = decode_whole(source)
        if not isinstance(said, dict):
            raise LacunaError(f"{path} is no human row but {shown(said)}. Give another file.")
        for name, kind in KINDS.items():
            if type(said.get(name)) is not kind or (kind is int and said[name] < 1):
                raise _bad(path, name, CALLED[kind], said.get(name))
        return cls(
            **{name: said[name] for name in KINDS},
            measures=_measures(path, "measures", said.get("measures")),
            upper_bound=_measures(path, "upper_bound", said.get("upper_bound", {})),
        )


def _measures(path: Path, name: str, said: Any) -> dict[str, float | None]:
    if not isinstance(said, dict) or (name == "measures" and not said):
        raise _bad(path, name, "measures with their values", said)
    for measure, value in said.items():
        if value is not None and type(value) not in (int, float):
            raise _bad(path, f"{name}.{measure}", "a number", value)
    return said


def _bad(path: Path, field: str, expected: str, found: Any) -> ItemError:
    return ItemError(path, "human row", BadField(field, expected, shown(found)), can_skip=False)


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
