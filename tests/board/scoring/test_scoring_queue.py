"""The queue goes on after kills of the process and of the server."""

from __future__ import annotations

import os
import signal
from typing import Any

from board_site import GOOD, IIRC, BoardSite, answers, pid_of
from raw_client import wait_until

from lacuna.errors import LacunaError
from lacuna_collect.board.scored_file import ScoredFile
from lacuna_collect.board.scoring import ScoringQueue
from lacuna_collect.board.submissions import Submissions, SubmissionState

SLOW = "import time; time.sleep(600)"


def test_a_worker_killed_in_the_middle_is_started_again(site: BoardSite, monkeypatch: Any) -> None:
    with monkeypatch.context() as patch:
        patch.setattr("lacuna_collect.board.scoring.START", SLOW)
        number = site.send(GOOD).json()["submission"]
        site.queue.start()
        wait_until(lambda: pid_of(site.queue.process) is not None)
        pid = pid_of(site.queue.process)
        assert pid is not None
        assert site.board.submissions.get(number).state is SubmissionState.SCORING
    os.kill(pid, signal.SIGKILL)
    entry = site.settled(number)
    site.queue.close()
    assert (entry.state, entry.attempts) == (SubmissionState.SCORED, 2)


def test_what_could_not_be_written_is_scored_again(site: BoardSite, monkeypatch: Any) -> None:
    """A database that is locked once, when the scores are there."""
    floor, keep = site.board.tables.get(IIRC).floor, Submissions.was_scored
    problems = [LacunaError("database is locked")]

    def keep_later(self: Submissions, number: int, scored: ScoredFile) -> None:
        if problems:
            raise problems.pop()
        keep(self, number, scored)

    monkeypatch.setattr(Submissions, "was_scored", keep_later)
    monkeypatch.setattr(site.queue.process, "score", lambda job, rows: floor)
    number = site.send(GOOD).json()["submission"]
    site.queue.start()
    wait_until(lambda: site.board.submissions.get(number).state is SubmissionState.SCORED)
    site.queue.close()
    assert not problems
    assert site.board.submissions.get(number).attempts == 2


def test_a_worker_that_always_dies_fails_and_holds_up_nobody(
    site: BoardSite, monkeypatch: Any
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr("lacuna_collect.board.scoring.START", "import os; os.kill(os.getpid(), 9)")
        site.queue.start()
        assert site.scored(GOOD).state is SubmissionState.FAILED
    assert site.scored(GOOD).state is SubmissionState.SCORED
    site.queue.close()


def test_a_server_stopped_in_the_middle_goes_on_at_the_next_start(
    site: BoardSite, monkeypatch: Any
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr("lacuna_collect.board.scoring.START", SLOW)
        first, second = (site.send(answers()).json()["submission"] for _ in range(2))
        site.queue.start()
        wait_until(lambda: pid_of(site.queue.process) is not None)
        site.queue.close()
    assert site.board.submissions.get(first).state is SubmissionState.QUEUED
    assert site.board.submissions.get(first).attempts == 0
    again = ScoringQueue(site.board)
    again.start()
    assert site.settled(first).state is SubmissionState.SCORED
    assert site.settled(second).state is SubmissionState.SCORED
    again.close()
