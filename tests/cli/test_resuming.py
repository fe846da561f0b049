"""A run that is stopped keeps what it has answered, and --resume goes on with that."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from lacuna.errors import LacunaError
from lacuna.evaluation.answering import FORGOTTEN
from lacuna.evaluation.asking import PipelineSystem
from lacuna.files.cache import cache_folder, only_writer
from lacuna.models.model_folder import SHIPPED, WEIGHTS
from lacuna.types import Answer, Prediction, Question

COUNT = 150


class StoppedReader:
    """Answers with the question's own words, and stops like a user after so many."""

    asked: list[str]

    def __init__(self, stop_after: int | None, error: type[BaseException]) -> None:
        self.asked, self._stop, self._error = [], stop_after, error

    def read(self, questions: Sequence[Question], **_: Any) -> list[Prediction]:
        if self._stop is not None and len(self.asked) >= self._stop:
            raise self._error("stopped")
        self.asked += [question.id for question in questions]
        return [Prediction(Answer.span(q.text), confidence=len(q.text) / 100) for q in questions]


class Desk:
    """Files of a run, and the reader that answers in it."""

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch) -> None:
        self.gold, self.out, self._patch = folder / "gold.json", folder / "pred.json", patch
        self.write(COUNT)

    def write(self, count: int) -> None:
        qas = [{"id": f"q{n}", "question": f"Who was number {n}?", "is_impossible": False,
                "answers": [{"text": "Ada", "answer_start": 0}]} for n in range(count)]  # fmt: skip
        content = {"version": "v2.0", "data": [
            {"title": "T", "paragraphs": [{"context": "Ada was.", "qas": qas}]}]}  # fmt: skip
        self.gold.write_text(json.dumps(content))

    def reader(
        self, stop_after: int | None = None, error: type[BaseException] = KeyboardInterrupt
    ) -> StoppedReader:
        reader = StoppedReader(stop_after, error)
        self._patch.setattr("lacuna.models.registry.open_reader", lambda name, **_: reader)
        return reader

    def predict(self, *more: str) -> list[str | Path]:
        return ["predict", "squad", self.gold, "-o", self.out, *more]

    def evaluate(self, *more: str) -> list[str | Path]:
        return ["evaluate", "squad", self.gold, "--json", *more]


def kept_files() -> list[Path]:
    return [path for path in (cache_folder() / "unfinished").rglob("*.jsonl") if path.is_file()]


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    monkeypatch.setenv("LACUNA_CACHE", str(tmp_path / "cache"))
    return Desk(tmp_path, monkeypatch)


def test_a_stopped_prediction_goes_on(lacuna: Any, desk: Desk) -> None:
    desk.reader()
    assert lacuna(*desk.predict()).code == 0
    whole = desk.out.read_bytes()
    desk.out.unlink()
    desk.reader(stop_after=90)
    ran = lacuna(*desk.predict())
    assert ran.code == 130
    assert "96 answers are kept" in ran.err
    assert "--resume" in ran.err
    assert not desk.out.exists()
    reader = desk.reader()
    ran = lacuna(*desk.predict("--resume"))
    assert ran.code == 0, ran.err
    assert "96 answers are there" in ran.err
    assert reader.asked == [f"q{number}" for number in range(96, COUNT)]
    assert desk.out.read_bytes() == whole
    assert kept_files() == [], "nothing is left behind"


def test_a_stopped_evaluation_goes_on(lacuna: Any, desk: Desk) -> None:
    desk.reader()
    ran = lacuna(*desk.evaluate())
    assert ran.code == 0, ran.err
    whole = ran.out
    desk.reader(stop_after=40)
    assert lacuna(*desk.evaluate()).code == 130
    reader = desk.reader()
    ran = lacuna(*desk.evaluate("--resume"))
    assert (ran.code, ran.out) == (0, whole)
    assert len(reader.asked) == COUNT - 64


def test_of_several_systems_the_finished_are_not_asked_again(lacuna: Any, desk: Desk) -> None:
    both = ("--system", "abstain", "--system", "reader")
    desk.reader()
    whole = lacuna(*desk.evaluate(*both)).out
    desk.reader(stop_after=40)
    ran = lacuna(*desk.evaluate(*both))
    assert f"{COUNT + 64} answers are kept" in ran.err
    reader = desk.reader()
    ran = lacuna(*desk.evaluate(*both, "--resume"))
    assert (ran.code, ran.out) == (0, whole)
    assert len(reader.asked) == COUNT - 64


@pytest.mark.parametrize("error", [LacunaError, ZeroDivisionError, SystemExit])
def test_whatever_stops_it(lacuna: Any, desk: Desk, error: type[BaseException]) -> None:
    desk.reader(stop_after=40, error=error)
    if error is ZeroDivisionError:
        with pytest.raises(ZeroDivisionError):
            lacuna(*desk.predict())
    else:
        assert "64 answers are kept" in lacuna(*desk.predict()).err
    reader = desk.reader()
    assert lacuna(*desk.predict("--resume")).code == 0
    assert len(reader.asked) == COUNT - 64


def test_without_resume_it_begins_anew(lacuna: Any, desk: Desk) -> None:
    desk.reader(stop_after=40)
    lacuna(*desk.predict())
    reader = desk.reader()
    assert lacuna(*desk.predict()).code == 0
    assert len(reader.asked) == COUNT


def test_what_belongs_to_something_else_is_refused(lacuna: Any, desk: Desk) -> None:
    desk.reader(stop_after=40)
    lacuna(*desk.predict())
    for more in (("--setting", "always-answer"), ("--system", "abstain")):
        ran = lacuna(*desk.predict("--resume", *more))
        assert (ran.code, ran.out) == (2, "")
        assert "no unfinished work" in ran.err
    desk.write(COUNT + 1)
    ran = lacuna(*desk.predict("--resume"))
    assert ran.code == 2
    assert "the questions changed since" in ran.err
    assert ran.err.count("\n") == 1
    desk.write(COUNT)
    assert lacuna(*desk.predict("--resume")).code == 130, "the work is still there"


def test_nothing_to_go_on_with(lacuna: Any, desk: Desk) -> None:
    desk.reader()
    ran = lacuna(*desk.predict("--resume"))
    assert (ran.code, "no unfinished work" in ran.err) == (2, True)
    assert lacuna(*desk.predict()).code == 0
    ran = lacuna(*desk.predict("--resume"))
    assert (ran.code, "no unfinished work" in ran.err) == (2, True)


def test_a_model_that_was_tuned_meanwhile(lacuna: Any, desk: Desk, tmp_path: Path) -> None:
    model = tmp_path / "model"
    model.mkdir()
    (model / "config.json").write_text("{}")
    desk.reader(stop_after=40)
    lacuna(*desk.predict("--system", str(model)))
    (model / "config.json").write_text('{"temperature": 2}')
    ran = lacuna(*desk.predict("--system", str(model), "--resume"))
    assert (ran.code, "the model changed since" in ran.err) == (2, True)


def test_where_nothing_can_be_kept_the_run_goes_on(
    lacuna: Any, desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("LACUNA_CACHE", str(tmp_path / "file"))
    desk.reader()
    assert lacuna(*desk.predict()).code == 0


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_a_killed_process_keeps_its_work(
    tmp_path: Path, examples: Path, how: signal.Signals
) -> None:
    if not (SHIPPED / "small" / WEIGHTS).is_file():
        pytest.skip("the small model is not in this checkout")
    gold, out, cache = tmp_path / "gold.json", tmp_path / "pred.json", tmp_path / "cache"
    content = json.loads((examples / "squad.json").read_text())
    paragraph = content["data"][0]["paragraphs"][0]
    paragraph["qas"] = [
        {**paragraph["qas"][0], "id": f"q{number}"} for number in range(400)
    ]  # fmt: skip
    content["data"] = [{**content["data"][0], "paragraphs": [paragraph]}]
    gold.write_text(json.dumps(content))
    command = [sys.executable, "-m", "lacuna", "predict", "squad", str(gold), "-o", str(out)]
    environment = {**os.environ, "LACUNA_CACHE": str(cache)}
    with subprocess.Popen(
        command,
        env=environment,
        stderr=subprocess.PIPE,
        text=True,
        # Tests that run as a job in the background ignore Ctrl-C, and so does what they start.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    ) as process:
        while process.poll() is None and not _lines_in(cache) > 1:
            time.sleep(0.02)
        process.send_signal(how)
        assert process.stderr is not None
        told = process.stderr.read()
    assert process.returncode != 0, "it was stopped in time"
    assert not out.exists()
    assert "Traceback" not in told
    assert ("answers are kept" in told) == (how is not signal.SIGKILL)
    done = subprocess.run([*command, "--resume"], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "Going on: " in done.stderr
    assert "Going on: 0" not in done.stderr
    assert len(json.loads(out.read_text())) == 400


def _lines_in(cache: Path) -> int:
    return sum(path.read_bytes().count(b"\n") for path in (cache / "unfinished").rglob("*.jsonl"))


def test_two_runs_of_one_command_keep_apart(lacuna: Any, desk: Desk) -> None:
    desk.reader(stop_after=40)
    lacuna(*desk.predict())
    (kept,) = kept_files()
    before = kept.read_bytes()
    reader = desk.reader()
    with only_writer(kept.parent):
        ran = lacuna(*desk.predict("--resume"))
        assert (ran.code, "another run" in ran.err) == (2, True)
        assert lacuna(*desk.predict()).code == 0, "it does without keeping"
    assert len(reader.asked) == COUNT
    assert kept.read_bytes() == before


def test_what_nobody_goes_on_with_is_forgotten(lacuna: Any, desk: Desk) -> None:
    desk.reader(stop_after=40)
    lacuna(*desk.predict())
    (kept,) = kept_files()
    old = time.time() - FORGOTTEN - 60
    for file in kept.parent.iterdir():
        os.utime(file, (old, old))
    desk.reader()
    assert lacuna(*desk.evaluate("--setting", "always-answer")).code == 0
    assert kept_files() == []


def test_over_a_corpus_too(
    lacuna: Any, examples: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not (SHIPPED / "small" / WEIGHTS).is_file():
        pytest.skip("the small model is not in this checkout")
    monkeypatch.setattr("lacuna.evaluation.answering.AT_ONCE", 2)
    command = ("evaluate", "iirc", examples / "iirc.json", "--setting", "full", "--json",
               "--corpus", examples / "notes")  # fmt: skip
    whole = lacuna(*command)
    assert json.loads(whole.out)["search"]["links_followed"] > 0
    asks, asked = PipelineSystem.ask, []

    def stopped(self: PipelineSystem, questions: Sequence[Question], **more: Any) -> Any:
        asked.append(len(questions))
        if len(asked) == 3:
            raise KeyboardInterrupt
        return asks(self, questions, **more)

    monkeypatch.setattr(PipelineSystem, "ask", stopped)
    assert lacuna(*command).code == 130
    ran = lacuna(*command, "--resume")
    assert (ran.code, ran.out) == (0, whole.out)
    assert asked == [2, 2, 2, 2, 1], "four were kept, and three asked again"
