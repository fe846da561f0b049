"""A board over the example files, and teams that send to it."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

from fastapi.testclient import TestClient

from lacuna.metrics.comparison import HumanRow
from lacuna.web.access import AllowedHosts
from lacuna_collect.board.app import BoardServices, make_board_app
from lacuna_collect.board.board import Board
from lacuna_collect.board.database import BoardSettings
from lacuna_collect.board.scoring import ScoringProcess, ScoringQueue
from lacuna_collect.board.submissions import Submission

EXAMPLES = Path(__file__).parent.parent.parent / "examples"
IIRC = "iirc-oracle-context"
SUBMISSIONS = "/api/v1/submissions"
HUMAN = HumanRow("iirc", "oracle-context", 7, 3, "2026-11-01", {"em": 0.8, "f1": 0.9})
TIMEOUT_SECONDS = 300


class BoardSite:
    """A board with one table and one team; what is queued is scored when ``scoring`` is on."""

    def __init__(self, folder: Path, **settings: Any) -> None:
        self.board = Board.create(folder, BoardSettings(title="Islands", **settings))
        self.board.tables.add("iirc", EXAMPLES / "iirc.json", None, "", None)
        self.board.tables.set_human(HUMAN)
        self.keys = {"Us": self.board.teams.add("Us")}
        self.queue = ScoringQueue(self.board)
        self.app = make_board_app(BoardServices(self.board, self.queue), AllowedHosts())
        self.client = TestClient(
            self.app, base_url="http://localhost", raise_server_exceptions=False
        )

    def team(self, name: str) -> None:
        self.keys[name] = self.board.teams.add(name)

    def bearer(self, team: str = "Us") -> dict[str, str]:
        return {"Authorization": f"Bearer {self.keys[team]}"}

    def send(self, predictions: bytes, team: str = "Us", **fields: str) -> Any:
        """Send a file as a program does; the answer."""
        about = {"table": IIRC, "name": "A system", **fields}
        return self.client.post(
            SUBMISSIONS,
            data=about,
            files={"predictions": ("p.json", predictions)},
            headers=self.bearer(team),
        )

    def scored(self, predictions: bytes, team: str = "Us", **fields: str) -> Submission:
        """Send a file and let the queue deal with it."""
        got = self.send(predictions, team, **fields)
        assert got.status_code == 202, got.text
        return self.settled(got.json()["submission"])

    def settled(self, number: int) -> Submission:
        """A submission when it is neither queued nor being scored any more."""
        end = time.monotonic() + TIMEOUT_SECONDS
        while (entry := self.board.submissions.get(number)).state in ("queued", "scoring"):
            assert time.monotonic() < end, entry
            time.sleep(0.05)
        return entry


def pid_of(process: ScoringProcess) -> int | None:
    """The process that scores just now, if one does."""
    return process.child.pid


def answers(text: str = "none") -> bytes:
    """Predictions for all of the example's questions, all the same."""
    return json.dumps({f"q_{number}": text for number in range(1, 8)}).encode()


GOOD = (EXAMPLES / "iirc_predictions.json").read_bytes()
