"""One scoring process at a time: started, waited for, and ended when it takes too long."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import threading
from dataclasses import asdict, dataclass
from pathlib import Path

from lacuna.board.scoring.scored_file import ScoredFile
from lacuna.board.scoring.worker import NO_ROOM, REFUSED, RESULT, ROWS
from lacuna.errors import LacunaError

START = """
import json, sys
sys.path[:] = json.loads(sys.argv[1])
from lacuna.board.scoring.worker import score_here
score_here(sys.argv[2])
"""
KINDNESS = 10
"""How far it stands back where the cores do not suffice for all."""
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
        self._lock = threading.Lock()
        self._running: subprocess.Popen[str] | None = None
        self._is_closed = False

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
        with self._lock:
            self._is_closed = True
            if self._running is not None:
                self._running.kill()

    def _run(self, told: dict[str, object], seconds: int) -> str:
        places = json.dumps([str(place) for place in sys.path])
        # -P: what lies in the current folder is none of ours, whatever it is called.
        command = [sys.executable, "-P", "-c", START, places, json.dumps(told)]
        with self._lock:
            if self._is_closed:
                raise ScoringBrokeOffError("The server is being stopped.")
            self._running = process = subprocess.Popen(
                command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
            )
        if hasattr(os, "setpriority"):
            os.setpriority(os.PRIO_PROCESS, process.pid, KINDNESS)
        try:
            _, said = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            raise ScoringTooCostlyError(
                f"Scoring took longer than {seconds:,} seconds and was ended."
            ) from None
        said = said.strip()
        if process.returncode == REFUSED:
            raise PredictionsRefusedError(said[:LONGEST_WORDS])
        if process.returncode == NO_ROOM:
            raise ScoringTooCostlyError(
                f"Scoring took more than {told['memory_mb']:,} MB of memory and was ended."
            )
        if process.returncode:
            raise ScoringBrokeOffError(f"Scoring broke off ({process.returncode}). {said[-300:]}")
        return said
