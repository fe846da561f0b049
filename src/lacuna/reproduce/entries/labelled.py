"""Tables of labels that people gave: the paper's shares, and ours from a filled sheet."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from lacuna.datasets import get_dataset
from lacuna.datasets.describing.description import DescribedPart
from lacuna.datasets.describing.labelled import FilledSheet
from lacuna.datasets.describing.labelling import LabellingTask, LabelTable
from lacuna.metrics.score_tables import ScoreTable
from lacuna.reproduce.entries.entry import PaperEntry
from lacuna.reproduce.published import PublishedTable
from lacuna.reproduce.workbench import Workbench


@dataclass(frozen=True, slots=True)
class LabelledEntry(PaperEntry):
    """Tables of a labelling task, by the columns of its sheet.

    Ours is read from the sheet ``DATASET-TASK.csv`` in the folder of sheets, where it is there.
    """

    dataset: str = ""
    columns: tuple[str, ...] = ()

    @property
    def needs(self) -> list[str]:
        return [f"a sheet that people filled, {self.dataset}-{self._task().name}.csv"]

    def make(self, bench: Workbench, paper: PublishedTable) -> Iterator[DescribedPart]:
        task = self._task()
        sheet = None if bench.sheets is None else bench.sheets / f"{self.dataset}-{task.name}.csv"
        filled = FilledSheet(sheet, (task,)) if sheet is not None and sheet.is_file() else None
        parts = {} if filled is None else {part.table.title: part for part in filled.parts()}
        for table in task.tables:
            if table.column in self.columns:
                part = parts.get(table.title) or self._paper_alone(task, table)
                yield replace(part, name=f"{self.name}-{table.column.replace(' ', '-')}")

    def _task(self) -> LabellingTask:
        for task in get_dataset(self.dataset).labelling():
            if any(table.column in self.columns for table in task.tables):
                return task
        raise ValueError(f"{self.dataset} has no labelling task with {self.columns}")

    def _paper_alone(self, task: LabellingTask, table: LabelTable) -> DescribedPart:
        rows = tuple((each.name, each.about, None, each.paper) for each in table.categories)
        errors = " --predictions PRED" if task.wrong_by else ""
        return DescribedPart(
            self.name,
            ScoreTable(table.title, (table.column, "what it means", "ours, %", "paper, %"), rows),
            note=f"Not here: people labelled {task.size} by hand, and nobody has labelled ours. "
            f"`lacuna describe {self.dataset} FILE{errors} --sheet SHEETS/{self.dataset}-"
            f"{task.name}.csv` draws a sheet; filled, it gives this table with --sheets SHEETS."
            + (f" {table.note}" if table.note else ""),
        )
