"""The registries name every table and figure of their papers, and every row of the paper's."""

from __future__ import annotations

import pytest

from lacuna.errors import LacunaError
from lacuna_lab.reproduce.combined import CombinedEntry
from lacuna_lab.reproduce.entry import published, recorded
from lacuna_lab.reproduce.reproduction import PAPERS, find_paper
from lacuna_lab.reproduce.tables import BreakdownEntry, ScoreEntry, SearchEntry

TABLES_AND_FIGURES = {"iirc": (7, 2), "hotpotqa": (9, 5), "gapqa": (7, 10), "quac": (4, 7)}
"""How many each paper has."""


@pytest.mark.parametrize("name", PAPERS)
def test_every_table_and_figure_has_an_entry_of_its_own(name: str) -> None:
    names = [entry.name for entry in PAPERS[name].entries]
    tables, figures = TABLES_AND_FIGURES[name]
    wanted = {f"table-{number}" for number in range(1, tables + 1)}
    wanted |= {f"figure-{number}" for number in range(1, figures + 1)}
    assert wanted <= set(names)
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("name", PAPERS)
def test_every_row_that_a_paper_prints_is_there(name: str) -> None:
    for table, printed in published(name).tables.items():
        entry = PAPERS[name].entry(table)
        assert all(len(row) == len(printed.columns) for row in printed.rows.values())
        if isinstance(entry, ScoreEntry | SearchEntry | CombinedEntry):
            assert set(printed.rows) <= {row.name for row in entry.rows}, table
        else:
            assert isinstance(entry, BreakdownEntry), table


@pytest.mark.parametrize("name", PAPERS)
def test_every_row_is_run_recorded_or_explained(name: str) -> None:
    for entry in PAPERS[name].entries:
        if isinstance(entry, ScoreEntry):
            assert all(row.runs or row.why_not or row.recorded for row in entry.rows), entry.name
            recorded = [old for row in entry.rows for old in row.recorded]
            assert all(len(old.values) == len(entry.measures) for old in recorded), entry.name


@pytest.mark.parametrize("name", PAPERS)
def test_what_was_measured_before_belongs_to_rows_of_its_tables(name: str) -> None:
    tables = recorded(name)
    for entry in PAPERS[name].entries:
        if isinstance(entry, ScoreEntry) and entry.before.rows:
            assert entry.before == tables[entry.name]
            trained = [(row, run) for row in entry.rows for run in row.runs if run.trained]
            named = {row.name for row, _ in trained}
            named |= {f"{row.name}: {run.what}" for row, run in trained}
            assert set(entry.before.rows) <= named, entry.name
            assert {len(row) for row in entry.before.rows.values()} == {len(entry.measures)}
            assert set(entry.before.which) <= set(entry.before.rows)
        if isinstance(entry, BreakdownEntry) and entry.before:
            assert set(entry.before) == set(entry.labels)
            for table in entry.before.values():
                assert {len(row) for row in table.rows.values()} == {len(table.columns)}
        if isinstance(entry, CombinedEntry):
            rows = {f"{row.name}, {file}" for row in entry.rows for file, _ in entry.files}
            assert set(entry.before.rows) <= rows


def test_an_entry_is_found_by_its_name_or_the_tables_number() -> None:
    iirc = find_paper("iirc")
    assert iirc.entry("3") is iirc.entry("table-3") is iirc.entry("Table 3")
    with pytest.raises(LacunaError, match=r"Did you mean table-3\?"):
        iirc.entry("tabel-3")
    with pytest.raises(LacunaError, match=r"There are: iirc, hotpotqa, gapqa, quac"):
        find_paper("squad")
