"""Score what is queued, one file after the other, while the server runs."""

from __future__ import annotations

import json
import logging
import tempfile
import threading
from dataclasses import asdict, dataclass
from pathlib import Path

from lacuna.errors import LacunaError
from lacuna.files.child import (
    ChildBrokeOffError,
    ChildRefusedError,
    ChildRunner,
    ChildStoppedError,
)
from lacuna_collect.board.board import Board
from lacuna_collect.board.scored_file import NO_ROOM, RESULT, ROWS, ScoredFile
from lacuna_collect.board.submissions import Submission

START = "from lacuna_collect.board.scored_file import score_here; score_here(sys.argv[1])"
LONGEST_WORDS = 2_000
"""Characters of a refusal that are kept."""


@dataclass(frozen=True, slots=True)
class ScoringJob:
    """What is to be scored, and what it may take."""

    dataset: str
    gold: str
    predictions: str
    smallest_part: int
    seconds: int
    memory_mb: int


class PredictionsRefusedError(LacunaError):
    """The file is not as it should be; the message is for who sent it."""


class ScoringTooCostlyError(LacunaError):
    """It took too long or too much memory, and would again."""


class ScoringBrokeOffError(LacunaError):
    """The process ended by itself or was ended; another attempt may go well."""


class ScoringProcess:
    """Scores in a process of its own, so that no file can harm the server."""

    def __init__(self) -> None:
        self.child = ChildRunner()

    def score(self, job: ScoringJob, rows: Path) -> ScoredFile:
        """Score; the scores of single questions are put where ``rows`` says."""
        with tempfile.TemporaryDirectory(prefix="scoring-", dir=rows.parent) as out:
            whole = str(Path(out).resolve())  # the process works in another folder
            said = self._run({**asdict(job), "out": whole}, job.seconds)
            try:
                result = json.loads((Path(out) / RESULT).read_text(encoding="utf-8"))
                (Path(out) / ROWS).replace(rows)
            except (OSError, ValueError) as error:
                raise ScoringBrokeOffError(f"Scoring left no result. {said}") from error
        return ScoredFile.of_json(result)

    def close(self) -> None:
        """End what runs."""
        self.child.close()

    def _run(self, told: dict[str, object], seconds: int) -> str:
        try:
            return self.child.run(START, json.dumps(told), seconds=seconds)
        except ChildRefusedError as error:
            raise PredictionsRefusedError(str(error)[:LONGEST_WORDS]) from None
        except TimeoutError:
            raise ScoringTooCostlyError(
                f"Scoring took longer than {seconds:,} seconds and was ended."
            ) from None
        except ChildStoppedError as error:
            raise ScoringBrokeOffError(str(error)) from None
        except ChildBrokeOffError as error:
            if error.code == NO_ROOM:
                raise ScoringTooCostlyError(
                    f"Scoring took more than {told['memory_mb']:,} MB of memory and was ended."
                ) from None
            raise ScoringBrokeOffError(f"Scoring broke off ({error.code}). {error}") from None


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
