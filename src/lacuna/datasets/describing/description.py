"""A description: it is fed the items of a dataset, and then tells the tables of its paper."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from lacuna.datasets.item import Block, Item
from lacuna.figures.charts import Chart, chart_json
from lacuna.metrics.score_tables import ScoreTable


@dataclass(frozen=True, slots=True)
class DescribedPart:
    """One table or figure of a paper, made from the files at hand.

    ``name`` is what its figure's file is called and its key in JSON. ``note`` says how it was
    counted, where that is not plain; ``missing`` says which field the files lack for it.
    ``digits`` stand behind the point of its numbers, as many as the paper gives.
    """

    name: str
    table: ScoreTable
    chart: Chart | None = None
    note: str = ""
    missing: str = ""
    digits: int = 1

    def shown_table(self) -> ScoreTable:
        """The table with its numbers as they are to be printed."""
        rows = (tuple(map(self._cell, row)) for row in self.table.rows)
        return replace(self.table, rows=tuple(rows))

    def remarks(self) -> list[str]:
        """What is to be said below the table."""
        return [*([f"Missing: {self.missing}"] if self.missing else []), *filter(None, [self.note])]

    def to_markdown(self) -> str:
        """The table, if it has a row, and what is to be said of it."""
        table = self.shown_table().to_markdown() if self.table.rows else f"**{self.table.title}**"
        return "\n\n".join((table, *self.remarks()))

    def _cell(self, value: Any) -> Any:
        return f"{value:,.{self.digits}f}" if isinstance(value, float) else value

    def as_json(self) -> dict[str, Any]:
        """The part as plain data."""
        return {
            "title": self.table.title,
            "columns": self.table.columns,
            "rows": self.table.rows,
            "note": self.note,
            "missing": self.missing,
            "chart": None if self.chart is None else chart_json(self.chart),
        }


class Description(ABC):
    """Counts items as they stream by; nothing is kept but counts.

    A subclass counts in ``add_block`` and tells its parts in ``parts``.
    """

    def add(self, item: Item) -> None:
        """Count one item of a file."""
        for block in item.blocks:
            self.add_block(block)

    @abstractmethod
    def add_block(self, block: Block) -> None:
        """Count a text and its questions."""

    @abstractmethod
    def parts(self) -> Iterator[DescribedPart]:
        """The tables and figures, in the paper's order."""

    def counted(self, items: Iterable[Item]) -> Iterator[Item]:
        """Pass the items on, counting them."""
        for item in items:
            self.add(item)
            yield item
