"""Questions on a cluster: the answers are those of one process, whatever happens on the way."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from lacuna import demo
from lacuna.files.cache import cache_folder

from .mortal_cluster import mortal_cluster

AWKWARD = ("--system", "awkward")


@pytest.fixture
def one_core(monkeypatch: pytest.MonkeyPatch) -> None:
    """As many for this process as for a worker."""
    monkeypatch.setenv("LACUNA_THREADS", "1")


def test_the_same_answers_as_one_process_over_a_corpus(
    lacuna: Any, cluster: Any, tmp_path: Path, one_core: None
) -> None:
    file = tmp_path / "questions.json"
    file.write_text(json.dumps(json.loads(demo.QUESTIONS.read_text())[:3]))
    asked = ("iirc", file, "--setting", "full", "--corpus", demo.ARTICLES, "--json")
    here = lacuna("evaluate", *asked, "-o", tmp_path / "here")
    there = lacuna("evaluate", *asked, "-o", tmp_path / "there", ray=cluster.address)
    assert (here.code, there.code) == (0, 0), there.err
    assert (tmp_path / "there").read_bytes() == (tmp_path / "here").read_bytes()
    assert json.loads(there.out) == json.loads(here.out)


@pytest.mark.parametrize(
    "asked",
    [("quac", "--setting", "predicted-history"), ("openbookqa", "--system", "gapqa")],
)
def test_the_same_scores_as_one_process(
    lacuna: Any, cluster: Any, one_core: None, asked: tuple[str, ...]
) -> None:
    here = lacuna("evaluate", *asked, "--json")
    there = lacuna("evaluate", *asked, "--json", ray=cluster.address)
    assert (here.code, there.code) == (0, 0), there.err
    assert json.loads(there.out) == json.loads(here.out)


def test_the_same_predictions_in_the_same_order(
    lacuna: Any, cluster: Any, examples: Path, tmp_path: Path
) -> None:
    for name, ray in (("here", ""), ("there", cluster.address)):
        ran = lacuna(
            "predict", "hotpotqa", examples / "hotpotqa.json", "-o", tmp_path / name, ray=ray
        )
        assert ran.code == 0, ran.err
    assert (tmp_path / "there").read_bytes() == (tmp_path / "here").read_bytes()


def test_a_paper_is_made_the_same(
    lacuna: Any, cluster: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = ("reproduce", "gapqa", "table-6", "--quick", "--json")
    monkeypatch.setenv("LACUNA_CACHE", str(tmp_path / "here"))
    here = lacuna(*asked)
    monkeypatch.setenv("LACUNA_CACHE", str(tmp_path / "there"))
    there = lacuna(*asked, ray=cluster.address)
    assert (here.code, there.code) == (0, 0), there.err
    assert there.out == here.out
    assert list((tmp_path / "there").rglob("answers.jsonl")), "they are kept as ever"


def test_a_poisoned_question_is_found_told_and_counts_as_abstained(
    lacuna: Any, cluster: Any, squad: Any, tmp_path: Path
) -> None:
    texts = [f"Who was number {number}?" for number in range(100)]
    texts[41] = "Is this poison?"
    out = tmp_path / "pred.json"
    ran = lacuna("predict", "squad", squad(texts), "-o", out, *AWKWARD, ray=cluster.address)
    assert ran.code == 1
    assert "q41: ValueError: it is poisoned" in ran.err
    assert "1 questions could not be answered" in ran.err
    texts[41] = ""  # an abstention
    predictions = json.loads(out.read_text())
    assert list(predictions.items()) == [(f"q{n}", text) for n, text in enumerate(texts)]


def test_a_question_that_ends_its_worker_is_found(
    lacuna: Any, cluster: Any, squad: Any, tmp_path: Path
) -> None:
    texts = ["Who was it?", "Is this deadly?"]
    out = tmp_path / "pred.json"
    ran = lacuna("predict", "squad", squad(texts), "-o", out, *AWKWARD, ray=cluster.address)
    assert ran.code == 1
    assert "q1: the process that worked on it ended" in ran.err
    assert json.loads(out.read_text()) == {"q0": texts[0], "q1": ""}


def test_where_everything_fails_it_stops_and_what_was_answered_is_kept(
    lacuna: Any, cluster: Any, squad: Any, tmp_path: Path
) -> None:
    texts = [f"Who was number {n}?" for n in range(32)] + ["Is this poison?"] * 128
    file, out = squad(texts), tmp_path / "pred.json"
    ran = lacuna("predict", "squad", file, "-o", out, *AWKWARD, ray=cluster.address)
    assert ran.code == 2
    assert "hardly their fault" in ran.err
    assert "--resume" in ran.err
    assert not out.exists()


@pytest.mark.usefixtures("own_cache")
def test_a_lost_node_costs_only_its_block(cluster: Any, squad: Any, tmp_path: Path) -> None:
    texts = [f"Who was slow number {number}?" for number in range(160)]
    out = tmp_path / "pred.json"
    asked = ("predict", "squad", squad(texts), "-o", out, *AWKWARD)
    running = _started(*asked, ray=cluster.address)
    _wait_for_answers(running)
    cluster.kill_a_node()
    _, told = running.communicate(timeout=240)
    assert running.returncode == 0, told
    assert json.loads(out.read_text()) == {f"q{n}": text for n, text in enumerate(texts)}


@pytest.mark.usefixtures("own_cache")
def test_a_killed_run_goes_on(lacuna: Any, cluster: Any, squad: Any, tmp_path: Path) -> None:
    texts = [f"Who was slow number {number}?" for number in range(128)]
    out = tmp_path / "pred.json"
    asked = ("predict", "squad", squad(texts), "-o", out, *AWKWARD)
    running = _started(*asked, ray=cluster.address)
    _wait_for_answers(running)
    running.kill()
    running.communicate()
    ran = lacuna(*asked, "--resume", ray=cluster.address)
    assert ran.code == 0, ran.err
    assert "answers are there from the run before" in ran.err
    assert json.loads(out.read_text()) == {f"q{n}": text for n, text in enumerate(texts)}


@pytest.mark.usefixtures("own_cache")
def test_where_the_head_is_lost_the_run_can_go_on_later(
    lacuna: Any, cluster: Any, squad: Any, tmp_path: Path
) -> None:
    texts = [f"Who was slow number {number}?" for number in range(160)]
    out = tmp_path / "pred.json"
    asked = ("predict", "squad", squad(texts), "-o", out, *AWKWARD)
    with mortal_cluster() as other:
        running = _started(*asked, ray=other.address)
        _wait_for_answers(running)
        other.end_head()
        _, told = running.communicate(timeout=240)
    assert running.returncode == 2, told
    assert "does not answer" in told
    assert "answers are kept" in told
    ran = lacuna(*asked, "--resume", ray=cluster.address)
    assert ran.code == 0, ran.err
    assert json.loads(out.read_text()) == {f"q{n}": text for n, text in enumerate(texts)}


def test_what_a_worker_lacks_is_said(lacuna: Any, cluster: Any, squad: Any, tmp_path: Path) -> None:
    asked = ("predict", "squad", squad(["Who?"]), "-o", tmp_path / "pred.json")
    ran = lacuna(*asked, "--system", "nobody", ray=cluster.address)
    assert ran.code == 2
    assert "On a machine of the cluster" in ran.err
    assert "nobody" in ran.err


def _started(*arguments: str | Path, ray: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "lacuna", *map(str, arguments)]
    return subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "LACUNA_RAY": ray},
    )


def _wait_for_answers(running: subprocess.Popen[str]) -> None:
    """Until the first block is kept."""
    until = time.monotonic() + 120
    while time.monotonic() < until and running.poll() is None:
        kept = (cache_folder() / "unfinished").rglob("*.jsonl")
        if any(file.read_bytes().count(b"\n") > 1 for file in kept):
            return
        time.sleep(0.05)
    raise AssertionError("no answer was kept")
