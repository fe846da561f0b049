"""Releases of projects as people make them: nothing hidden goes out, and nothing is lost."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("sqlalchemy", reason="the extra `collect` is not installed")

from quac_site import make_quac_project
from quac_talk import hold_dialog, validate

from lacuna import demo
from lacuna.errors import LacunaError
from lacuna.metrics.comparison import HumanRow
from lacuna_collect import releasing
from lacuna_collect.project import CollectProject
from lacuna_collect.releasing import release
from lacuna_collect.tasks.families import family_named
from lacuna_collect.tasks.kgd import KGDFamily
from lacuna_collect.tasks.task import FinishedWork

FACT = "a magnet pulls iron"
PAIR = {
    "id": "1", "question": "What does a magnet pull?", "fact": FACT, "answer": "A",
    "choices": [{"label": "A", "text": "a nail"}, {"label": "B", "text": "an oar"}],
}  # fmt: skip


@pytest.fixture
def talks(tmp_path: Path) -> CollectProject:
    """One dialog of test with all its validators, and one that waits for them."""
    project = make_quac_project(tmp_path, people=2, percent_test=100)
    hold_dialog(project)
    for number in range(4):
        validate(project, f"Vera {number}")
    hold_dialog(project, "Cas", "Dot")
    return project


def loaded(out: Path) -> dict[str, str]:
    ran = subprocess.run(
        [sys.executable, "-I", str(out / "load.py")], capture_output=True, text=True, check=True
    )
    return dict(line.split() for line in ran.stdout.splitlines())


def test_nothing_tells_of_single_questions_of_quacs_test(
    talks: CollectProject, tmp_path: Path
) -> None:
    out = tmp_path / "web"
    data = release(talks, out, title="Talks", licence="", board="")
    assert sorted(path.name for path in (out / "data").iterdir()) == [
        "dev.json",
        "human-test.json",
        "test.json",
        "train.json",
    ]
    assert data.public["human-test.json"] is None
    HumanRow.read(out / "data" / "human-test.json")
    (asked,) = json.loads((out / "data" / "test.json").read_text())["data"]
    ids = [question["id"] for question in asked["paragraphs"][0]["qas"]]
    assert len(ids) == 4
    told = [path for path in out.rglob("*") if path.is_file() and ids[0] in path.read_text()]
    assert [path.name for path in told] == ["test.json"]
    assert {path.name for path in data.kept_back} == {"test.json", "heq-cut-offs-test.json"}
    assert set(json.loads(data.kept_back[0].read_text())) == set(ids)
    sheet = (out / "DATASHEET.md").read_text()
    assert "1 dialogs were left out: waits for more answers by validators (1)." in sheet
    assert loaded(out) == {"train": "0", "dev": "0", "test": "4"}


class GapsOfThree(KGDFamily):
    """KGD, with what three people made of two facts: they agree on one."""

    def export(self, finished: Any, corpus: Any, out: Path, settings: Any = None) -> Any:
        ticked = {FACT: ["madeof-1"] * 3, f"{FACT}s": ["isa", "causes", "isa"]}
        spans = ([15, 19], [15, 19], [9, 14])
        works = [
            FinishedWork(
                fact, {**PAIR, "fact": fact}, "test",
                {"span": span, "relations": [relation]}, number, number, 1.0,
            )
            for fact, relations in ticked.items()
            for number, (span, relation) in enumerate(zip(spans, relations, strict=True), 1)
        ]  # fmt: skip
        return super().export({"kgd-gaps": works}, corpus, out, settings)


def test_kgd_is_released(tmp_path: Path) -> None:
    family: Any = GapsOfThree()
    CollectProject.create(tmp_path / "gaps", family, None).close()
    with CollectProject.open(tmp_path / "gaps", family=family) as project:
        out = tmp_path / "web"
        data = release(project, out, title="Gaps", licence="", board="")
    assert data.public == {"test.jsonl": 1}
    assert data.kept_back == [tmp_path / "gaps" / "kept-back" / "web" / "test.jsonl"]
    (asked,) = map(json.loads, (out / "data" / "test.jsonl").read_text().splitlines())
    assert "answerKey" not in asked
    assert "1 pairs were left out" in (out / "DATASHEET.md").read_text()
    assert loaded(out) == {"test": "1"}


def test_a_human_check_is_no_dataset(tmp_path: Path) -> None:
    CollectProject.create(tmp_path / "people", family_named("human"), demo.ARTICLES).close()
    with (
        CollectProject.open(tmp_path / "people") as project,
        pytest.raises(LacunaError, match="makes no dataset"),
    ):
        release(project, tmp_path / "web", title="x", licence="", board="")


def test_a_release_that_fails_leaves_what_was_kept_back(
    talks: CollectProject, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = release(talks, tmp_path / "first", title="x", licence="", board="")
    before = {path: path.read_bytes() for path in first.kept_back}
    with pytest.raises(LacunaError, match="earlier release of this name"):
        release(talks, tmp_path / "again" / "first", title="x", licence="", board="")

    def full(folder: Path) -> None:
        raise OSError("No space left on device")

    monkeypatch.setattr(releasing, "write_sums", full)
    with pytest.raises(OSError, match="No space"):
        release(talks, tmp_path / "second", title="x", licence="", board="")
    kept = talks.folder / "kept-back"
    assert [path.name for path in kept.iterdir()] == ["first"]
    assert {path: path.read_bytes() for path in (kept / "first").iterdir()} == before
    assert not (tmp_path / "second").exists()
