"""Errors by what was looked at stand beside the paper's shares."""

from __future__ import annotations

from pathlib import Path

from lacuna import demo
from lacuna_lab.data.sources import DEV
from lacuna_lab.reproduce.entry import NOTHING
from lacuna_lab.reproduce.tables import TracedErrorsEntry
from lacuna_lab.reproduce.workbench import Source, SystemRun, Workbench

QUESTIONS = Source(DEV["iirc"], demo.QUESTIONS)
ABSTAINING = SystemRun("always none", QUESTIONS, "always-none", "oracle-context")
UNTRAINED = SystemRun("a network", QUESTIONS, setting="oracle-context", trained="nobody")


def test_classes_of_errors_and_runs_that_are_missing(tmp_path: Path) -> None:
    entry = TracedErrorsEntry("section-4.4-rule", "Errors", "By rule.", (ABSTAINING, UNTRAINED))
    told, missing = entry.make(Workbench(cache=tmp_path, quick=True), NOTHING)
    assert told.table.title.startswith("always none. Errors: ")
    assert told.table.columns == ("error (section 4.4)", "wrong answers", "%", "paper, %")
    counts = {label: count for label, count, *_ in told.table.rows}
    assert counts["unanswerable"] == 0, "whoever never answers is right where there is no answer"
    assert counts["modeling error"] > 0
    assert told.note == ""
    assert "no trained run of the recipe 'nobody'" in missing.table.rows[0][1]
    assert missing.note.startswith("Measured on ")
    assert missing.note.endswith("By rule.")
