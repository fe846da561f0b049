"""How much a team may send: each score tells a little of the hidden answers."""

from __future__ import annotations

import sqlite3

from lacuna.board.board_file import BoardSettings
from lacuna.board.keeping.log_chain import shown_time
from lacuna.board.keeping.teams import Team
from lacuna.errors import LacunaError

WEEK = 7 * 86_400


class SentEnoughError(LacunaError):
    """A team has to wait before it sends more."""


def check_limits(
    connection: sqlite3.Connection, team: Team, table: str, settings: BoardSettings, now: float
) -> None:
    """Refuse what would be too much; called in the transaction that queues the next one."""
    every = _times(connection, team, now)
    if len(every) >= settings.uploads_a_week:
        raise _enough(f"{settings.uploads_a_week} files", every[-settings.uploads_a_week])
    counting = " AND board_table = ? AND state NOT IN ('refused', 'failed')"
    scored = _times(connection, team, now, counting, table)
    if len(scored) >= settings.a_week:
        what = f"{settings.a_week} submissions to this table"
        raise _enough(what, scored[-settings.a_week])


def _times(
    connection: sqlite3.Connection, team: Team, now: float, more: str = "", *values: str
) -> list[float]:
    """When a team has sent within the last seven days, the oldest first."""
    rows = connection.execute(
        f"SELECT sent_at FROM submission WHERE team = ? AND sent_at > ?{more} ORDER BY sent_at",
        (team.id, now - WEEK, *values),
    )
    return [row["sent_at"] for row in rows]


def _enough(what: str, oldest: float) -> SentEnoughError:
    return SentEnoughError(
        f"Your team has sent {what} within seven days, which is the most. The next one is taken "
        f"from {shown_time(oldest + WEEK)} on."
    )
