"""Teams and their submissions: from queued to an end, and never stuck in between."""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, BinaryIO

from sqlalchemy import ColumnElement, Row, Select, case, select
from sqlalchemy.exc import IntegrityError

from lacuna.errors import LacunaError, no_such
from lacuna.files.opening import GZIP_MAGIC
from lacuna.files.writing import replace_bytes
from lacuna.web.sessions import digest_of, new_token
from lacuna_collect.board.database import (
    SUBMITTED,
    TEAM,
    BoardDatabase,
    BoardSettings,
    BoardTransaction,
    new_salt,
    plain_line,
    seal_of,
    shown_time,
)
from lacuna_collect.board.scored_file import ScoredFile
from lacuna_collect.database.engine import as_struct

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
        row = {"name": name, "folded": name.casefold(), "key_sum": digest_of(key)}
        try:
            with self._database.begin() as transaction:
                transaction.add(TEAM, **row, made_at=transaction.now)
        except IntegrityError as error:
            raise LacunaError(
                f"There is a team {name!r} already. Give another name, or --new-key to give it a "
                "new key."
            ) from error
        return key

    def renew(self, name: str) -> str:
        """Give a team a new key; the old one is worth nothing any more."""
        key = new_token()
        folded = " ".join(name.split()).casefold()
        with self._database.begin() as transaction:
            changed = transaction.change(TEAM, TEAM.c.folded == folded, key_sum=digest_of(key))
        if not changed:
            raise no_such("team", name, [team.name for team in self.all()] or ["none"])
        return key

    def all(self) -> list[Team]:
        """Every team, the oldest first."""
        query = select(TEAM.c.id, TEAM.c.name).order_by(TEAM.c.id)
        with self._database.read() as transaction:
            return [Team(*row) for row in transaction.execute(query)]

    def with_key(self, key: str) -> Team | None:
        """Whose key it is, if it is anybody's."""
        query = select(TEAM.c.id, TEAM.c.name).where(TEAM.c.key_sum == digest_of(key))
        with self._database.read() as transaction:
            found = transaction.execute(query).first()
        return None if found is None else Team(*found)


WEEK = 7 * 86_400


class SentEnoughError(LacunaError):
    """A team has to wait before it sends more."""


def check_limits(
    transaction: BoardTransaction, team: Team, table: str, settings: BoardSettings
) -> None:
    """Refuse what would be too much; called in the transaction that queues the next one."""
    every = _times(transaction, team)
    if len(every) >= settings.uploads_a_week:
        raise _enough(f"{settings.uploads_a_week} files", every[-settings.uploads_a_week])
    over = (SubmissionState.REFUSED, SubmissionState.FAILED)
    counting = (SUBMITTED.c.board_table == table, SUBMITTED.c.state.not_in(over))
    scored = _times(transaction, team, *counting)
    if len(scored) >= settings.a_week:
        what = f"{settings.a_week} submissions to this table"
        raise _enough(what, scored[-settings.a_week])


def _times(
    transaction: BoardTransaction, team: Team, *more: ColumnElement[bool]
) -> Sequence[float]:
    """When a team has sent within the last seven days, the oldest first."""
    lately = (SUBMITTED.c.team == team.id, SUBMITTED.c.sent_at > transaction.now - WEEK)
    query = select(SUBMITTED.c.sent_at).where(*lately, *more).order_by(SUBMITTED.c.sent_at)
    return transaction.execute(query).scalars().all()


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
SUBMISSIONS = select(SUBMITTED, TEAM.c.name.label("team_name")).join(TEAM)


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
        with self._database.begin() as transaction:
            check_limits(transaction, team, about.table, self._settings)
            said = asdict(about)
            said["board_table"] = said.pop("table")
            number = transaction.add(
                SUBMITTED,
                team=team.id,
                state=SubmissionState.QUEUED,
                file_sum=file_sum,
                salt=new_salt(),
                sent_at=transaction.now,
                **said,
            )
            place = self.predictions(number)
            place.parent.mkdir(parents=True, exist_ok=True)
            file.replace(place)  # before the commit: what is queued has its file
        return self.get(number)

    def claim(self) -> Submission | None:
        """The oldest that is queued, to be scored now."""
        query = select(SUBMITTED.c.id).where(SUBMITTED.c.state == SubmissionState.QUEUED)
        with self._database.begin() as transaction:
            number = transaction.scalar(query.order_by(SUBMITTED.c.id).limit(1))
            if number is None:
                return None
            attempts = SUBMITTED.c.attempts + 1
            _change(transaction, number, state=SubmissionState.SCORING, attempts=attempts)
        return self.get(number)

    def was_scored(self, number: int, scored: ScoredFile) -> None:
        """It has scores; the log has their seal, and what may be told of it."""
        with self._database.begin() as transaction:
            ended = {"state": SubmissionState.SCORED, "problem": "", "scored": scored.as_json()}
            _change(transaction, number, **ended)
            entry = _get(transaction, number)
            about = {
                "submission": number,
                "table": entry.about.table,
                "seal": seal_of(entry.salt, entry.details()),
                "public": entry.about.is_public,
            }
            transaction.log("scored", about)

    def was_refused(self, number: int, problem: str) -> None:
        """Its file is not as it should be."""
        self._ended(number, SubmissionState.REFUSED, problem, "refused")

    def has_failed(self, number: int, problem: str) -> None:
        """It cannot be scored here."""
        self._ended(number, SubmissionState.FAILED, problem, "failed")

    def was_too_costly(self, number: int, problem: str) -> None:
        """It took too much; it counts as if it were scored, since it is tried at a cost."""
        self._ended(number, SubmissionState.TOO_COSTLY, problem, "failed")

    def broke_off(self, number: int, problem: str) -> None:
        """Its process ended; it is queued again, but not for ever."""
        if self.get(number).attempts >= ATTEMPTS:
            self.has_failed(number, f"Scoring broke off {ATTEMPTS} times. {problem}".strip())
            return
        with self._database.begin() as transaction:
            _requeue(transaction, number)

    def pick_up(self, why: str = "The server was ended meanwhile.") -> int:
        """Queue again what was begun and came to no end; how many there were."""
        query = select(SUBMITTED.c.id).where(SUBMITTED.c.state == SubmissionState.SCORING)
        with self._database.read() as transaction:
            numbers = transaction.execute(query).scalars().all()
        for number in numbers:
            self.broke_off(number, why)
        return len(numbers)

    def give_back(self, number: int) -> None:
        """Queue again what was begun when the server was told to stop: that is no attempt."""
        fewer = case((SUBMITTED.c.attempts > 0, SUBMITTED.c.attempts - 1), else_=0)
        with self._database.begin() as transaction:
            _requeue(transaction, number)
            _change(transaction, number, attempts=fewer)

    def show(self, number: int, is_public: bool) -> None:
        """Make a scored one public or private."""
        with self._database.begin() as transaction:
            entry = _get(transaction, number)
            if entry.withdrawn:
                raise LacunaError(
                    f"Submission {number} was taken off the board by whoever runs it, and stays so."
                )
            if entry.about.is_public == is_public:
                return
            _change(transaction, number, is_public=is_public)
            if entry.state is SubmissionState.SCORED:
                transaction.log("shown", {"submission": number, "public": is_public})

    def withdraw(self, number: int, reason: str) -> None:
        """Take a submission off the board; the log says that it was, and why."""
        with self._database.begin() as transaction:
            _get(transaction, number)
            _change(transaction, number, withdrawn=reason)
            transaction.log("withdrawn", {"submission": number, "reason": reason})

    def get(self, number: int) -> Submission:
        """The submission of that number."""
        with self._database.read() as transaction:
            return _get(transaction, number)

    def of_team(self, team: Team) -> list[Submission]:
        """A team's own, the latest first."""
        own = SUBMISSIONS.where(SUBMITTED.c.team == team.id)
        return self._all(own.order_by(SUBMITTED.c.id.desc()))

    def shown(self) -> list[Submission]:
        """Those that everybody may see."""
        every = self._all(SUBMISSIONS.where(SUBMITTED.c.state == SubmissionState.SCORED))
        return [entry for entry in every if entry.is_shown]

    def _all(self, query: Select[Any]) -> list[Submission]:
        with self._database.read() as transaction:
            return [_submission(row) for row in transaction.execute(query)]

    def _ended(self, number: int, state: SubmissionState, problem: str, kind: str) -> None:
        with self._database.begin() as transaction:
            _change(transaction, number, state=state, problem=problem, scored=None)
            transaction.log(kind, {"submission": number})


def _change(transaction: BoardTransaction, number: int, **values: Any) -> None:
    transaction.change(SUBMITTED, SUBMITTED.c.id == number, **values)


def _requeue(transaction: BoardTransaction, number: int) -> None:
    begun = (SUBMITTED.c.id == number, SUBMITTED.c.state == SubmissionState.SCORING)
    transaction.change(SUBMITTED, *begun, state=SubmissionState.QUEUED)


def _get(transaction: BoardTransaction, number: int) -> Submission:
    row = None
    if 0 < number <= LARGEST:
        row = transaction.execute(SUBMISSIONS.where(SUBMITTED.c.id == number)).first()
    if row is None:
        raise LacunaError(f"There is no submission {number}.")
    return _submission(row)


def _submission(row: Row[Any]) -> Submission:
    about = SubmissionAbout(
        row.board_table, row.name, row.description, row.code, row.parameters, row.is_public
    )
    return as_struct(
        Submission,
        row,
        about=about,
        team=Team(row.team, row.team_name),
        state=SubmissionState(row.state),
        scored=None if row.scored is None else ScoredFile.of_json(row.scored),
    )
