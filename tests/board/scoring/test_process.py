"""Scoring runs in a process that may fail, be slow or take too much, and harms nothing else."""

from __future__ import annotations

import os
import signal
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from board_site import EXAMPLES, GOOD, answers, pid_of
from raw_client import wait_until

from lacuna_collect.board.scored_file import score_file
from lacuna_collect.board.scoring import (
    PredictionsRefusedError,
    ScoringBrokeOffError,
    ScoringJob,
    ScoringProcess,
    ScoringTooCostlyError,
)

IIRC = str(EXAMPLES / "iirc.json")


@pytest.fixture
def job(tmp_path: Path) -> ScoringJob:
    sent = tmp_path / "predictions"
    sent.write_bytes(GOOD)
    return ScoringJob("iirc", IIRC, str(sent), 10, 600, 2048)


@pytest.mark.parametrize("place", ["whole", "relative"])
def test_it_gives_what_scoring_here_gives(
    job: ScoringJob, tmp_path: Path, place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    rows = tmp_path / "rows.npz" if place == "whole" else Path("rows.npz")
    scored = ScoringProcess().score(job, rows)
    expected, hidden = score_file("iirc", Path(IIRC), Path(job.predictions), 10)
    assert scored == expected
    assert scored.scores["f1"] == pytest.approx(0.5957, abs=1e-4)
    import numpy as np

    with np.load(rows) as kept:
        assert kept["rows"].tolist() == [list(row) for row in hidden.rows]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["predictions", "rows.npz"]


@pytest.mark.parametrize(
    ("sent", "words"),
    [
        (b'{"q_1": "27"}', "6 questions have no prediction: 'q_2', 'q_3', 'q_4', 'q_5', 'q_6' and"),
        (GOOD.replace(b'"q_2"', b'"q_1"'), "predictions: q_1: expected every key once"),
        (answers()[:-1] + b', "<script>": "x"}', "1 prediction is for unknown ids: '<script>'"),
        (b"nonsense", "predictions holds no predictions"),
        (answers().replace(b'"none"', b"5", 1), "found the number 5"),
        (b"[" * 100_000, "predictions holds no predictions"),
        (b'{"a":' * 100_000, "nested too deeply"),
    ],
)
def test_refusals(job: ScoringJob, tmp_path: Path, sent: bytes, words: str) -> None:
    Path(job.predictions).write_bytes(sent)
    with pytest.raises(PredictionsRefusedError) as refused:
        ScoringProcess().score(job, tmp_path / "rows.npz")
    assert words in str(refused.value)
    assert str(tmp_path) not in str(refused.value), "no place on the server is told"
    assert not (tmp_path / "rows.npz").exists()


def test_memory_is_bounded(job: ScoringJob, tmp_path: Path) -> None:
    pairs = ",".join(f'"{number}":""' for number in range(1_000_000))
    Path(job.predictions).write_text("{" + pairs + "}")
    with pytest.raises(ScoringTooCostlyError, match="more than 300 MB"):
        ScoringProcess().score(replace(job, memory_mb=300), tmp_path / "rows.npz")


def test_time_is_bounded(job: ScoringJob, tmp_path: Path, monkeypatch: Any) -> None:
    sleeping = "import time, sys; time.sleep(600)"
    monkeypatch.setattr("lacuna_collect.board.scoring.START", sleeping)
    process = ScoringProcess()
    with pytest.raises(ScoringTooCostlyError, match="longer than 1 seconds"):
        process.score(replace(job, seconds=1), tmp_path / "rows.npz")
    assert pid_of(process) is None


def test_damaged_gold_is_not_told_to_who_sent_the_file(job: ScoringJob, tmp_path: Path) -> None:
    gold = tmp_path / "gold.json"
    gold.write_text('[{"pid": "the hidden answer is 42"}]')
    with pytest.raises(ScoringBrokeOffError):
        ScoringProcess().score(replace(job, gold=str(gold)), tmp_path / "rows.npz")


def test_a_kill_is_told(job: ScoringJob, tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr("lacuna_collect.board.scoring.START", "import time; time.sleep(600)")
    process = ScoringProcess()
    raised: list[BaseException] = []

    def score() -> None:
        try:
            process.score(job, tmp_path / "rows.npz")
        except ScoringBrokeOffError as error:
            raised.append(error)

    thread = threading.Thread(target=score)
    thread.start()
    wait_until(lambda: pid_of(process) is not None)
    pid = pid_of(process)
    assert pid is not None
    os.kill(pid, signal.SIGKILL)
    thread.join(20)
    assert len(raised) == 1
