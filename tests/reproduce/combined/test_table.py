"""The combined table: what chooses links, over all its seeds."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from lacuna.types import Question
from lacuna_lab.reproduce import combined as table
from lacuna_lab.reproduce.combined import CombinedEntry, CombinedRow
from lacuna_lab.reproduce.entry import PublishedTable
from lacuna_lab.reproduce.iirc import QUESTIONS, RETRIEVED
from lacuna_lab.reproduce.workbench import TrainedRun, Workbench

RECIPE = "iirc-links"


class Chooser:
    """The gold links of a question, or every link of its passage."""

    def __init__(self, right: bool) -> None:
        self._right = right

    def chosen(self, questions: Sequence[Question]) -> list[tuple[str, ...]]:
        return [self._of(question) for question in questions]

    def _of(self, question: Question) -> tuple[str, ...]:
        if self._right:
            return (question.gold and question.gold.links) or ()
        return tuple(link.target for link in question.context.links) if question.context else ()


def bench_with(seeds: Sequence[str], folder: Path) -> Workbench:
    for seed in seeds:
        run = folder / "runs" / seed
        run.mkdir(parents=True)
        about = {"recipe": {"name": RECIPE}, "system": "iirc-links"}
        (run / "config.json").write_text(json.dumps(about), encoding="utf-8")
    return Workbench(cache=folder / "cache", runs=folder / "runs", quick=True)


def link_cells(bench: Workbench, monkeypatch: pytest.MonkeyPatch) -> tuple[object, ...]:
    def opened(run: TrainedRun | None) -> Chooser:
        assert run is not None
        return Chooser(right=run.folder.name == "right")

    monkeypatch.setattr(table, "open_chooser", opened)
    row = CombinedRow("IIRC", "a network", RECIPE, RETRIEVED)
    entry = CombinedEntry("table-7", "Combined", files=(("as it is", QUESTIONS),), rows=(row,))
    (part,) = entry.make(bench, PublishedTable((), {}))
    return part.table.rows[0][3:6]


def test_links_of_several_seeds_have_mean_deviation_and_number(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    precision, recall, f1 = link_cells(bench_with(("right", "wrong"), tmp_path), monkeypatch)
    assert recall == "100.00 ± 0.0 (2)"
    assert isinstance(precision, str)
    assert precision.endswith("(2)")
    assert not precision.startswith("100")
    assert isinstance(f1, str)


def test_links_of_one_seed_are_numbers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cells = link_cells(bench_with(("right",), tmp_path), monkeypatch)
    assert cells == (100.0, 100.0, 100.0)
