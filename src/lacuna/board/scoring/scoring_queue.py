"""Scores what is queued, one after the other, while the server runs."""

from __future__ import annotations

import logging
import threading

from lacuna.board.board import Board
from lacuna.board.keeping.submissions import Submission
from lacuna.board.scoring.process import (
    PredictionsRefusedError,
    ScoringBrokeOffError,
    ScoringJob,
    ScoringProcess,
    ScoringTooCostlyError,
)
from lacuna.errors import LacunaError

PAUSE = 1.0
"""Seconds after which it looks again, if nobody wakes it."""


class ScoringQueue:
    """A thread that claims submissions and has a process score each of them."""

    def __init__(self, board: Board) -> None:
        self._board = board
        self._woken = threading.Event()
        self._is_closed = False
        self.process = ScoringProcess()
        self._thread = threading.Thread(target=self._work, name="scoring", daemon=True)

    def start(self) -> None:
        """Begin with what an earlier server has left."""
        self._board.submissions.pick_up()
        self._thread.start()

    def wake(self) -> None:
        """Something new is queued."""
        self._woken.set()

    def close(self) -> None:
        """Score no more; what is being scored is queued again."""
        self._is_closed = True
        self._woken.set()
        self.process.close()
        if self._thread.is_alive():
            self._thread.join()

    def _work(self) -> None:
        is_disturbed = False
        while not self._is_closed:
            try:
                if is_disturbed:  # what was claimed then would wait for ever
                    self._board.submissions.pick_up("The board could not write.")
                    is_disturbed = False
                claimed = self._board.submissions.claim()
                if claimed is not None:
                    self._score(claimed)
                    continue
            except Exception:  # a full disk must not end the thread: it is tried again
                logging.getLogger("lacuna").exception("Scoring could not go on.")
                is_disturbed = True
            self._woken.wait(PAUSE)
            self._woken.clear()

    def _score(self, claimed: Submission) -> None:
        submissions = self._board.submissions
        try:
            scored = self.process.score(self._job(claimed), submissions.rows(claimed.id))
        except PredictionsRefusedError as error:
            submissions.was_refused(claimed.id, str(error))
        except ScoringTooCostlyError as error:
            submissions.was_too_costly(claimed.id, str(error))
        except ScoringBrokeOffError as error:
            if self._is_closed:
                submissions.give_back(claimed.id)
                return
            logging.getLogger("lacuna").warning("Submission %d: %s", claimed.id, error)
            submissions.broke_off(claimed.id, "")
        except (LacunaError, OSError, ValueError) as error:
            logging.getLogger("lacuna").warning("Submission %d: %s", claimed.id, error)
            submissions.broke_off(claimed.id, "")
        else:
            submissions.was_scored(claimed.id, scored)

    def _job(self, claimed: Submission) -> ScoringJob:
        table = self._board.tables.get(claimed.about.table)
        settings = self._board.settings
        return ScoringJob(
            dataset=table.dataset,
            gold=str(self._board.tables.gold(table.key).resolve()),
            predictions=str(self._board.submissions.predictions(claimed.id).resolve()),
            smallest_part=table.smallest_part,
            seconds=settings.seconds,
            memory_mb=settings.memory_mb,
        )
