"""What a build kept and what it left out: every row is accounted for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from lacuna.corpus.source_item import Skipped

EXAMPLES = 5
REPORT_EVERY = 10_000

Progress = Callable[[int], None]
"""Called with how many rows are read."""


@dataclass(frozen=True, slots=True)
class Broken(Skipped):
    """A row that is not as it should be, unlike one that is left out for what it says."""


@dataclass(slots=True)
class BuildReport:
    """``rows`` = ``kept`` + ``merged`` + all of ``skipped``."""

    rows: int = 0
    kept: int = 0
    merged: int = 0
    broken: int = 0
    """How many of the skipped rows are broken."""
    skipped: Counter[str] = field(default_factory=Counter)
    examples: list[Skipped] = field(default_factory=list)
    """The first few rows left out for each reason."""

    def skip(self, row: Skipped) -> None:
        """Count a row that is left out."""
        self.skipped[row.reason] += 1
        self.broken += isinstance(row, Broken)
        if self.skipped[row.reason] <= EXAMPLES:
            self.examples.append(row)

    def add(self, other: BuildReport) -> None:
        """Count what another one has seen after this."""
        seen = Counter(self.skipped)
        for row in other.examples:
            seen[row.reason] += 1
            if seen[row.reason] <= EXAMPLES:
                self.examples.append(row)
        self.rows += other.rows
        self.broken += other.broken
        self.skipped += other.skipped

    def seen(self, progress: Progress | None) -> None:
        """Count a row, and report progress now and then."""
        self.rows += 1
        if progress and self.rows % REPORT_EVERY == 0:
            progress(self.rows)

    @property
    def broken_examples(self) -> list[Skipped]:
        """The first few rows of each way to be broken."""
        return [row for row in self.examples if isinstance(row, Broken)]

    def as_json(self) -> dict[str, Any]:
        """Plain values for JSON."""
        counts = {"rows": self.rows, "kept": self.kept, "merged": self.merged}
        return {**counts, "broken": self.broken, "left_out": dict(self.skipped.most_common())}

    def __str__(self) -> str:
        reasons = "".join(f"; {count} left out: {why}" for why, count in self.skipped.most_common())
        return f"{self.rows} rows: {self.kept} kept, {self.merged} merged{reasons}"
