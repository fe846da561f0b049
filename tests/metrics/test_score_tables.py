"""Tables and comparisons, from made-up scores."""

from __future__ import annotations

import json

import pytest

from lacuna.errors import LacunaError
from lacuna.metrics.comparison import ComparedSystem, ComparisonTable, check_baseline
from lacuna.metrics.metric import Row
from lacuna.metrics.report import ScoreTable, cell


def compared(name: str, *scores: float) -> ComparedSystem:
    rows: list[Row] = [(score, 10 * score) for score in scores]
    mean = sum(scores) / len(scores)
    bounds = {"f1": (min(scores), max(scores)), "rank": None}
    return ComparedSystem(name, {"f1": mean, "rank": 10 * mean}, bounds, rows)


def table(*systems: ComparedSystem, baseline: int | None = 0) -> ComparisonTable:
    groups = range(len(systems[0].rows))
    return ComparisonTable(
        "Scores", ("f1", "rank"), ("f1", "rank"), groups, systems, baseline,
        ranks=frozenset({"rank"}),
    )  # fmt: skip


def test_cells() -> None:
    assert [cell(value) for value in (None, 1.25, 1200, "a")] == ["–", "1.2", "1,200", "a"]


@pytest.mark.parametrize(
    ("said", "written"),
    [
        ("`lacuna train` makes it", "`lacuna train` makes it"),
        ("a `b` and `c`", "a `b` and `c`"),
        ("a ` alone", "a \\` alone"),
        ("``two``", "\\`\\`two\\`\\`"),
        ("`<b>`", "\\`\\<b\\>\\`"),
        ("`a|b`", "\\`a\\|b\\`"),
    ],
)
def test_code_stays_code_where_nothing_in_it_could_break_a_table(said: str, written: str) -> None:
    assert f"| {written} |" in ScoreTable("t", ("what",), ((said,),)).to_markdown()


def test_bars_and_line_breaks_do_not_break_a_markdown_table() -> None:
    shown = ScoreTable("a|b", ("x|y", "n"), (("1\n2", 3),)).to_markdown()
    assert shown.splitlines() == ["**a\\|b**", "", "| x\\|y | n |", "|---|---:|", "| 1 2 | 3 |"]


def test_names_are_no_markup() -> None:
    names = ("<script>x</script>", "[x](javascript:y)", "\\| a | b")
    shown = ScoreTable("t", ("name", "n"), tuple((name, 1) for name in names)).to_markdown()
    assert shown.splitlines()[4:] == [
        "| \\<script\\>x\\</script\\> | 1 |",
        "| \\[x\\](javascript:y) | 1 |",
        "| \\\\\\| a \\| b | 1 |",
    ]


def test_one_line_for_each_measure_and_system() -> None:
    both = table(compared("a", 0.0, 0.0, 0.0, 0.5), compared("b", 1.0, 1.0, 1.0, 0.5))
    lines = both.table().rows
    assert both.table().columns[-2:] == ("difference from a", "p-value")
    assert lines[0] == ("f1", "a", 12.5, "0.0 – 50.0", "", "")
    assert lines[1][:5] == ("f1", "b", 87.5, "50.0 – 100.0", "+75.0")
    assert lines[3][:5] == ("rank", "b", 8.75, None, "+7.5"), "ranks are no percentages"
    assert 0.2 < float(lines[1][5]) < 0.3, "as 2 of the 8 ways to swap are"
    json.dumps(both.to_json())
    first, second = both.to_json()["systems"]
    assert first["against_baseline"] is None
    assert second["against_baseline"]["f1"]["difference"] == 0.75
    assert both.to_markdown().count("\n") == 3 + 4


def test_another_baseline_or_none() -> None:
    systems = compared("a", 0.0, 1.0), compared("b", 1.0, 1.0)
    turned = table(*systems, baseline=1)
    assert turned.tests[1] is None
    assert turned.table().rows[0][4] == "-50.0"
    assert turned.to_json()["baseline"] == "b"
    alone = table(*systems, baseline=None)
    assert alone.tests == (None, None)
    assert len(alone.table().columns) == 4


@pytest.mark.parametrize("baseline", [-1, 2])
def test_a_baseline_that_is_none_of_the_systems(baseline: int) -> None:
    with pytest.raises(LacunaError, match="numbered from 0"):
        check_baseline(baseline, 2)
