"""``lacuna reproduce``: all papers on the demo, pages, and what is refused."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from lacuna_lab.reproduce.reproduction import PAPERS


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LACUNA_CACHE", str(tmp_path / "cache"))


@pytest.mark.parametrize("paper", PAPERS)
def test_every_table_of_a_paper_is_made_from_the_demo(
    lacuna: Any, tmp_path: Path, paper: str
) -> None:
    ran = lacuna("reproduce", paper, "--quick", "--out", tmp_path)
    assert ran.code == 0
    page = (tmp_path / f"{paper}.md").read_text(encoding="utf-8")
    for entry in PAPERS[paper].entries:
        assert f"\n## {entry.heading}\n" in page
        section = page.split(f"\n## {entry.heading}\n")[1].split("\n## ")[0]
        assert "|---|" in section or "Missing: " in section, entry.name
    assert str(tmp_path) not in page
    drawn = re.findall(r"!\[[^\]]+\]\(([^)]+)\)", page)
    assert drawn
    assert all((tmp_path / name).is_file() for name in drawn)
    assert len(set(drawn)) == len(drawn)


def test_one_table_as_json_and_as_a_page_of_its_own(lacuna: Any, tmp_path: Path) -> None:
    asked = ("reproduce", "quac", "table-4-acts", "--quick")
    ran = lacuna(*asked, "--out", tmp_path, "--json")
    made = json.loads(ran.out)
    assert list(made["tables"]) == ["table-4-acts"]
    rows = made["tables"]["table-4-acts"]["parts"]["table-4-acts"]["rows"]
    assert rows[0][0] == "Majority answer"
    assert rows[0][-2:] == [78.8, 57.9]
    assert (tmp_path / "quac-table-4-acts.md").is_file()


def test_without_a_paper_everything_is_listed(lacuna: Any) -> None:
    ran = lacuna("reproduce")
    assert ran.code == 0
    assert all(f"{name}: " in ran.out for name in PAPERS)
    listed = json.loads(lacuna("reproduce", "--json").out)
    assert listed["quac"]["table-4"]["needs"][0] == "quac/dev.json"


def test_what_cannot_be_done_is_refused(lacuna: Any, tmp_path: Path) -> None:
    for wrong, said in (
        (("squad", "--quick"), "There is no paper 'squad'"),
        (("iirc", "table-30", "--quick"), "no table or figure of iirc 'table-30'"),
        (("iirc",), "--data DIR, or --quick"),
        (("iirc", "--quick", "--data", tmp_path), "--data DIR, or --quick"),
        (("iirc", "--data", tmp_path / "no"), "is no folder"),
    ):
        ran = lacuna("reproduce", *wrong)
        assert (ran.code, said in ran.err) == (2, True), ran.err


def test_pages_are_not_written_into_the_data(lacuna: Any, tmp_path: Path) -> None:
    ran = lacuna("reproduce", "iirc", "--data", tmp_path, "--out", tmp_path / "pages")
    assert (ran.code, "which is read by this command" in ran.err) == (2, True)


def test_without_any_file_every_row_has_a_reason_or_was_measured_before(
    lacuna: Any, tmp_path: Path
) -> None:
    data = tmp_path / "data"
    data.mkdir()
    ran = lacuna("reproduce", "iirc", "table-3", "--data", data, "--json")
    assert ran.code == 0
    rows = json.loads(ran.out)["tables"]["table-3"]["parts"]["table-3"]["rows"]
    assert len(rows) == 8
    measured = [row for row in rows if "not here" not in row[1]]
    assert [row[0] for row in measured] == ["Oracle L+C"]
    assert measured[0][1].endswith("(measured before)")


def test_a_broken_file_is_told_and_the_rest_is_made(lacuna: Any, tmp_path: Path) -> None:
    data = tmp_path / "data" / "iirc"
    data.mkdir(parents=True)
    (data / "dev.json").write_text('[{"pid": "p", "text": 7}]', encoding="utf-8")
    ran = lacuna("reproduce", "iirc", "table-2", "--data", data.parent)
    assert ran.code == 1
    assert "| passages | – | 5,698 |" in ran.out
    assert "Not counted: iirc/dev.json." in ran.out
    assert "expected" in ran.err
