"""A run's losses as CSV files, which a resumed run continues."""

from __future__ import annotations

import csv
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from torch import Tensor

from lacuna.files.writing import replace_text
from lacuna.train.recipe import HEADS


class StepTable:
    """A CSV file with a row for some steps. Rows beyond the last checkpoint are dropped."""

    def __init__(self, path: Path, columns: Sequence[str], step: int) -> None:
        self._path, self._columns = path, ("step", *columns)
        rows = [row for row in _rows(path) if int(row["step"]) <= step] if step else []
        with replace_text(path) as out:
            writer = csv.DictWriter(out, self._columns, extrasaction="ignore", lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)

    def write(self, step: int, values: Mapping[str, str]) -> None:
        """Add a row; columns without a value stay empty."""
        with self._path.open("a", encoding="utf-8", newline="") as out:
            csv.DictWriter(out, self._columns, lineterminator="\n").writerow(
                {"step": str(step), **values}
            )


def _rows(path: Path) -> list[dict[str, str]]:
    """The complete rows of a file; the last one may have been cut short by a kill."""
    if not path.exists():
        return []
    with path.open(encoding="utf-8", newline="") as file:
        return [row for row in csv.DictReader(file) if None not in row.values()]


def head_means(sums: Mapping[str, Tensor]) -> dict[str, str]:
    """The mean loss of each head that had any label."""
    return {name: f"{float(part[0] / part[1]):.4f}" for name, part in sums.items() if part[1] > 0}


class LossCurve:
    """Means of the training losses since the last row."""

    def __init__(self, path: Path, step: int) -> None:
        self._table = StepTable(path, ("learning_rate", "tokens_per_second", "loss", *HEADS), step)
        self._reset()

    def _reset(self) -> None:
        self._sums: dict[str, Tensor] = {}
        self._loss: Tensor | None = None
        self._tokens = self._batches = 0
        self._since = time.monotonic()

    def add(self, loss: Tensor, parts: Mapping[str, Tensor], tokens: int) -> None:
        """One batch's losses, left on the device until a row is written."""
        self._tokens += tokens
        self._batches += 1
        self._loss = loss.detach() + (0 if self._loss is None else self._loss)
        for name, part in parts.items():
            self._sums[name] = part.detach() + self._sums.get(name, 0)

    def write(self, step: int, rate: float) -> float:
        """Write a row and start the next. Returns the mean of the loss that was minimised."""
        assert self._loss is not None
        loss = float(self._loss) / self._batches
        values = {
            "learning_rate": f"{rate:.3g}",
            "tokens_per_second": f"{self._tokens / max(1e-9, time.monotonic() - self._since):.0f}",
            "loss": f"{loss:.4f}",
            **head_means(self._sums),
        }
        self._table.write(step, values)
        self._reset()
        return loss
