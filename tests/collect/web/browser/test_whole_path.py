"""From a folder of notes to a dataset that is checked and scored, by people in real browsers.

LACUNA_SHOTS=FOLDER keeps pictures of every state; axe looks at each.
"""

from __future__ import annotations

from itertools import count
from pathlib import Path
from typing import Any

import pytest
from browsing import browser, needs_chromium
from private_postgres import new_postgres_database
from project_walk import ALL_VIEWS, Begun, walking
from whole_paths import HOTPOTQA, IIRC, walk_hotpotqa, walk_iirc

__all__ = ["browser"]
pytestmark = needs_chromium
NUMBERS = count()


@pytest.fixture(params=["sqlite", "postgresql"])
def kept_in(request: pytest.FixtureRequest) -> dict[str, Any]:
    """Where the work is kept; over SQLite, every state is looked at in all views."""
    if request.param == "sqlite":
        return {"views": ALL_VIEWS}
    made = new_postgres_database(request.getfixturevalue("postgres"), f"path{next(NUMBERS)}")
    return {"database": made}


def test_iirc(browser: Any, lacuna: Any, kept_in: dict[str, Any], tmp_path: Path) -> None:
    begun = Begun(tmp_path, "iirc-questions", IIRC, shots="path-iirc", **kept_in)
    with walking(browser, lacuna, begun) as walk:
        walk_iirc(walk)
        out = walk.exported(tmp_path / "data" / "iirc")
    for name in ("train.json", "dev.json"):
        checked = lacuna("data", "check", "iirc", out / name)
        assert checked.code == 0, checked.err
    scored = lacuna("evaluate", "iirc", out / "dev.json")
    assert (scored.code, "2 questions" in scored.out) == (0, True), scored.err


def test_hotpotqa(browser: Any, lacuna: Any, kept_in: dict[str, Any], tmp_path: Path) -> None:
    begun = Begun(tmp_path, "hotpotqa-questions", HOTPOTQA, shots="path-hotpotqa", **kept_in)
    with walking(browser, lacuna, begun) as walk:
        walk_hotpotqa(walk)
        out = walk.exported(tmp_path / "data" / "hotpotqa")
    golds = sorted((out / "hidden").glob("test-*-gold.json"))
    for path in (out / "train.json", out / "dev.json", *golds):
        checked = lacuna("data", "check", "hotpotqa", path)
        assert checked.code == 0, checked.err
    scored = lacuna("evaluate", "hotpotqa", out / "train.json")
    assert scored.code == 0, scored.err
