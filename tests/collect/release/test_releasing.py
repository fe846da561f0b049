"""A released dataset: whole, loadable, checked by its sums, and without an answer of test."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("sqlalchemy", reason="the extra `collect` is not installed")

from lacuna import demo
from lacuna.datasets import get_dataset
from lacuna.errors import LacunaError
from lacuna.files.checksums import differences
from lacuna_collect.project import CollectProject
from lacuna_collect.releasing import release
from lacuna_collect.tasks.families import family_named

EXAMPLES = Path(__file__).parent.parent.parent.parent / "examples"
ANSWER_FIELDS = ("answer", "question_links", "context", "supporting_facts", "type", "level")


class ExportsFiles:
    """A family whose people have made the example files."""

    def __init__(self, name: str, files: dict[str, str]) -> None:
        self._family: Any = family_named(name)
        self._files = files
        self.name = name
        self.dataset = self._family.dataset
        self.companions = self._family.companions
        self.tasks = self._family.tasks

    def agreement(self, finished: object) -> dict[str, Any]:
        return {"answers": {"exact": 0.75, "questions": 4, "types": {}}}

    def export(self, finished: object, corpus: object, out: Path, settings: object = None) -> Any:
        for name, example in self._files.items():
            (out / name).parent.mkdir(exist_ok=True)
            (out / name).write_bytes((EXAMPLES / example).read_bytes())
        return {"left_out": {"questions": 2, "reasons": {"no two people agree": 2}}}


def made(folder: Path, name: str, files: dict[str, str]) -> CollectProject:
    family: Any = ExportsFiles(name, files)
    CollectProject.create(folder, family, demo.ARTICLES).close()
    return CollectProject.open(folder, family=family)


@pytest.fixture
def iirc(tmp_path: Path) -> CollectProject:
    splits = dict.fromkeys(("train.json", "dev.json", "test.json"), "iirc.json")
    return made(tmp_path / "project", "iirc", {**splits, "context_articles.json": "squad.json"})


def test_a_release_is_whole(iirc: CollectProject, tmp_path: Path) -> None:
    out = tmp_path / "web" / "islands"
    board = "https://board.example.org/"
    data = release(iirc, out, title="Islands & <b>", licence="CC-BY-4.0", board=board)
    assert list(differences(out)) == []
    assert data.public == {
        "train.json": 7,
        "dev.json": 7,
        "test.json": 7,
        "context_articles.json": None,
    }
    assert data.kept_back == [iirc.folder / "kept-back" / "islands" / "test.json"]
    assert data.kept_back[0].read_bytes() == (EXAMPLES / "iirc.json").read_bytes()
    sheet = (out / "DATASHEET.md").read_text(encoding="utf-8")
    for told in ("| train.json | 7 |", "$ a set", "4.00", "To be filled in", "exact 0.750",
                 "no two people agree (2)", board, "75 documents"):  # fmt: skip
        assert told in sheet, told
    assert "creativecommons.org/licenses/by/4.0" in (out / "LICENSE.txt").read_text()
    assert json.loads((out / "statistics.json").read_text())["train"]
    page = (out / "index.html").read_text(encoding="utf-8")
    assert "Islands &amp; &lt;b&gt;" in page
    assert "<script" not in page
    assert board in page
    assert [path.name for path in out.parent.iterdir()] == ["islands"], "nothing is left beside it"


def test_no_answer_of_test_goes_out(iirc: CollectProject, tmp_path: Path) -> None:
    release(iirc, tmp_path / "out", title="x", licence="", board="")
    test = json.loads((tmp_path / "out" / "data" / "test.json").read_text(encoding="utf-8"))
    asked = [question for passage in test for question in passage["questions"]]
    assert len(asked) == 7
    assert all(set(question) == {"qid", "question"} for question in asked)


def test_what_hotpotqa_hides_stays(tmp_path: Path) -> None:
    names = ("train.json", "dev.json", "test-distractor.json", "folds/without-1.json",
             "hidden/test-distractor-gold.json")  # fmt: skip
    project = made(tmp_path / "project", "hotpotqa", dict.fromkeys(names, "hotpotqa.json"))
    out = tmp_path / "out"
    data = release(project, out, title="x", licence="", board="")
    assert sorted(path.name for path in (out / "data").iterdir()) == [
        "dev.json",
        "test-distractor.json",
        "train.json",
    ]
    test = json.loads((out / "data" / "test-distractor.json").read_text())
    assert not [field for question in test for field in question if field in ANSWER_FIELDS[3:]]
    assert not [question for question in test if "answer" in question]
    assert "test-distractor-gold.json" in [path.name for path in data.kept_back]


def test_the_page_counts_only_what_a_file_tells(tmp_path: Path) -> None:
    """Levels of a test set are hidden, which is not the same as none; an empty file has none."""
    names = ("train.json", "test-distractor.json")
    project = made(tmp_path / "project", "hotpotqa", dict.fromkeys(names, "hotpotqa.json"))
    family: Any = project.family
    export = family.export

    def with_an_empty_file(finished: object, corpus: object, out: Path, settings: object) -> Any:
        (out / "train-easy.json").write_text("[]")
        return export(finished, corpus, out, settings)

    family.export = with_an_empty_file
    data = release(project, tmp_path / "out", title="x", licence="", board="")
    assert data.public == {"train.json": 2, "train-easy.json": 0, "test-distractor.json": 2}
    page = (tmp_path / "out" / "index.html").read_text(encoding="utf-8")
    cells = re.findall(r"<t[hd][^>]*>(?:<a[^>]*>)?([^<]*)", page)
    rows = {name: cells[cells.index(name) + 1 :][:2] for name in ("questions", "hard")}
    assert rows == {"questions": ["2", "2"], "hard": ["1", "–"]}
    assert cells[cells.index("train-easy.json") + 1] == "0"


@pytest.mark.parametrize(
    ("dataset", "splits"),
    [
        ("iirc", {"train": 7, "dev": 7, "test": 7}),
        ("hotpotqa", {"train": 2, "dev": 2, "test-distractor": 2, "test-fullwiki": 2}),
        ("quac", {"train": 3, "dev": 3, "test": 3}),
    ],
)
def test_the_loading_code_runs(tmp_path: Path, dataset: str, splits: dict[str, int]) -> None:
    files = {f"{split}.json": f"{dataset}.json" for split in splits}
    project = made(tmp_path / "project", dataset, files)
    release(project, tmp_path / "out", title="x", licence="", board="")
    ran = subprocess.run(
        [sys.executable, "-I", str(tmp_path / "out" / "load.py")],
        capture_output=True,
        text=True,
        check=True,
    )
    assert dict(line.split() for line in ran.stdout.splitlines()) == {
        split: str(count) for split, count in splits.items()
    }
    for split, count in splits.items():
        with get_dataset(dataset).open(tmp_path / "out" / "data" / f"{split}.json") as reader:
            assert sum(1 for _ in reader.questions()) == count


def test_loading_any_format(tmp_path: Path) -> None:
    import lacuna_collect.loaders as loaders

    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "train.json").write_bytes((EXAMPLES / "quac.json").read_bytes())
    (tmp_path / "data" / "dev.jsonl").write_bytes((EXAMPLES / "openbookqa.jsonl").read_bytes())
    code = Path(loaders.__file__).with_name("any_format.py").read_bytes()
    (tmp_path / "load.py").write_bytes(code)
    ran = subprocess.run(
        [sys.executable, "-I", str(tmp_path / "load.py")], capture_output=True, check=True
    )
    assert ran.stdout.split() == [b"dev", b"2", b"train", b"1"]


def test_what_cannot_be_released(iirc: CollectProject, tmp_path: Path) -> None:
    with pytest.raises(LacunaError, match="no licence 'MIT'"):
        release(iirc, tmp_path / "out", title="x", licence="MIT", board="")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "x").touch()
    with pytest.raises(LacunaError, match="is there already"):
        release(iirc, tmp_path / "full", title="x", licence="", board="")
    empty = made(tmp_path / "empty", "iirc", {"context_articles.json": "squad.json"})
    with pytest.raises(LacunaError, match="no finished question"):
        release(empty, tmp_path / "out", title="x", licence="", board="")
    assert not (tmp_path / "out").exists()
