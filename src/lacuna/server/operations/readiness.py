"""Whether a server should be sent questions."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from lacuna.errors import LacunaError
from lacuna.server.open_corpora import OpenCorpora
from lacuna.server.refusals import Refusal, as_refusal, log_cause
from lacuna.server.stopping import Stopping
from lacuna.server.work_queue import stopping as is_stopping

FRESH = 1.0
"""Seconds in which what is kept elsewhere is not looked at again, however many ask."""


class Readiness:
    """Ready: the corpus and what answers are kept in can be reached, and nothing ends.

    The model needs no look: a server that listens has loaded it.
    """

    def __init__(
        self, corpora: OpenCorpora, stopping: Stopping, check_store: Callable[[], None]
    ) -> None:
        self._corpora = corpora
        self._stopping = stopping
        self._check_store = check_store
        self._looked = float("-inf")
        self._problem: Refusal | None = None
        self._lock = threading.Lock()

    def problem(self) -> Refusal | None:
        """Why it is not ready; None where it is. It may take as long as those take."""
        if self._stopping.begun:
            return is_stopping()
        try:
            self._corpora.check_default()
        except Refusal as refusal:
            return refusal
        with self._lock:
            if time.monotonic() - self._looked > FRESH:
                self._problem = self._unreachable()
                self._looked = time.monotonic()
            return self._problem

    def _unreachable(self) -> Refusal | None:
        try:
            self._corpora.reach_default()
            self._check_store()
        except LacunaError as error:
            log_cause(error)
            return as_refusal(error)
        return None
