"""Read a filled labelling sheet, and tell the paper's tables from it."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

from lacuna.datasets.describing.counting import percent
from lacuna.datasets.describing.description import DescribedPart
from lacuna.datasets.describing.labelling import YES, LabellingTask, LabelTable
from lacuna.datasets.describing.sheet import ID, ROW, column_of, row_name, written_id
from lacuna.errors import LacunaError, shown
from lacuna.files.json_decode import LARGEST_VALUE
from lacuna.files.opening import open_text
from lacuna.metrics.score_tables import ScoreTable, between
from lacuna.metrics.seeds import wilson

NUMBER = re.compile(r"([0-9]{1,9}) *of *([0-9]{1,9})")
DELIMITERS = (",", ";", "\t")
"""Spreadsheets write CSV with whichever their country uses."""
SHOWN_MISSING = 5


class FilledSheet:
    """The labels of a sheet: for each column how often each label was given.

    ``ids`` are those of the questions that were labelled.
    """

    def __init__(self, path: Path, tasks: Sequence[LabellingTask]) -> None:
        self.path = path
        self.ids: dict[str, int] = {}
        rows = _rows(path)
        names = [column_of(name) for name in next(rows, (0, []))[1]]
        self.task = self._task(names, tasks)
        self.counts: dict[str, Counter[str]] = {name: Counter() for name in self.task.columns()}
        numbers: dict[int, int] = {}
        total = 0
        for line, cells in rows:
            row = dict(zip(names, cells, strict=False))
            number, total = self._number(row.get(ROW, ""), line, total)
            if number in numbers:
                raise self._bad(
                    line, f"{row_name(number, total)} stands in row {numbers[number]} already"
                )
            numbers[number] = line
            self._add(row, line)
        if not numbers:
            raise LacunaError(f"{path} has no labelled row. Give a sheet that was filled.")
        if missing := total - len(numbers):
            absent = (number for number in range(1, total + 1) if number not in numbers)
            few = ", ".join(row_name(number, total) for number in islice(absent, SHOWN_MISSING))
            more = " …" if missing > SHOWN_MISSING else ""
            raise LacunaError(
                f"{path}: of its {total:,} rows {missing:,} are missing ({few}{more}). Put them "
                "back, or make a new sheet with --sheet."
            )

    def _task(self, names: Sequence[str], tasks: Sequence[LabellingTask]) -> LabellingTask:
        for needed in (ROW, ID):
            if needed not in names:
                raise LacunaError(
                    f"{self.path} is no labelling sheet: it has no column {needed!r}. Make one "
                    "with --sheet, fill it and keep its columns."
                )
        twice = [name for name in names if name and names.count(name) > 1]
        if twice:
            raise LacunaError(f"{self.path} has two columns {twice[0]!r}. Remove one of them.")
        for task in tasks:
            columns = [name.casefold() for name in task.columns()]
            lacking = [name for name in columns if name not in names]
            if not lacking:
                return task
            if len(lacking) < len(columns):
                raise LacunaError(
                    f"{self.path} has no column {lacking[0]!r}. A sheet is read with all columns "
                    "that it was written with."
                )
        known = "; ".join(", ".join(task.columns()) for task in tasks)
        raise LacunaError(f"{self.path} has none of the columns to label: {known}.")

    def _number(self, text: str, line: int, before: int) -> tuple[int, int]:
        """The number of a row, and of how many; both must fit the rows before."""
        found = NUMBER.fullmatch(text.strip())
        number, total = (int(part) for part in found.groups()) if found else (0, 0)
        if not 1 <= number <= total or (before and total != before):
            expected = f"a number of {before}" if before else "a number like 3 of 100"
            raise self._bad(line, f"column {ROW!r}: expected {expected}, found {shown(text)}")
        return number, total

    def _add(self, row: dict[str, str], line: int) -> None:
        id_ = row.get(ID, "").strip()
        if not id_:
            raise self._bad(line, f"column {ID!r} is empty")
        if id_ in self.ids:
            raise self._bad(line, f"the id {id_!r} stands in row {self.ids[id_]} already")
        self.ids[id_] = line
        for column, allowed in self.task.columns().items():
            given = row.get(column.casefold(), "").strip()
            label = next((name for name in allowed if name.casefold() == given.casefold()), None)
            if label is None:
                found = shown(given) if given else "nothing"
                raise self._bad(
                    line,
                    f"id {id_!r}, column {column!r}: expected one of {', '.join(allowed)}, "
                    f"found {found}",
                )
            self.counts[column][label] += 1

    def _bad(self, line: int, problem: str) -> LacunaError:
        return LacunaError(f"{self.path}, row {line}: {problem}. Mend it in the sheet.")

    def check_ids(self, known: set[str]) -> None:
        """Refuse a sheet whose questions are not those of the files."""
        written = {written_id(id_) for id_ in known}
        for id_, line in self.ids.items():
            if id_ not in written:
                raise self._bad(line, f"the id {id_!r} is of no question of the files given")

    def parts(self) -> Iterator[DescribedPart]:
        """The paper's tables with our shares and their intervals."""
        for table in self.task.tables:
            yield self._part(table)

    def _part(self, table: LabelTable) -> DescribedPart:
        total = len(self.ids)
        rows = []
        for category in table.categories:
            if table.several:
                count = self.counts[category.name][YES]
            else:
                count = self.counts[table.column][category.name]
            interval = between(wilson(count, total), 100)
            rows.append((category.name, count, percent(count, total), interval, category.paper))
        columns = (table.column, "questions", "%", "95% interval", "paper, %")
        return DescribedPart(
            table.column.replace(" ", "_"),
            ScoreTable(table.title, columns, tuple(rows)),
            note=f"{total:,} labelled, Wilson's intervals; the paper labelled {self.task.size}."
            + (" A question may have several labels." if table.several else "")
            + (f" {table.note}" if table.note else ""),
        )


def _rows(path: Path) -> Iterator[tuple[int, list[str]]]:
    """The rows that are not empty, each with the number that a spreadsheet gives it."""
    with open_text(path) as source:
        first = source.head.split("\n", 1)[0]
        delimiter = max(DELIMITERS, key=first.count)
        number = 0
        try:
            rows = csv.reader(source.lines(LARGEST_VALUE), delimiter=delimiter, strict=True)
            for number, cells in enumerate(rows, 1):
                if any(cell.strip() for cell in cells):
                    yield number, cells
        except csv.Error as error:
            raise LacunaError(
                f"{path} is not a CSV file: {error} near row {number + 1}. Save the sheet as CSV."
            ) from error
