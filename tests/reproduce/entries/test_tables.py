"""Ours stands beside the paper's; what is missing is a row with its reason."""

from __future__ import annotations

from pathlib import Path

import pytest

from lacuna.datasets import get_dataset
from lacuna.evaluation.experiment import evaluate
from lacuna_lab.describe.labelling import LabellingTask
from lacuna_lab.figures.charts import LineChart
from lacuna_lab.reproduce.entry import PublishedTable, RecordedTable
from lacuna_lab.reproduce.examples import LabelledEntry
from lacuna_lab.reproduce.quac import MAJORITY, MATRIX, NETWORKS, QUESTIONS
from lacuna_lab.reproduce.tables import (
    ABSENT,
    NOT_OF_THE_DEMO,
    BreakdownEntry,
    RecordedScores,
    ScoreColumn,
    ScoreEntry,
    ScoreRow,
    abstained,
    human,
    labelled,
    official,
    over_seeds,
)
from lacuna_lab.reproduce.workbench import SystemRun, Workbench

PRINTED = PublishedTable(("F1",), {"Majority": (22.7,), "Human": (80.8,)})


@pytest.fixture
def bench(tmp_path: Path) -> Workbench:
    return Workbench(cache=tmp_path / "cache", quick=True)


def test_rows_are_ours_beside_the_papers(bench: Workbench) -> None:
    network = NETWORKS["BiDAF++ (no ctx)"]
    entry = ScoreEntry(
        "table-4",
        "Results",
        measures=(official("F1", "f1"),),
        rows=(
            ScoreRow("Majority", (MAJORITY, network)),
            ScoreRow("Human", why_not="nobody was asked"),
        ),
    )
    (part,) = entry.make(bench, PRINTED)
    assert part.table.columns == ("row", "ours is", "ours, F1", "paper, F1")
    majority, missing, people = part.table.rows
    assert majority[:2] == ("Majority", "majority")
    assert 0 < majority[2] < 100
    assert majority[3] == 22.7
    assert (missing[0], missing[2], missing[3]) == ("″", None, None)
    assert "not here, no trained run of the recipe 'quac-0-ctx'" in missing[1]
    assert people == ("Human", f"{ABSENT}nobody was asked", None, 80.8)
    assert "the demo's dialogs.json (the first 6 items)" in part.note


def test_what_was_recorded_stands_beside_real_data_and_not_beside_the_demo(
    bench: Workbench, tmp_path: Path
) -> None:
    old = (RecordedScores("old", (1.0,)),)
    rows = (ScoreRow("Majority", (MAJORITY,), recorded=old), ScoreRow("Human", recorded=old))
    entry = ScoreEntry(
        "table-4", "Results", measures=(official("F1", "f1"),), rows=rows, of_recorded="It is old."
    )
    (real,) = entry.make(Workbench(cache=tmp_path), PRINTED)
    assert [row[1:] for row in real.table.rows[1:]] == [("old", 1.0, None), ("old", 1.0, 80.8)]
    assert "It is old." in real.note
    (quick,) = entry.make(bench, PRINTED)
    majority, people = quick.table.rows
    assert majority[1] == "majority"
    assert people == ("Human", ABSENT + NOT_OF_THE_DEMO, None, 80.8)
    assert "It is old." not in quick.note


def test_a_breakdown_has_a_row_for_each_value_and_says_which_runs_lack(bench: Workbench) -> None:
    runs = (MAJORITY, NETWORKS["BiDAF++ (no ctx)"])
    entry = BreakdownEntry(
        "figure-7",
        "F1",
        labels=("turn", "colour"),
        measures=(("f1", "F1"),),
        runs=runs,
        curves=True,
    )
    turns, colours = entry.make(bench, PublishedTable((), {}))
    assert [row[0] for row in turns.table.rows[:3]] == ["1", "2", "3"]
    assert turns.table.rows[0][1] == 6
    assert turns.chart is not None
    assert "quac-0-ctx" in turns.missing
    assert (colours.table.rows, colours.chart) == ((), None)
    assert "No question of the files has what tells its colour" in colours.missing


def test_a_breakdown_without_any_run_still_shows_the_papers_rows(bench: Workbench) -> None:
    entry = BreakdownEntry(
        "table-4", "Scores", labels=("turn",), measures=(("f1", "F1"),),
        runs=(NETWORKS["BiDAF++ (no ctx)"],),
    )  # fmt: skip
    (part,) = entry.make(bench, PRINTED)
    assert part.table.rows == (("Majority", None, 22.7), ("Human", None, 80.8))


def test_a_network_that_is_not_at_hand_has_what_it_gave_before(tmp_path: Path) -> None:
    network = NETWORKS["BiDAF++ (no ctx)"]
    before = RecordedTable(("F1",), {"Majority": (48.2,)}, {"Majority": "of two steps"}, "Old.")
    rows = (ScoreRow("Majority", (network,)), ScoreRow("Human", (MAJORITY,)))
    entry = ScoreEntry(
        "table-4", "Results", measures=(official("F1", "f1"),), rows=rows, before=before
    )
    (part,) = entry.make(Workbench(cache=tmp_path), PRINTED)
    known, unknown = part.table.rows
    assert known == ("Majority", f"{network.what} (measured before: of two steps)", 48.2, 22.7)
    assert unknown[2] is None  # nothing trained: it can be run
    assert part.note == "Old."
    (quick,) = entry.make(Workbench(cache=tmp_path, quick=True), PRINTED)
    assert quick.table.rows[0][2] is None  # the demo's tables say nothing about real data
    assert "Old." not in quick.note


def test_a_breakdown_has_what_a_network_gave_before(tmp_path: Path) -> None:
    network = NETWORKS["BiDAF++ (no ctx)"]
    before = RecordedTable((f"{network.what}, F1",), {"1": (50.0,), "2": (40.0,)}, note="Old.")
    entry = BreakdownEntry(
        "figure-7", "F1", labels=("turn",), measures=(("f1", "F1"),), runs=(network,),
        curves=True, before={"turn": before},
    )  # fmt: skip
    (part,) = entry.make(Workbench(cache=tmp_path), PublishedTable((), {}))
    assert part.table.columns == ("turn", "questions", f"{network.what} (measured before), F1")
    assert part.table.rows == (("1", None, 50.0), ("2", None, 40.0))
    assert isinstance(part.chart, LineChart)
    assert part.chart.curves == {network.what: [50.0, 40.0]}
    assert (part.note, part.missing) == ("Old.", "")


def test_columns_are_read_off_a_result() -> None:
    (result,) = evaluate("always-none", "iirc").systems
    assert official("EM", "em").read(result) == pytest.approx(100 * result.report.official["em"])
    none = labelled("EM", "type", "none", "em").read(result)
    assert none == 100
    assert labelled("EM", "type", "colour", "em").read(result) is None
    assert abstained("R", "recall").read(result) == 100
    assert human("F1", "f1").read(result) is None


def test_seeds_give_a_mean_and_a_deviation() -> None:
    (result,) = evaluate("always-none", "iirc").systems
    values = iter((60.0, 64.0))
    column = ScoreColumn("F1", lambda result: next(values))
    assert over_seeds([result, result], column) == "62.00 ± 2.0 (2)"
    assert over_seeds([result], ScoreColumn("F1", lambda result: None)) is None


def test_labels_are_ours_where_a_sheet_was_filled(bench: Workbench, tmp_path: Path) -> None:
    entry = LabelledEntry("table-3", "Kinds", dataset="quac", columns=("kind",))
    (alone,) = entry.make(bench, PublishedTable((), {}))
    assert "`lacuna describe quac FILE --sheet SHEETS/quac-questions.csv`" in alone.note
    task: LabellingTask = get_dataset("quac").labelling()[0]
    names = list(task.columns())
    sheet = tmp_path / "quac-questions.csv"
    rows = [["row", "id", *names], ["1 of 1", "q1", *("yes" for _ in names)]]
    sheet.write_text("\n".join(",".join(row) for row in rows), encoding="utf-8")
    filled = Workbench(cache=bench.cache, quick=True, sheets=tmp_path)
    (part,) = entry.make(filled, PublishedTable((), {}))
    assert part.table.rows[0][:3] == ("non-factoid", 1, 100.0)


def test_what_a_baseline_learns_from_is_part_of_what_is_needed() -> None:
    assert MATRIX.needs == ["quac/dev.json", "quac/train.json", "the system transition-matrix"]
    assert SystemRun("", QUESTIONS, trained="x").needs == ["quac/dev.json", "the run x"]
