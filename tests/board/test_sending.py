"""Whoever sends predictions learns what became of them, or at least their number."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from lacuna.board import sending
from lacuna.board.sending import MISSED, Sending
from lacuna.errors import LacunaError

QUEUED = {"submission": 7, "state": "queued"}
SCORED = {"submission": 7, "state": "scored"}
GONE = LacunaError("The board cannot be reached.")


def sent(folder: Path, monkeypatch: pytest.MonkeyPatch, *answers: Any) -> dict[str, Any]:
    """What comes of sending to a board that answers so."""
    (folder / "key").write_text("k")
    left = iter(answers)

    def call(self: Sending, *request: object) -> Any:
        answer = next(left)
        if isinstance(answer, LacunaError):
            raise answer
        return answer

    monkeypatch.setattr(sending, "PAUSE", 0)
    monkeypatch.setattr(Sending, "_call", call)
    return Sending("http://board.org/", folder / "key").submit(folder / "key", {})


def test_a_look_that_fails_is_taken_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert sent(tmp_path, monkeypatch, QUEUED, GONE, QUEUED, GONE, SCORED) == SCORED


def test_a_board_that_is_gone_leaves_the_number(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(LacunaError, match=r"Submission 7 is with the board.*cannot be reached"):
        sent(tmp_path, monkeypatch, QUEUED, *[GONE] * MISSED)
    with pytest.raises(LacunaError, match=r"^The board cannot be reached"):
        sent(tmp_path, monkeypatch, GONE)
