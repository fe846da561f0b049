"""A sheet that was filled becomes the paper's table; one that was filled wrongly is refused."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path

import pytest

from lacuna.datasets import get_dataset
from lacuna.errors import LacunaError
from lacuna.types import Question
from lacuna_lab.describe.labelling import (
    Category,
    FilledSheet,
    LabellingTask,
    LabelTable,
    write_sheet,
)

ONE = LabelTable("Sorts", "sort", (Category("Plain", "…", 60), Category("odd", "…")))
EACH = LabelTable("Traits", "trait", (Category("old", "…", 5), Category("new", "…")), several=True)
TASK = LabellingTask("questions", (ONE, EACH))
Change = Callable[[list[list[str]]], object]


def filled(path: Path, change: Change = lambda rows: None, delimiter: str = ",") -> FilledSheet:
    """A sheet of three questions as somebody filled it, and perhaps spoilt it."""
    sheet = path / "sheet.csv"
    write_sheet(sheet, TASK, [Question(id_, "Why?") for id_ in ("a", "=b", "9-37")], {})
    with sheet.open(encoding="utf-8", newline="") as text:
        rows = list(csv.reader(text))
    for row, labels in zip(rows[1:], ("plain yes no", "ODD no no", "plain yes yes"), strict=True):
        row[-3:] = labels.split()
    change(rows)
    with sheet.open("w", encoding="utf-8-sig", newline="") as out:
        csv.writer(out, delimiter=delimiter).writerows(rows)
    return FilledSheet(sheet, (TASK,))


def put(row: int, column: int, text: str) -> Change:
    return lambda rows: rows[row].__setitem__(column, text)


def test_shares_stand_beside_the_papers_with_intervals(tmp_path: Path) -> None:
    sorts, traits = filled(tmp_path).parts()
    assert sorts.table.rows[0] == ("Plain", 2, pytest.approx(200 / 3), "20.8 – 93.9", 60)
    assert sorts.table.rows[1][1] == 1
    assert [row[:2] for row in traits.table.rows] == [("old", 2), ("new", 1)]
    assert "3 labelled" in sorts.note


@pytest.mark.parametrize("delimiter", [";", "\t"])
def test_any_spreadsheets_csv_is_read(tmp_path: Path, delimiter: str) -> None:
    assert len(filled(tmp_path, delimiter=delimiter).ids) == 3


def test_rows_may_be_sorted_and_empty_ones_left(tmp_path: Path) -> None:
    def shuffled(rows: list[list[str]]) -> None:
        rows[1:] = [rows[3], [], rows[1], rows[2]]

    assert len(filled(tmp_path, shuffled).ids) == 3


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (put(2, -3, "strange"), r"row 3: id \"'=b\", column 'sort': .*Plain, odd, found 'strange'"),
        (put(1, -1, ""), r"row 2: id 'a', column 'new': expected one of yes, no, found nothing"),
        (put(3, 1, "a"), "row 4: the id 'a' stands in row 2 already"),
        (put(3, 1, " "), "row 4: column 'id' is empty"),
        (put(3, 0, "2 of 3"), "row 4: 2 of 3 stands in row 3 already"),
        (put(3, 0, "3 of 4"), "row 4: column 'row': expected a number of 3, found '3 of 4'"),
        (put(1, 0, "2001"), "row 2: column 'row': expected a number like 3 of 100, found '2001'"),
        (lambda rows: rows.pop(2), r"of its 3 rows 1 are missing \(2 of 3\)"),
        (lambda rows: rows.__delitem__(slice(1, None)), "no labelled row"),
        (put(0, 2, "id"), "two columns 'id'"),
        (put(1, 0, "1 of " + "9" * 5000), "expected a number like 3 of 100"),
        (put(0, 1, "name"), "no column 'id'"),
        (put(0, -1, "newer"), "no column 'new'"),
        (lambda rows: [row.__delitem__(slice(-3, None)) for row in rows], "sort, old, new"),
        (lambda rows: rows.clear(), "no column 'row'"),
    ],
)
def test_what_was_filled_wrongly_is_refused_with_its_row(
    tmp_path: Path, change: Change, problem: str
) -> None:
    with pytest.raises(LacunaError, match=problem):
        filled(tmp_path, change)


def test_a_great_number_of_missing_rows_is_told_at_once(tmp_path: Path) -> None:
    def changed(rows: list[list[str]]) -> None:
        for number, row in enumerate(rows[1:], 1):
            row[0] = f"{number} of 999999999"

    with pytest.raises(LacunaError, match=r"999,999,996 are missing \(4 of 999999999, "):
        filled(tmp_path, changed)


def test_ids_are_those_of_the_files(tmp_path: Path) -> None:
    sheet = filled(tmp_path)
    sheet.check_ids({"a", "=b", "9-37", "d"})
    with pytest.raises(LacunaError, match='row 4: the id "\'9-37" is of no question'):
        sheet.check_ids({"a", "=b"})


def test_a_file_that_is_no_csv_is_refused(tmp_path: Path) -> None:
    sheet = tmp_path / "sheet.csv"
    sheet.write_text('row,id,sort,old,new\n1/1,"a\n')
    with pytest.raises(LacunaError, match="is not a CSV file"):
        FilledSheet(sheet, (TASK,))


@pytest.mark.parametrize("name", ["iirc", "hotpotqa", "quac", "openbookqa"])
def test_the_papers_shares_make_sense(name: str) -> None:
    for task in get_dataset(name).labelling():
        names = list(task.columns())
        assert len(names) == len({name.casefold() for name in names})
        for table in task.tables:
            total = sum(category.paper or 0 for category in table.categories)
            assert total == 100 or table.several
