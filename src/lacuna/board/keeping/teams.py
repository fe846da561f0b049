"""Teams: whoever has a team's key may send predictions in its name."""

from __future__ import annotations

import hashlib
import sqlite3
from dataclasses import dataclass

from lacuna.board.keeping.board_database import BoardDatabase, insert
from lacuna.board.keeping.plain_words import plain_line
from lacuna.errors import LacunaError, no_such
from lacuna.server.access.tokens import new_token

LONGEST_NAME = 80


@dataclass(frozen=True, slots=True)
class Team:
    """Who sends predictions."""

    id: int
    name: str


class Teams:
    """All teams of a board; of their keys only sums are kept."""

    def __init__(self, database: BoardDatabase) -> None:
        self._database = database

    def add(self, name: str) -> str:
        """Make a team; its key, which nobody can be told again."""
        name, key = plain_line(name, "The name of a team", LONGEST_NAME), new_token()
        row = {
            "name": name,
            "folded": name.casefold(),
            "key_sum": _sum(key),
            "made_at": self._database.now(),
        }
        try:
            with self._database.write() as connection:
                insert(connection, "team", row)
        except sqlite3.IntegrityError as error:
            raise LacunaError(
                f"There is a team {name!r} already. Give another name, or --new-key to give it a "
                "new key."
            ) from error
        return key

    def renew(self, name: str) -> str:
        """Give a team a new key; the old one is worth nothing any more."""
        key = new_token()
        with self._database.write() as connection:
            changed = connection.execute(
                "UPDATE team SET key_sum = ? WHERE folded = ?",
                (_sum(key), " ".join(name.split()).casefold()),
            )
        if not changed.rowcount:
            raise no_such("team", name, [team.name for team in self.all()] or ["none"])
        return key

    def all(self) -> list[Team]:
        """Every team, the oldest first."""
        with self._database.read() as connection:
            rows = connection.execute("SELECT id, name FROM team ORDER BY id")
            return [Team(row["id"], row["name"]) for row in rows]

    def with_key(self, key: str) -> Team | None:
        """Whose key it is, if it is anybody's."""
        with self._database.read() as connection:
            found = connection.execute(
                "SELECT id, name FROM team WHERE key_sum = ?", (_sum(key),)
            ).fetchone()
        return None if found is None else Team(found["id"], found["name"])


def _sum(key: str) -> str:
    """Keys are too long to be guessed, so that a plain sum is enough to keep."""
    return hashlib.sha256(key.encode("utf-8", "replace")).hexdigest()
