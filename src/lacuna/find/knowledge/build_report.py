"""What a build kept and what it left out: every row is accounted for."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from lacuna.corpus.found import Skipped

EXAMPLES = 5


@dataclass(slots=True)
class BuildReport:
    """``rows`` = ``kept`` + ``merged`` + all of ``skipped``."""

    rows: int = 0
    kept: int = 0
    merged: int = 0
    skipped: Counter[str] = field(default_factory=Counter)
    examples: list[Skipped] = field(default_factory=list)
    """The first few rows left out for each reason."""

    def skip(self, row: Skipped) -> None:
        """Count a row that is left out."""
        self.skipped[row.reason] += 1
        if self.skipped[row.reason] <= EXAMPLES:
            self.examples.append(row)

    def __str__(self) -> str:
        reasons = "".join(f"; {count} left out: {why}" for why, count in self.skipped.most_common())
        return f"{self.rows} rows: {self.kept} kept, {self.merged} merged{reasons}"
