"""Long parts of items, such as articles, that many items have in common: each is kept once.

An item holds their digests. A part never changes, so that whoever has read one need not read it
again. Items that are handed on from one task to another take the digests along.
"""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Iterable, Mapping

from sqlalchemy import select
from sqlalchemy.dialects import postgresql, sqlite

from lacuna.collect.database.engine import CollectTransaction
from lacuna.collect.database.json_text import written_json
from lacuna.collect.database.tables import SHARED_TEXT
from lacuna.collect.tasks.task import CollectTask, Json, SharingTask
from lacuna.errors import LacunaError

DIGEST = "digest"
"""What stands for a part in an item that is stored: a field of this name alone."""
UNLESS_THERE = {
    "postgresql": postgresql.insert(SHARED_TEXT).on_conflict_do_nothing(),
    "sqlite": sqlite.insert(SHARED_TEXT).on_conflict_do_nothing(),
}
MOST_CHARACTERS = 50_000_000
"""Of the parts that are kept in memory."""


class TextsAtHand:
    """Parts that were read lately, by their digests; the oldest go first."""

    def __init__(self, most: int = MOST_CHARACTERS) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._parts: dict[str, tuple[Json, int]] = {}
        self._size = 0

    def those(self, digests: Iterable[str]) -> dict[str, Json]:
        """Those of some parts that are here."""
        with self._lock:
            return {one: self._parts[one][0] for one in digests if one in self._parts}

    def add(self, digest: str, part: Json, size: int) -> None:
        """Keep one more."""
        with self._lock:
            if digest in self._parts:
                return
            self._parts[digest] = (part, size)
            self._size += size
            while self._size > self._most:
                self._size -= self._parts.pop(next(iter(self._parts)))[1]


AT_HAND = TextsAtHand()
"""One for all projects: a digest stands for the same part in each."""


def keep_apart(transaction: CollectTransaction, task: CollectTask, payload: Json) -> Json:
    """The payload as it is stored; its long parts are stored beside it, if they are new."""
    if not isinstance(task, SharingTask):
        return payload
    parts = payload.get(task.shared)
    if not isinstance(parts, Mapping):
        return payload
    digests: dict[str, str] = {}
    written: dict[str, str] = {}
    for name, part in parts.items():
        if is_digest(part):
            digests[name] = part[DIGEST]
            continue
        text = written_json(part)
        digests[name] = hashlib.sha256(text.encode()).hexdigest()
        written[digests[name]] = text
    _store(transaction, written)
    return {**payload, task.shared: {name: {DIGEST: one} for name, one in digests.items()}}


def with_shared(transaction: CollectTransaction, task: CollectTask, payload: Json) -> Json:
    """The payload of an item as its task wants to see it: with its long parts, or their digests."""
    if not isinstance(task, SharingTask) or not task.reads_shared or task.shared not in payload:
        return payload
    parts: Json = payload[task.shared]
    digests = {name: part[DIGEST] for name, part in parts.items() if is_digest(part)}
    found = _read(transaction, set(digests.values()))
    return {**payload, task.shared: parts | {name: found[one] for name, one in digests.items()}}


def is_digest(part: object) -> bool:
    """Whether this stands for a part that is kept elsewhere."""
    return isinstance(part, dict) and part.keys() == {DIGEST}


def _store(transaction: CollectTransaction, written: dict[str, str]) -> None:
    there = set(
        transaction.execute(
            select(SHARED_TEXT.c.digest).where(SHARED_TEXT.c.digest.in_(written))
        ).scalars()
    )
    # In one order: two that store the same at once wait for each other and not for ever.
    for digest in sorted(written.keys() - there):
        values = {"digest": digest, "content": written[digest]}
        transaction.execute(UNLESS_THERE[transaction.connection.dialect.name], values)


def _read(transaction: CollectTransaction, digests: set[str]) -> dict[str, Json]:
    found = AT_HAND.those(digests)
    missing = sorted(digests - found.keys())
    if missing:
        query = select(SHARED_TEXT).where(SHARED_TEXT.c.digest.in_(missing))
        for row in transaction.execute(query):
            found[row.digest] = json.loads(row.content)
            AT_HAND.add(row.digest, found[row.digest], len(row.content))
    if len(found) < len(digests):
        raise LacunaError(
            "An item names a text by its digest that this project does not have. Give the item "
            "with the text itself, or restore the project from a backup."
        )
    return found
