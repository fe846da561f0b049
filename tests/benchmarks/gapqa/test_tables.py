"""GapQA's tables from results that were made up."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from benchmarks.gapqa.systems import VARIANTS
from benchmarks.gapqa.tables import (
    BASELINE,
    FULL,
    MISSING,
    SHORT,
    TABLES,
    QuestionSets,
    Tables,
    read_runs,
)

from lacuna.types import Answer, Choice, Gold, Question

PLAIN = Question(
    *("0", "What is warm?"),
    choices=(Choice("A", "the ice"), Choice("B", "the sun")),
    fact="stars are warm",
    gold=Gold((Answer.choice("B", "the sun"),)),
)
LONG = replace(PLAIN, choices=(Choice("A", "ice under old grey snow"), Choice("B", "the sun")))
QUESTIONS = [
    *(replace(PLAIN, id=str(number)) for number in range(200)),
    *(replace(LONG, id=str(number)) for number in range(200, 400)),
    replace(PLAIN, id="without a fact", fact=None),
    replace(PLAIN, id="without an answer", gold=None),
]


@pytest.fixture
def results(tmp_path: Path) -> Path:
    """GapQA right in 80 and 70 % of the short ones, the fact alone in 50 %; never in a long one."""

    def write(name: str, right: int) -> None:
        scores = {str(number): [1.0, 0.5 + (number < right)] for number in range(400)}
        (tmp_path / f"{name}.json").write_text(json.dumps({"scores": scores}))

    write("small-gapqa-1", 160)
    write("small-gapqa-2", 140)
    write("small-gapqa-epochs=3-1", 200)
    write("small-fact-only-1", 100)
    write("small-no-spans-ir-1", 105)
    write("base-gapqa-1", 150)
    return tmp_path


def cells(lines: list[str], system: str) -> list[list[str]]:
    rows = [[cell.strip() for cell in line.strip("| ").split("|")] for line in lines]
    return [row[1:] for row in rows if row[0] == system]


def test_only_runs_with_the_recipes_own_settings_count(results: Path) -> None:
    runs = read_runs(results)
    assert {name: len(some) for name, some in runs.items()} == {
        ("small", "gapqa"): 2,
        ("small", BASELINE): 1,
        ("small", "no-spans-ir"): 1,
        ("base", "gapqa"): 1,
    }


def test_short_questions_are_told_apart() -> None:
    sets = QuestionSets(QUESTIONS)
    assert {name: len(some) for name, some in sets.right.items()} == {SHORT: 200, FULL: 400}
    scores = {str(number): [0.0, 1.0 if number < 300 else -1.0] for number in range(400)}
    assert sets.accuracy(SHORT, scores) == 1
    assert sets.accuracy(FULL, scores) == 0.75


def test_the_tables(results: Path) -> None:
    lines = list(Tables(QuestionSets(QUESTIONS), read_runs(results)).lines())
    assert "200 of OBQA-Short and 400 of OBQA-Full" in lines[0]
    none = [MISSING, MISSING]
    in_table_4, in_table_6 = cells(lines, "GapQA")
    assert in_table_4 == [
        *("64.41 ± 1.8", "59.40 ± 1.3"),
        *none,
        *("75.00 ± 5.0 (2) *", "37.50 ± 2.5 (2) *"),
        *("75.00 ± 0.0 (1)", "37.50 ± 0.0 (1)"),  # no run of the fact alone to compare with
        "`gapqa`",
    ]
    assert in_table_6 == ["64.41 ± 1.8", MISSING, *in_table_4[2:]]
    (without_score,) = cells(lines, "No Relation Score")
    assert without_score[4:6] == ["50.00 ± 0.0 (1)", "25.00 ± 0.0 (1)"]
    (by_fact,) = cells(lines, "No Spans (IR)")
    assert by_fact[4:6] == ["52.50 ± 0.0 (1)", "26.25 ± 0.0 (1)"], "too little for a star"
    assert cells(lines, "f + WordNet") == [["60.69 ± 1.1", MISSING, *none * 3, "`wordnet`"]]


def test_every_system_is_in_a_table() -> None:
    assert {one.variant for some in TABLES.values() for one in some} == set(VARIANTS)
