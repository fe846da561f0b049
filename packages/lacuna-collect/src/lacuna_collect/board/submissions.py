"""Teams and their submissions: from queued to an end, and never stuck in between."""

from __future__ import annotations

import hashlib
import json
import sqlite3
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, BinaryIO

from lacuna.errors import LacunaError, no_such
from lacuna.files.opening import GZIP_MAGIC
from lacuna.files.writing import replace_bytes
from lacuna.web.access import new_token
from lacuna_collect.board.database import (
    BoardDatabase,
    BoardSettings,
    append,
    insert,
    new_salt,
    plain_line,
    seal_of,
    shown_time,
)
from lacuna_collect.board.scored_file import ScoredFile

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


CHUNK = 1 << 16
OTHER_ARCHIVES = {b"PK": "a zip archive", b"BZ": "packed with bzip2", b"\xfd7": "packed with xz",
                  b"(\xb5": "packed with zstd", b"7z": "a 7z archive"}  # fmt: skip
PACKED_AGAIN = {**OTHER_ARCHIVES, GZIP_MAGIC: "gzipped again"}
GZIP = 16 + zlib.MAX_WBITS


def keep_predictions(sent: BinaryIO, path: Path, largest_mb: int) -> str:
    """Write what was sent as plain text; its SHA-256. No byte beyond the bound is ever unpacked."""
    start = sent.read(2)
    if start in OTHER_ARCHIVES:
        raise LacunaError(
            f"The file is {OTHER_ARCHIVES[start]}. Send the predictions as they are, or gzipped."
        )
    sent.seek(0)
    chunks = _unpacked(sent) if start == GZIP_MAGIC else iter(lambda: sent.read(CHUNK), b"")
    digest, size, begins = hashlib.sha256(), 0, b""
    with replace_bytes(path) as out:
        for chunk in chunks:
            size += len(chunk)
            begins = (begins + chunk)[:2]
            if begins in PACKED_AGAIN:
                raise LacunaError(
                    f"What the file unpacks to is {PACKED_AGAIN[begins]}. Pack predictions once."
                )
            if size > largest_mb << 20:
                raise LacunaError(
                    f"The file is larger than {largest_mb:,} MB when it is unpacked, which is the "
                    "most. Send predictions alone."
                )
            digest.update(chunk)
            out.write(chunk)
    if not size:
        path.unlink()
        raise LacunaError("The file is empty. Send a file of predictions.")
    path.chmod(0o600)
    return digest.hexdigest()


def _unpacked(packed: BinaryIO) -> Iterator[bytes]:
    """What a gzip file holds, a piece at a time, however much a piece of it would unpack to."""
    unpacker, is_begun = zlib.decompressobj(GZIP), False
    try:
        while piece := packed.read(CHUNK):
            is_full = False
            while piece or is_full:  # a full chunk may not be all that is in there
                chunk = unpacker.decompress(piece, CHUNK)
                piece, is_full, is_begun = unpacker.unconsumed_tail, len(chunk) == CHUNK, True
                if unpacker.eof:  # a gzip file may be several, one behind the other
                    piece, is_full, is_begun = unpacker.unused_data, False, False
                    unpacker = zlib.decompressobj(GZIP)
                yield chunk
        if is_begun:
            raise zlib.error("its end is missing")
    except zlib.error as error:
        raise LacunaError(
            f"The file begins as gzip does and is cut off or damaged ({error}). Send it again."
        ) from error


# Submissions: from queued to an end, and never stuck in between.
#
#     queued ──▶ scoring ──▶ scored | refused | failed | too-costly
#        ▲          │
#        └──────────┘  a process that broke off, or a server that was ended
#
# Every step is one transaction, so that a kill at any moment leaves a state that the next start
# can go on from.


ATTEMPTS = 3
"""How often a file is scored whose process breaks off."""
LARGEST = (1 << 63) - 1
"""SQLite has no larger number."""
SELECT = "SELECT submission.*, team.name AS team_name FROM submission JOIN team ON team.id = team"


class SubmissionState(StrEnum):
    """Where a submission is."""

    QUEUED = "queued"
    SCORING = "scoring"
    SCORED = "scored"
    REFUSED = "refused"
    FAILED = "failed"
    TOO_COSTLY = "too-costly"
    """Its file took too much time or memory, which is nobody's fault but the file's."""


@dataclass(frozen=True, slots=True)
class SubmissionAbout:
    """What a team says of a submission; none of it changes later."""

    table: str
    name: str
    description: str = ""
    code: str = ""
    """The address of its code."""
    parameters: str = ""
    is_public: bool = True


@dataclass(frozen=True, slots=True)
class Submission:
    """One file of predictions, and what became of it."""

    id: int
    about: SubmissionAbout
    team: Team
    state: SubmissionState
    attempts: int
    problem: str
    withdrawn: str
    """Why whoever runs the board took it away; empty where nobody did."""
    file_sum: str
    salt: str
    sent_at: float
    scored: ScoredFile | None

    @property
    def is_shown(self) -> bool:
        """Whether everybody may see it."""
        is_scored = self.state is SubmissionState.SCORED
        return is_scored and self.about.is_public and not self.withdrawn

    def details(self) -> dict[str, Any]:
        """All that is published of it, and sealed until then."""
        assert self.scored is not None
        return {
            "submission": self.id,
            "table": self.about.table,
            "team": self.team.name,
            "name": self.about.name,
            "description": self.about.description,
            "code": self.about.code,
            "parameters": self.about.parameters,
            "sent": shown_time(self.sent_at),
            "predictions_sha256": self.file_sum,
            **self.scored.as_json(),
        }


class Submissions:
    """All submissions of a board."""

    def __init__(self, database: BoardDatabase, folder: Path, settings: BoardSettings) -> None:
        self._database = database
        self._folder = folder
        self._settings = settings

    def predictions(self, number: int) -> Path:
        """Where its file lies."""
        return self._folder / "submissions" / str(number) / "predictions"

    def rows(self, number: int) -> Path:
        """Where the scores of single questions lie, which nobody is shown."""
        return self._folder / "submissions" / str(number) / "rows.npz"

    def take_in(self, team: Team, about: SubmissionAbout, file: Path, file_sum: str) -> Submission:
        """Queue a file; it is moved to its place. Refused where the team has sent enough."""
        now = self._database.now()
        with self._database.write() as connection:
            check_limits(connection, team, about.table, self._settings, now)
            row = {
                "board_table": about.table,
                "team": team.id,
                "name": about.name,
                "description": about.description,
                "code": about.code,
                "parameters": about.parameters,
                "is_public": about.is_public,
                "state": SubmissionState.QUEUED,
                "file_sum": file_sum,
                "salt": new_salt(),
                "sent_at": now,
            }
            number = insert(connection, "submission", row)
            place = self.predictions(number)
            place.parent.mkdir(parents=True, exist_ok=True)
            file.replace(place)  # before the commit: what is queued has its file
        return self.get(number)

    def claim(self) -> Submission | None:
        """The oldest that is queued, to be scored now."""
        with self._database.write() as connection:
            row = connection.execute(
                f"{SELECT} WHERE state = ? ORDER BY submission.id LIMIT 1",
                (SubmissionState.QUEUED,),
            ).fetchone()
            if row is None:
                return None
            connection.execute(
                "UPDATE submission SET state = ?, attempts = attempts + 1 WHERE id = ?",
                (SubmissionState.SCORING, row["id"]),
            )
        return self.get(row["id"])

    def was_scored(self, number: int, scored: ScoredFile) -> None:
        """It has scores; the log has their seal, and what may be told of it."""
        with self._database.write() as connection:
            told = json.dumps(scored.as_json(), allow_nan=False)
            self._end(connection, number, SubmissionState.SCORED, scored=told)
            entry = _get(connection, number)
            about = {
                "submission": number,
                "table": entry.about.table,
                "seal": seal_of(entry.salt, entry.details()),
                "public": entry.about.is_public,
            }
            append(connection, self._database.now(), "scored", about)

    def was_refused(self, number: int, problem: str) -> None:
        """Its file is not as it should be."""
        with self._database.write() as connection:
            self._end(connection, number, SubmissionState.REFUSED, problem=problem)
            append(connection, self._database.now(), "refused", {"submission": number})

    def has_failed(self, number: int, problem: str) -> None:
        """It cannot be scored here."""
        with self._database.write() as connection:
            self._end(connection, number, SubmissionState.FAILED, problem=problem)
            append(connection, self._database.now(), "failed", {"submission": number})

    def was_too_costly(self, number: int, problem: str) -> None:
        """It took too much; it counts as if it were scored, since it is tried at a cost."""
        with self._database.write() as connection:
            self._end(connection, number, SubmissionState.TOO_COSTLY, problem=problem)
            append(connection, self._database.now(), "failed", {"submission": number})

    def broke_off(self, number: int, problem: str) -> None:
        """Its process ended; it is queued again, but not for ever."""
        if self.get(number).attempts >= ATTEMPTS:
            self.has_failed(number, f"Scoring broke off {ATTEMPTS} times. {problem}".strip())
            return
        with self._database.write() as connection:
            self._requeue(connection, number)

    def pick_up(self, why: str = "The server was ended meanwhile.") -> int:
        """Queue again what was begun and came to no end; how many there were."""
        with self._database.read() as connection:
            rows = connection.execute(
                "SELECT id FROM submission WHERE state = ?", (SubmissionState.SCORING,)
            ).fetchall()
        for row in rows:
            self.broke_off(row["id"], why)
        return len(rows)

    def give_back(self, number: int) -> None:
        """Queue again what was begun when the server was told to stop: that is no attempt."""
        with self._database.write() as connection:
            self._requeue(connection, number)
            connection.execute(
                "UPDATE submission SET attempts = max(attempts - 1, 0) WHERE id = ?", (number,)
            )

    def show(self, number: int, is_public: bool) -> None:
        """Make a scored one public or private."""
        with self._database.write() as connection:
            entry = _get(connection, number)
            if entry.withdrawn:
                raise LacunaError(
                    f"Submission {number} was taken off the board by whoever runs it, and stays so."
                )
            if entry.about.is_public == is_public:
                return
            connection.execute(
                "UPDATE submission SET is_public = ? WHERE id = ?", (is_public, number)
            )
            if entry.state is SubmissionState.SCORED:
                about = {"submission": number, "public": is_public}
                append(connection, self._database.now(), "shown", about)

    def withdraw(self, number: int, reason: str) -> None:
        """Take a submission off the board; the log says that it was, and why."""
        with self._database.write() as connection:
            _get(connection, number)
            connection.execute("UPDATE submission SET withdrawn = ? WHERE id = ?", (reason, number))
            about = {"submission": number, "reason": reason}
            append(connection, self._database.now(), "withdrawn", about)

    def get(self, number: int) -> Submission:
        """The submission of that number."""
        with self._database.read() as connection:
            return _get(connection, number)

    def of_team(self, team: Team) -> list[Submission]:
        """A team's own, the latest first."""
        return self._all("WHERE team = ? ORDER BY submission.id DESC", team.id)

    def shown(self) -> list[Submission]:
        """Those that everybody may see."""
        every = self._all("WHERE state = ?", SubmissionState.SCORED)
        return [entry for entry in every if entry.is_shown]

    def _all(self, where: str, value: object) -> list[Submission]:
        with self._database.read() as connection:
            return [_submission(row) for row in connection.execute(f"{SELECT} {where}", (value,))]

    def _end(
        self,
        connection: sqlite3.Connection,
        number: int,
        state: SubmissionState,
        *,
        problem: str = "",
        scored: str | None = None,
    ) -> None:
        connection.execute(
            "UPDATE submission SET state = ?, problem = ?, scored = ? WHERE id = ?",
            (state, problem, scored, number),
        )

    def _requeue(self, connection: sqlite3.Connection, number: int) -> None:
        connection.execute(
            "UPDATE submission SET state = ? WHERE id = ? AND state = ?",
            (SubmissionState.QUEUED, number, SubmissionState.SCORING),
        )


def _get(connection: sqlite3.Connection, number: int) -> Submission:
    asked = f"{SELECT} WHERE submission.id = ?"
    row = connection.execute(asked, (number,)).fetchone() if 0 < number <= LARGEST else None
    if row is None:
        raise LacunaError(f"There is no submission {number}.")
    return _submission(row)


def _submission(row: sqlite3.Row) -> Submission:
    return Submission(
        id=row["id"],
        about=SubmissionAbout(
            row["board_table"], row["name"], row["description"], row["code"], row["parameters"],
            bool(row["is_public"]),
        ),
        team=Team(row["team"], row["team_name"]),
        state=SubmissionState(row["state"]),
        attempts=row["attempts"],
        problem=row["problem"],
        withdrawn=row["withdrawn"],
        file_sum=row["file_sum"],
        salt=row["salt"],
        sent_at=row["sent_at"],
        scored=None if row["scored"] is None else ScoredFile.of_json(json.loads(row["scored"])),
    )  # fmt: skip
