"""Logs that nobody can fill: what repeats is written a few times a minute, and then counted."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from enum import StrEnum
from typing import Any

from lacuna.server.operations.json_lines import REQUESTS, JsonLines

AT_ONCE = 5
"""How often the same message is written in one window."""
WINDOW = 60.0
KINDS = 1_000
"""Kinds of messages that are told apart; a flood of different ones is forgotten and begins anew."""


class RepeatFilter(logging.Filter):
    """Passes the first of each kind of message in a minute; the next one tells how many came."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._now = now
        self._seen: dict[tuple[str, str, str], tuple[float, int]] = {}
        self._lock = threading.Lock()

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether it is to be written."""
        error = record.exc_info[0] if record.exc_info else None
        kind = (record.name, str(record.msg), error.__name__ if error else "")
        now = self._now()
        with self._lock:
            if len(self._seen) > KINDS:
                self._seen.clear()
            begun, count = self._seen.get(kind, (now, 0))
            left_out = 0
            if now - begun >= WINDOW:
                left_out, begun, count = max(0, count - AT_ONCE), now, 0
            self._seen[kind] = (begun, count + 1)
        if left_out:
            record.msg = f"{record.getMessage()} ({left_out:,} more like it were not written)"
            record.args = None
        return count < AT_ONCE


class LogForm(StrEnum):
    """How the log is written."""

    PLAIN = "plain"
    JSON = "json"


def log_settings(form: LogForm = LogForm.PLAIN) -> dict[str, Any]:
    """How the server logs: warnings and errors of all its parts to standard error, each a few
    times a minute; as JSON, requests too, every one of them."""
    requests = {"level": "INFO", "handlers": ["requests"], "propagate": False}
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "filters": {"repeats": {"()": RepeatFilter}},
        "formatters": {
            LogForm.PLAIN: {"format": "%(asctime)s %(levelname)s: %(message)s"},
            LogForm.JSON: {"()": JsonLines},
        },
        "handlers": {
            "stderr": {
                "class": "logging.StreamHandler",
                "formatter": form,
                "filters": ["repeats"],
            },
            "requests": {"class": "logging.StreamHandler", "formatter": form},
        },
        "loggers": {REQUESTS: requests} if form is LogForm.JSON else {},
        "root": {"handlers": ["stderr"], "level": "WARNING"},
    }
