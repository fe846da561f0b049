"""A dataset of another package goes wherever one of Lacuna's own goes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest
import refusing
from fake_reader import use_reader
from toy_dataset import Toy

import lacuna
from lacuna import Answer, LacunaError, Question
from lacuna.answers import AnswerMode
from lacuna.datasets import DATASETS, dataset_names, every_dataset, get_dataset

GROUP = "lacuna.datasets"
OFFERED = {
    "toy": "toy_dataset:Toy",
    "misnamed": "toy_dataset:Misnamed",
    "bare": "toy_dataset:Bare",
    "number": "toy_dataset:AnswerMode",
    "gone": "lacuna_lost:Gone",
    "squad": "toy_dataset:Toy",
}
LINES = (
    {"country": "Selmory", "text": "Its capital is Kelmouth.", "capital": "Kelmouth"},
    {"country": "Orlet", "text": "It is small.", "capital": ""},
    {"country": "Osk", "text": "Oskhaven is its capital.", "capital": "Oskhaven"},
)


@pytest.fixture(autouse=True)
def offered(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    points = tuple(EntryPoint(name, value, GROUP) for name, value in OFFERED.items())
    monkeypatch.setattr(
        "lacuna.plugins.entry_points", lambda *, group: points if group == GROUP else ()
    )
    get_dataset.cache_clear()
    yield
    get_dataset.cache_clear()


def first_word(question: Question, mode: AnswerMode) -> Answer:
    """The first word of a text that names a capital; else none."""
    assert mode is AnswerMode.EXTRACT
    assert question.context is not None
    text = question.context.text
    return Answer.span(text.split()[0]) if "capital" in text else Answer.none()


@pytest.fixture
def reader(monkeypatch: pytest.MonkeyPatch) -> None:
    use_reader(monkeypatch, first_word)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "capitals.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in LINES), "utf-8")
    return path


def test_it_is_one_of_the_datasets() -> None:
    assert isinstance(lacuna.get_dataset("toy"), Toy)
    assert dataset_names() == (*DATASETS, "bare", "gone", "misnamed", "number", "toy")
    assert [dataset.name for dataset in every_dataset()] == [*DATASETS, "toy"]
    with pytest.raises(LacunaError, match=r"no dataset 'toys'. Did you mean toy\? There are: iirc"):
        get_dataset("toys")


def test_no_package_takes_the_place_of_a_built_in_dataset() -> None:
    assert type(get_dataset("squad")).__name__ == "SQuAD"


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("misnamed", "its own name is 'other'"),
        ("bare", "'forms'"),
        ("number", "is no subclass of lacuna.datasets.base.Dataset"),
        ("gone", "No module named 'lacuna_lost'"),
    ],
)
def test_what_is_no_dataset_is_refused(name: str, reason: str) -> None:
    with pytest.raises(LacunaError, match=reason):
        get_dataset(name)


def test_check(lacuna: Any, file: Path) -> None:
    checked = json.loads(lacuna("data", "check", "toy", file, "--json").out)
    assert checked["questions"] == 3
    assert checked["answer_kinds"] == {"span": 2, "none": 1}
    assert checked["always_abstain_floor"] == {"right": pytest.approx(1 / 3)}
    assert lacuna("data", "check", "toy", file).code == 0
    refusing.refused(lacuna("data", "check", "squad", file), "it looks like toy")


def test_read_and_write(file: Path, tmp_path: Path) -> None:
    toy, again = get_dataset("toy"), tmp_path / "again.jsonl"
    with toy.open(file) as reader:
        toy.copy(reader, again)
    assert again.read_text("utf-8") == file.read_text("utf-8")


@pytest.mark.usefixtures("reader")
def test_predict_score_and_evaluate(lacuna: Any, file: Path, tmp_path: Path) -> None:
    out = tmp_path / "predictions.json"
    assert lacuna("predict", "toy", file, "--out", out).code == 0
    assert json.loads(out.read_text()) == {
        "Selmory": "Its", "Orlet": "nowhere", "Osk": "Oskhaven",
    }  # fmt: skip
    scored = json.loads(lacuna("score", "toy", file, out, "--json").out)
    assert scored["right"] == pytest.approx(2 / 3)
    assert "right" in lacuna("score", "toy", file, out).out
    evaluated = json.loads(lacuna("evaluate", "toy", file, "--json").out)
    assert scored.items() <= evaluated.items()
    assert evaluated["setting"] == "text"
    assert lacuna("evaluate", "toy", file).code == 0
    assert lacuna("evaluate", "toy", file, "--max-error", "0.5").code == 0


@pytest.mark.usefixtures("reader")
def test_what_it_does_not_have_is_named(lacuna: Any, file: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    refusing.refused(lacuna("data", "fetch", "toy"), "Nobody publishes files of toy")
    refusing.refused(
        lacuna("data", "convert", "toy", file, "--to", "squad", "-o", out), "cannot be converted"
    )
    refusing.refused(lacuna("evaluate", "toy"), "Give a file of toy; only iirc, openbookqa, quac")
    refusing.refused(lacuna("evaluate", "toy", file, "--setting", "texts"), "Did you mean text?")
    refusing.refused(lacuna("evaluate", "toy", file, "--system", "gapqa"), "those of toy have none")
    refusing.refused(lacuna("score", "toy", file, file, "--na-prob", file), "not to toy")
    refusing.refused(lacuna("evaluate", "toy", file, "--corpus", tmp_path), "--setting wide")


def test_info_names_it(lacuna: Any) -> None:
    assert "toy" in lacuna("info").out.replace("\n", " ")
