"""KGD's two rounds and a human check, by three people each in real browsers.

LACUNA_SHOTS=FOLDER keeps pictures of every state; axe looks at each.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("sqlalchemy", reason="the extra `collect` is not installed")

from browsing import browser, needs_chromium
from kgd_and_human_walks import GAPS, HOTPOTQA, HUMAN, KGD, LADLE, LEVER, walk_human_check, walk_kgd
from project_walk import Begun, Views, walking

__all__ = ["browser"]
pytestmark = needs_chromium
VIEWS: Views = [("wide", "light"), ("phone", "dark")]


def test_kgd(browser: Any, lacuna: Any, tmp_path: Path) -> None:
    begun = Begun(tmp_path, "kgd-facts", KGD, shots="kgd", views=VIEWS, corpus=False)
    with walking(browser, lacuna, begun) as walk:
        walk_kgd(walk)
        out = walk.exported(tmp_path / "data" / "kgd")
    checked = lacuna("data", "check", "openbookqa", out / "train.jsonl")
    assert checked.code == 0, checked.err
    lines = [json.loads(line) for line in (out / "train.jsonl").read_text("utf-8").splitlines()]
    gaps = {line["fact"]: line for line in lines}
    assert gaps.keys() == GAPS.keys()
    assert gaps[LADLE]["answer_spans"] == ["metals"]
    assert gaps[LADLE]["relations"] == ["madeof-1"] * 3
    assert (gaps[LEVER]["answer_starts"], gaps[LEVER]["relations"]) == ([2], ["isa-1"] * 2)


def test_human_check(browser: Any, lacuna: Any, tmp_path: Path) -> None:
    begun = Begun(tmp_path, "human-check", HUMAN, shots="human", views=VIEWS, corpus=False)
    with walking(browser, lacuna, begun) as walk:
        walk_human_check(walk)
        out = walk.exported(tmp_path / "human")
    row = json.loads((out / "human.json").read_text("utf-8"))
    assert (row["dataset"], row["setting"]) == ("hotpotqa", "distractor")
    assert (row["questions"], row["people"]) == (2, 3)
    assert row["measures"]["joint_em"] == row["upper_bound"]["joint_f1"] == 1
    assert len((out / "answers.jsonl").read_text("utf-8").splitlines()) == 6
    command = ("evaluate", "hotpotqa", HOTPOTQA, "--system", "abstain", "--human")
    shown = lacuna(*command, out / "human.json")
    assert (shown.code, "upper bound" in shown.out) == (0, True), shown.err
