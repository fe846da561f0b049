"""The tables of a project."""

from __future__ import annotations

import json
from typing import Any

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Dialect,
    Double,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    text,
)
from sqlalchemy.types import TypeDecorator

from lacuna_collect.refused import RefusedError


class JsonText(TypeDecorator[Any]):
    """A value as ASCII JSON: half surrogate pairs and NUL, which databases refuse, are escaped."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: Any, dialect: Dialect) -> str | None:
        """Write a value; None is no value at all."""
        return None if value is None else written_json(value)

    def process_result_value(self, value: str | None, dialect: Dialect) -> Any:
        """Read it again."""
        return None if value is None else json.loads(value)


def written_json(value: Any) -> str:
    """JSON in the one form in which it is stored."""
    try:
        return json.dumps(value, allow_nan=False, separators=(",", ":"))
    except (TypeError, ValueError, RecursionError) as error:
        raise RefusedError(
            "no-json", f"What was sent is no JSON that can be stored: {error}."
        ) from error


# The tables of a project.
#
# Times are seconds since 1970, UTC, by ``CollectClock``. A change here needs a new file in
# ``migrations/versions``; a test compares the two.


METADATA = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)


def _number() -> Column[int]:
    return Column("id", BigInteger().with_variant(Integer, "sqlite"), primary_key=True)


def _of(table: str, name: str = "", *, nullable: bool = False, index: bool = False) -> Column[int]:
    return Column(
        name or table,
        BigInteger().with_variant(Integer, "sqlite"),
        ForeignKey(f"{table}.id"),
        nullable=nullable,
        index=index,
    )


def _time(name: str, *, nullable: bool = False) -> Column[float]:
    return Column(name, Double, nullable=nullable)


PERSON = Table(
    "person",
    METADATA,
    _number(),
    Column("platform", String(20), nullable=False),  # empty for accounts of our own
    Column("name", String(200), nullable=False),
    Column("folded", String(200), nullable=False),  # the name as it is compared
    Column("password", Text),  # an argon2 hash; crowds bring none
    Column("role", String(20), nullable=False),
    _time("created_at"),
    _time("blocked_at", nullable=True),
    Column("blocked_reason", Text, nullable=False, server_default=""),
    UniqueConstraint("platform", "folded"),
)
INVITATION = Table(
    "invitation",
    METADATA,
    _number(),
    Column("code_hash", String(64), nullable=False, unique=True),
    Column("role", String(20), nullable=False),
    Column("uses_left", Integer, nullable=False),
    Column("note", Text, nullable=False),
    _time("created_at"),
    _time("expires_at"),
)
LOGIN = Table(
    "login",
    METADATA,
    _number(),
    _of("person", index=True),
    Column("token_hash", String(64), nullable=False, unique=True),
    Column("crowd", JsonText),  # what a platform sent along, for the way back to it
    _time("created_at"),
    _time("expires_at"),
)
LOGIN_ATTEMPT = Table(
    "login_attempt",
    METADATA,
    _number(),
    Column("folded", String(200), nullable=False),
    Column("address", String(100), nullable=False),
    Column("failed", Boolean, nullable=False),
    _time("at"),
    Index(None, "folded", "at"),
    Index(None, "address", "at"),
)
TASK_STATE = Table(
    "task_state",
    METADATA,
    Column("name", String(60), primary_key=True),
    Column("paused", Boolean, nullable=False),
)
ITEM = Table(
    "item",
    METADATA,
    _number(),
    Column("task", String(60), nullable=False),
    Column("key", String(500), nullable=False),
    Column("payload", JsonText, nullable=False),
    Column("split", String(40), nullable=False),
    Column("gold", JsonText),  # where it belongs to the qualification test
    Column("copies", Integer, nullable=False),
    Column("taken", Integer, nullable=False),  # places that somebody has or has filled
    Column("drawn", Boolean, nullable=False),  # on demand: there are always others
    _time("created_at"),
    UniqueConstraint("task", "key"),
    Index(
        "ix_item_free",
        "task",
        "id",
        sqlite_where=text("taken < copies AND gold IS NULL"),
        postgresql_where=text("taken < copies AND gold IS NULL"),
    ),
)
SHARED_TEXT = Table(
    "shared_text",
    METADATA,
    Column("digest", String(64), primary_key=True),  # of the content; items name it
    Column("content", Text, nullable=False),  # JSON
)
NOT_FOR = Table(
    "not_for",
    METADATA,
    Column("item", ITEM.c.id.type, ForeignKey("item.id"), primary_key=True),
    Column("person", PERSON.c.id.type, ForeignKey("person.id"), primary_key=True),
)
ASSIGNMENT = Table(
    "assignment",
    METADATA,
    _number(),
    _of("item"),
    _of("person"),
    Column("task", String(60), nullable=False),
    Column("state", String(20), nullable=False),  # AssignmentState
    Column("has_place", Boolean, nullable=False),  # of the item's copies; late work may have none
    Column("is_test", Boolean, nullable=False),  # of the qualification
    Column("draft", JsonText),
    Column("version", Integer, nullable=False),  # of the draft
    Column("seconds", Double, nullable=False),  # spent, as the page measured them
    Column("loop", JsonText, nullable=False),  # what the model in the loop said, by part
    Column("returned_reason", Text, nullable=False),
    _time("assigned_at"),
    _time("expires_at"),
    _time("ended_at", nullable=True),  # handed in, skipped or accepted
    UniqueConstraint("item", "person"),
    Index(None, "person", "task", "state"),
    Index(None, "task", "state", "expires_at"),
)
SUBMISSION = Table(
    "submission",
    METADATA,
    _number(),
    _of("assignment"),
    _of("person", "author"),  # the worker, or the reviewer who repaired it
    Column("key", String(100), nullable=False),  # the page's own; sent twice is stored once
    Column("work", JsonText, nullable=False),
    Column("loop", JsonText, nullable=False),
    Column("seconds", Double, nullable=False),
    Column("late", Boolean, nullable=False),
    Column("score", Double),  # on an item of the test
    Column("accepted", Boolean, nullable=False),
    _time("at"),
    UniqueConstraint("assignment", "key"),
)
REVIEW = Table(
    "review",
    METADATA,
    _number(),
    _of("submission", index=True),
    _of("person", "reviewer", nullable=True),  # none on the command line
    Column("verdict", String(20), nullable=False),
    Column("reason", Text, nullable=False),
    _time("at"),
)
QUALIFICATION = Table(
    "qualification",
    METADATA,
    _number(),
    _of("person"),
    Column("task", String(60), nullable=False),
    Column("passed", Boolean, nullable=False),
    Column("score", Double),  # none where a requester decided
    _time("at"),
    UniqueConstraint("person", "task"),
)
LEDGER = Table(
    "ledger",
    METADATA,
    _number(),
    _of("person", index=True),
    _of("assignment", nullable=True),
    Column("task", String(60), nullable=False),
    Column("kind", String(20), nullable=False),  # pay or bonus
    Column("reference", String(200), nullable=False, unique=True),  # nothing is paid twice
    Column("cents", Integer, nullable=False),
    Column("note", Text, nullable=False),
    _time("at"),
)
MESSAGE = Table(
    "message",
    METADATA,
    _number(),
    _of("person", index=True),  # whose conversation with the requesters it belongs to
    _of("person", "sender", nullable=True),  # none on the command line
    Column("body", Text, nullable=False),
    _time("at"),
    _time("read_at", nullable=True),
)
PROBLEM_REPORT = Table(
    "problem_report",
    METADATA,
    _number(),
    _of("assignment"),
    _of("person"),
    Column("body", Text, nullable=False),
    _time("at"),
    _time("settled_at", nullable=True),
)
EVENT = Table(
    "event",
    METADATA,
    _number(),
    _time("at"),
    Column("kind", String(40), nullable=False),
    _of("person", nullable=True),
    Column("task", String(60), nullable=False),
    _of("assignment", nullable=True),
    Column("about", JsonText, nullable=False),
    Index(None, "at"),
)
DIALOG = Table(
    "dialog",
    METADATA,
    _number(),
    Column("task", String(60), nullable=False),
    _of("item"),
    _of("person", "student", nullable=True, index=True),  # none where the partner is simulated
    _of("person", "teacher", nullable=True, index=True),
    Column("state", String(20), nullable=False),  # open or ended
    Column("ended_by", String(20), nullable=False),  # EndedBy; empty while it is open
    Column("last", Integer, nullable=False),  # the number of its latest event
    _time("began_at"),
    _time("ended_at", nullable=True),
    Index(None, "task", "state"),
)
DIALOG_EVENT = Table(
    "dialog_event",
    METADATA,
    _number(),
    _of("dialog"),
    Column("number", Integer, nullable=False),  # counts from 1 in each dialog
    Column("role", String(20), nullable=False),  # who did it; empty for the server
    Column("key", String(100), nullable=False),  # the page's own; sent twice is stored once
    Column("kind", String(20), nullable=False),  # question, answer or report
    Column("body", JsonText, nullable=False),
    _time("at"),
    UniqueConstraint("dialog", "number"),
    UniqueConstraint("dialog", "role", "key"),
)
STEP = Table(
    "step",
    METADATA,
    Column("assignment", ASSIGNMENT.c.id.type, ForeignKey("assignment.id"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("answer", JsonText, nullable=False),
    _time("at"),
)
