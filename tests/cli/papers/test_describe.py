"""``lacuna describe``: tables, JSON, figures and labelling sheets."""

from __future__ import annotations

import csv
import json
import sys
from pathlib import Path
from typing import Any

import pytest


@pytest.mark.parametrize("name", ["iirc", "hotpotqa", "quac", "squad", "drop", "real"])
def test_every_example_is_described(lacuna: Any, examples: Path, name: str) -> None:
    ran = lacuna("describe", name, examples / f"{name}.json")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith("**")
    assert "|---|" in ran.out


def test_json_has_every_part_with_its_chart(lacuna: Any, examples: Path) -> None:
    ran = lacuna("describe", "quac", examples / "quac.json", "--json")
    described = json.loads(ran.out)
    assert described["task"] == "quac"
    parts = described["parts"]
    assert parts["averages"]["rows"][0][:2] == ["questions", 3]
    assert parts["transitions"]["chart"]["kind"] == "HeatMap"
    assert parts["turns"]["chart"]["at"] == list(range(1, 13))


def test_several_files_are_described_together(lacuna: Any, examples: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.json"
    other.write_bytes((examples / "hotpotqa.json").read_bytes())
    ran = lacuna("describe", "hotpotqa", examples / "hotpotqa.json", other, "--json")
    assert json.loads(ran.out)["parts"]["averages"]["rows"][0][1] == 4
    ran = lacuna("describe", "hotpotqa", other, other)
    assert (ran.code, "is given twice" in ran.err) == (2, True)


def test_figures_are_drawn(lacuna: Any, examples: Path, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    ran = lacuna("describe", "quac", examples / "quac.json", "--figures", tmp_path / "new")
    assert ran.code == 0
    names = {path.name for path in (tmp_path / "new").iterdir()}
    assert {"quac-transitions.svg", "quac-transitions.png", "quac-wh-words.svg"} <= names
    assert "6 figures" in ran.err


def test_without_matplotlib_nothing_is_read_first(
    lacuna: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    ran = lacuna("describe", "quac", tmp_path / "none.json", "--figures", tmp_path)
    assert (ran.code, ran.out) == (2, "")
    assert "pip install 'lacuna-qa[lab]'" in ran.err


def test_a_folder_that_cannot_be_written_is_told_before_anything_is_read(
    lacuna: Any, examples: Path, tmp_path: Path
) -> None:
    pytest.importorskip("matplotlib")
    (tmp_path / "file").touch()
    ran = lacuna("describe", "quac", examples / "quac.json", "--figures", tmp_path / "file")
    assert (ran.code, ran.out) == (2, "")
    assert "cannot be written" in ran.err


def test_a_terminal_obeys_nothing_in_a_question(lacuna: Any, tmp_path: Path) -> None:
    file = tmp_path / "hotpotqa.json"
    question = {"_id": "1", "question": "Who?", "context": [], "level": "\x1b[31mred|"}
    file.write_text(json.dumps([question]))
    ran = lacuna("describe", "hotpotqa", file)
    assert ran.code == 0
    assert "\x1b" not in ran.out
    assert "red\\|" in ran.out


def test_broken_items_are_left_out_and_reported(
    lacuna: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "hotpotqa.json"
    good = {"_id": "1", "question": "Who?", "context": []}
    file.write_text(json.dumps([good, {"_id": 2, "question": "Who?", "context": []}]))
    assert lacuna("describe", "hotpotqa", file).code == 2
    monkeypatch.setenv("LACUNA_SKIP_BAD", "1")
    ran = lacuna("describe", "hotpotqa", file)
    assert ran.code == 1
    assert "Left out" in ran.err
    assert "| questions | 1 |" in ran.out


def fill(sheet: Path, labels: dict[str, str]) -> None:
    with sheet.open(encoding="utf-8", newline="") as text:
        head, *rows = csv.reader(text)
    for row in rows:
        for at, name in enumerate(head):
            row[at] = labels.get(name.split(" [")[0], row[at])
    with sheet.open("w", encoding="utf-8", newline="") as out:
        csv.writer(out).writerows([head, *rows])


def test_a_sheet_is_written_filled_and_counted(lacuna: Any, examples: Path, tmp_path: Path) -> None:
    file, sheet = examples / "iirc.json", tmp_path / "sheet.csv"
    ran = lacuna("describe", "iirc", file, "--sample", "4", "--sheet", sheet)
    assert ran.code == 0
    assert "4 rows" in ran.err
    assert "the question names the link" in ran.out
    ran = lacuna("describe", "iirc", "--labelled", sheet)
    assert (ran.code, "found nothing" in ran.err) == (2, True)
    fill(
        sheet,
        {"link prediction": "easy", "retrieval": "bridge", "reasoning": "discrete-temporal"},
    )
    ran = lacuna("describe", "iirc", file, "--labelled", sheet)
    assert ran.code == 0
    assert "| bridge | 4 | 100.0 | 51.0 – 100.0 | 57 |" in ran.out
    ran = lacuna("describe", "iirc", "--labelled", sheet, "--json")
    assert json.loads(ran.out)["parts"]["retrieval"]["rows"][1][:2] == ["bridge", 4]


def test_a_sheet_of_errors(lacuna: Any, examples: Path, tmp_path: Path) -> None:
    sheet = tmp_path / "sheet.csv"
    arguments = ("--predictions", examples / "iirc_predictions.json", "--sheet", sheet, "--json")
    ran = lacuna("describe", "iirc", examples / "iirc.json", *arguments)
    assert json.loads(ran.out)["rows"] == 4
    fill(sheet, {"error": "Modeling Error"})
    ran = lacuna("describe", "iirc", examples / "iirc.json", "--labelled", sheet)
    assert "| modeling error | 4 | 100.0 |" in ran.out


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ((), "Give at least one FILE"),
        (("FILE", "--sample", "3"), "say where with --sheet"),
        (("FILE", "--predictions", "p.json"), "say where with --sheet"),
        (("FILE", "--sheet", "SHEET", "--figures", "f"), "do not go together"),
        (("FILE", "--labelled", "SHEET", "--sheet", "SHEET"), "--labelled goes alone"),
        (("FILE", "--labelled", "SHEET"), "There is no file"),
        (("FILE", "--sheet", "FILE"), "is read by this command"),
        (("FILE", "--sheet", "FILLED"), "exists already"),
    ],
)
def test_what_makes_no_sense_is_refused(
    lacuna: Any, examples: Path, tmp_path: Path, arguments: tuple[str, ...], problem: str
) -> None:
    places = {"FILE": examples / "iirc.json", "SHEET": tmp_path / "sheet.csv"}
    places["FILLED"] = tmp_path / "filled.csv"
    places["FILLED"].touch()
    ran = lacuna("describe", "iirc", *(places.get(word, word) for word in arguments))
    assert (ran.code, ran.out) == (2, "")
    assert problem in ran.err
    assert (examples / "iirc.json").read_text(encoding="utf-8").startswith("[")


def test_files_without_questions_are_refused(lacuna: Any, tmp_path: Path) -> None:
    facts = tmp_path / "facts.txt"
    facts.write_text('"iron rusts"\n')
    ran = lacuna("describe", "openbookqa", facts)
    assert (ran.code, "no question" in ran.err) == (2, True)
