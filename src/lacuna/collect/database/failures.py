"""What a database says when it fails, in words that help."""

from __future__ import annotations

import sqlite3
from typing import Any

from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from lacuna.errors import LacunaError

FULL = "53100"
"""PostgreSQL's code for a full disk."""


class DatabaseFailedError(LacunaError):
    """The database could not do what was asked; nothing of it was done."""


def as_failure(error: Exception, shown_url: str) -> DatabaseFailedError:
    """The failure in one paragraph."""
    if isinstance(error, PoolTimeoutError):
        return DatabaseFailedError(
            "Too much is asked of the database at once. Nothing was saved just now: try again."
        )
    cause: Any = error.orig if isinstance(error, DBAPIError) else error
    said = _said(cause)
    if _is_full(cause, said):
        return DatabaseFailedError(
            f"The disk of {shown_url} is full. Nothing was saved just now; nothing is lost that "
            "was saved before: make room there, and do it again."
        )
    if "locked" in said or "busy" in said:
        return DatabaseFailedError(
            f"{shown_url} is in use by another process for too long. Nothing was saved just now: "
            "try again."
        )
    return DatabaseFailedError(
        f"The database {shown_url} cannot be used: {said}. Nothing was saved just now. See whether "
        "it is there, running and may be written to."
    )


def _is_full(cause: Any, said: str) -> bool:
    if isinstance(cause, sqlite3.Error):
        name = getattr(cause, "sqlite_errorname", "")
        return name in ("SQLITE_FULL", "SQLITE_IOERR_WRITE", "SQLITE_IOERR_SHMSIZE")
    return _code(cause) == FULL or "No space left" in said


def _code(cause: Any) -> str:
    details = cause.args[0] if getattr(cause, "args", ()) else None
    return str(details.get("C", "")) if isinstance(details, dict) else ""


def _said(cause: Any) -> str:
    details = cause.args[0] if getattr(cause, "args", ()) else cause
    return str(details.get("M", details) if isinstance(details, dict) else details).rstrip(".")
