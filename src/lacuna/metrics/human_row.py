"""A human row: what people reach on a dataset, measured once and kept in a small file.

``{"dataset": "hotpotqa", "setting": "distractor", "questions": 1000, "people": 12, "made":
"2026-11-17", "measures": {"em": 0.83, …}}``: the values are on the scale of the dataset's official
scorer, under its names. ``upper_bound`` has the same measures of the best that any of the people
reach against the others, where the dataset's paper tells that too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from lacuna.errors import BadField, ItemError, LacunaError, shown
from lacuna.files.json_decode import decode_whole
from lacuna.files.json_write import dump
from lacuna.files.opening import open_text
from lacuna.files.writing import replace_text
from lacuna.metrics.score_tables import ScoreTable, scaled

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
    """How well people do on some questions of a dataset, in a setting."""

    dataset: str
    setting: str
    questions: int
    people: int
    """How many different people gave answers."""
    made: str
    """The day on which it was reckoned, as 2026-11-17."""
    measures: Mapping[str, float | None]
    upper_bound: Mapping[str, float | None] = field(default_factory=dict)

    @property
    def described(self) -> str:
        """Where it comes from, in words."""
        return f"{self.people:,} people, {self.questions:,} questions, {self.made}"

    def check(self, dataset: str, setting: str) -> None:
        """Refuse to stand beside other questions than its own."""
        if (self.dataset, self.setting) != (dataset, setting):
            raise LacunaError(
                f"The human row is for {self.dataset}, {self.setting}, and not for {dataset}, "
                f"{setting}. Give the row of this dataset and setting."
            )

    def table(self, main: Sequence[str], scale: float) -> ScoreTable:
        """What people reach, and the upper bound of that; ``scale`` is a perfect score."""
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
