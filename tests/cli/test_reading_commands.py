"""predict and evaluate, with a reader that knows a few answers."""

from __future__ import annotations

import json
import os
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import refusing

from lacuna import Answer, LacunaError, Prediction, Question, get_dataset
from lacuna.answers import AnswerMode
from lacuna.datasets import DATASETS
from lacuna.types import DialogActs, FollowUp, YesNo

loaded: list[tuple[str, int | None]] = []
ANSWERS = {
    "q_1": (Answer.number(27), 0.9),
    "q_2": (Answer.span("Ruth Quill"), 0.8),
    "q_3": (Answer.yes(), 0.7),
    "q_4": (Answer.none(), 0.6),
}


class FakeReader:
    """Knows the answers above; all else is the first choice, or no answer."""

    @classmethod
    def load(cls, model: str | Path = "small", *, threads: int | None = None) -> FakeReader:
        if model != "small":
            raise LacunaError(f"There is no model {model}.")
        loaded.append((str(model), threads))
        return cls()

    def read(
        self,
        questions: Sequence[Question],
        *,
        mode: AnswerMode = AnswerMode.ASK,
        progress: Callable[[int], None] | None = None,
    ) -> list[Prediction]:
        assert all(question.gold is None for question in questions)
        return [self._one(question) for question in questions]

    def _one(self, question: Question) -> Prediction:
        fallback = Answer.choice(question.choices[0].label) if question.choices else Answer.none()
        answer, confidence = ANSWERS.get(question.id, (fallback, 0.1))
        acts = DialogActs(YesNo.NEITHER, FollowUp.NO)
        return Prediction(answer, supporting_facts=(), acts=acts, confidence=confidence)


@pytest.fixture(autouse=True)
def reader(monkeypatch: pytest.MonkeyPatch) -> None:
    module = ModuleType("lacuna.models.reader.reader")
    module.ModelReader = FakeReader  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "lacuna.models.reader.reader", module)
    loaded.clear()


READ_FROM_THE_FILE = [name for name in DATASETS if not get_dataset(name).setting().over_corpus]


def file_of(task: str, examples: Path) -> Path:
    return examples / ("openbookqa.jsonl" if task == "openbookqa" else f"{task}.json")


def refused(ran: Any, *words: str) -> None:
    refusing.refused(ran, *words)
    assert not loaded, "before a model is loaded"


@pytest.mark.parametrize("task", READ_FROM_THE_FILE)
def test_predictions_are_in_the_official_format(
    lacuna: Any, examples: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, task: str
) -> None:
    monkeypatch.setenv("LACUNA_THREADS", "2")
    out, sure = tmp_path / "new" / "pred", tmp_path / "sure.json"
    gold = file_of(task, examples)
    ran = lacuna("predict", task, gold, "--out", out, "--confidence", sure)
    assert (ran.code, ran.out) == (0, "")
    assert f"predictions written to {out}" in ran.err
    assert loaded == [("small", 2)]
    with get_dataset(task).open(gold) as questions:
        ids = {question.id for question in questions.questions()}
    assert get_dataset(task).read_predictions(out).keys() == ids
    assert json.loads(sure.read_text()).keys() == ids
    assert lacuna("score", task, gold, out).code == 0


@pytest.mark.parametrize("task", READ_FROM_THE_FILE)
def test_evaluate_says_what_score_says(
    lacuna: Any, examples: Path, tmp_path: Path, task: str
) -> None:
    out, gold = tmp_path / "pred", file_of(task, examples)
    told = json.loads(lacuna("evaluate", task, gold, "--json", "-o", out).out)
    scored = json.loads(lacuna("score", task, gold, out, "--json").out)
    assert scored.items() <= told.items()
    assert told["missing_predictions"] == 0
    assert set(told["confidence"]) == {
        *("measure", "risk_at_coverage", "aurc", "expected_calibration_error", "auc")
    }
    ran = lacuna("evaluate", task, gold)
    assert ran.code == 0
    assert "By kind of answer" in ran.out
    assert "area under the curve" in ran.out


def test_evaluate_breaks_down_as_the_papers_do(lacuna: Any, examples: Path) -> None:
    told = json.loads(lacuna("evaluate", "iirc", examples / "iirc.json", "--json").out)
    assert told["setting"] == "oracle-context"
    assert {name: part["questions"] for name, part in told["by_type"].items()} == {
        "span": 2, "binary": 2, "none": 2, "value": 1,
    }  # fmt: skip
    assert told["by_type"]["none"]["f1"] == 1.0
    risk = told["confidence"]["risk_at_coverage"]
    assert (risk["100"], risk["10"]) == (pytest.approx(3 / 7), 0.0)
    ran = lacuna("evaluate", "hotpotqa", examples / "hotpotqa.json", "--setting", "gold-only")
    assert "hotpotqa, gold-only" in ran.out
    assert "By type" in ran.out
    assert "bridge" in ran.out
    assert "joint_f1" in ran.out


def test_the_threshold_of_an_error(lacuna: Any, examples: Path) -> None:
    arguments = ["evaluate", "iirc", examples / "iirc.json", "--max-error"]
    found = json.loads(lacuna(*arguments, "0.25", "--json").out)["max_error"]
    assert (found["error"], found["measure"]) == (0.25, "f1")
    assert found["thresholds"] == {
        "reader": {"confidence": 0.6, "answered": 4, "coverage": 4 / 7, "error": 0.25}
    }
    ran = lacuna(*arguments, "0.1")
    assert ran.code == 0
    assert "Error (100 − f1) of at most 10 %" in ran.out
    assert "0.8" in ran.out


def test_no_threshold_is_low_enough(
    lacuna: Any, examples: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(ANSWERS, "q_1", (Answer.none(), 0.99))
    arguments = ["evaluate", "iirc", examples / "iirc.json", "--max-error", "0.1"]
    ran = lacuna(*arguments)
    assert ran.code == 1
    assert "Error (100" not in ran.out
    assert "reader: no threshold keeps the error at 0.1 or below" in ran.err
    ran = lacuna(*arguments, "--json")
    assert ran.code == 1
    assert json.loads(ran.out)["max_error"]["thresholds"] == {"reader": None}


def test_broken_items_are_left_out_and_reported(
    lacuna: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    good = {"_id": "a", "question": "?", "context": [["T", ["x"]]], "answer": "x",
            "supporting_facts": []}  # fmt: skip
    gold, out = tmp_path / "some.json", tmp_path / "pred.json"
    gold.write_text(json.dumps([good, {"_id": "b"}]))
    refused(lacuna("predict", "hotpotqa", gold, "-o", out), "item 2", "LACUNA_SKIP_BAD")
    assert not out.exists()
    monkeypatch.setenv("LACUNA_SKIP_BAD", "1")
    for verb in (("predict", "-o", out), ("evaluate",), ("evaluate", "--max-error", "1")):
        ran = lacuna(verb[0], "hotpotqa", gold, *verb[1:])
        assert ran.code == 1
        assert ran.err.count("1 broken items were left out") == 1
    assert list(get_dataset("hotpotqa").read_predictions(out)) == ["a"]


def test_a_file_without_answers(lacuna: Any, tmp_path: Path) -> None:
    hidden = tmp_path / "test.json"
    hidden.write_text(json.dumps([{"_id": "a", "question": "?", "context": []}]))
    for more in ((), ("--max-error", "0.1")):
        ran = lacuna("evaluate", "hotpotqa", hidden, *more)
        refused(ran, "`lacuna predict` works without them")
    setting = ("--setting", "gold-only")
    out = tmp_path / "pred.json"
    refused(lacuna("predict", "hotpotqa", hidden, "-o", out, *setting), "no supporting_facts")
    assert lacuna("predict", "hotpotqa", hidden, "-o", out).code == 0


def test_bad_input_is_refused_before_the_model_is_loaded(
    lacuna: Any, examples: Path, tmp_path: Path
) -> None:
    gold, out = tmp_path / "gold.json", tmp_path / "out.json"
    gold.write_bytes((examples / "iirc.json").read_bytes())
    empty, nothing = tmp_path / "empty.json", tmp_path / "nothing.json"
    empty.touch()
    nothing.write_text("[]")
    refused(lacuna("predict", "iirc", empty, "-o", out), "is empty")
    refused(lacuna("evaluate", "iirc", nothing), "holds no question of iirc")
    refused(lacuna("evaluate", "iirc", tmp_path / "gone.json"), "There is no file")
    refused(lacuna("evaluate", "iirk", gold), "Did you mean iirc?")
    refused(lacuna("evaluate", "iirc", gold, "--setting", "oracle"), "oracle-context")
    refused(lacuna("evaluate", "iirc", gold, "--setting", "retrieved-context"), "has the field")
    refused(lacuna("predict", "iirc", gold, "-o", tmp_path), "is a folder")
    refused(lacuna("predict", "iirc", gold, "-o", gold / "pred.json"), "cannot be written")
    refused(lacuna("predict", "iirc", gold, "-o", gold), "is read by this command")
    refused(lacuna("predict", "iirc", gold, "-o", out, "--confidence", out), "named twice")
    refused(lacuna("evaluate", "iirc", gold, "--system", "lost"), "there is no model 'lost'")
    assert lacuna("evaluate", "iirc", gold, "--max-error", "2").code == 2
    assert {path.name for path in tmp_path.iterdir()} == {"gold.json", "empty.json", "nothing.json"}


def test_a_pipe_is_read_once(lacuna: Any, examples: Path, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    content = (examples / "iirc.json").read_bytes()
    writer = threading.Thread(target=pipe.write_bytes, args=(content,))
    writer.start()
    ran = lacuna("evaluate", "iirc", pipe, "--json")
    writer.join()
    assert json.loads(ran.out)["questions"] == 7


def test_help_names_the_verbs(lacuna: Any) -> None:
    ran = lacuna("--help")
    assert all(verb in ran.out for verb in ("predict", "evaluate", "tune"))
    assert "predicted-history" in lacuna("predict", "--help").out
