"""Answers and feedback in a store that several servers share.

An answer that one server gave can be followed up on, and told about, at any other one.
"""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import msgspec
from pydantic import ValidationError

from lacuna.server.answer_cache import LONGEST_DIALOG, CachedAnswer, answer_gone
from lacuna.server.keeping.protocol import SharedStore
from lacuna.server.refusals import feedback_full
from lacuna.server.schemas.answers import ResultSchema
from lacuna.types import Turn

ID = re.compile(r"[A-Za-z0-9_\-]{1,64}")
"""Ids that we make; others are not looked up."""


@dataclass(frozen=True, slots=True)
class _Kept:
    person: str
    turn: Turn
    result: msgspec.Raw


class SharedAnswers:
    """The answers of all servers that share a store."""

    def __init__(self, store: SharedStore) -> None:
        self._store = store

    def add(self, result: ResultSchema, turn: Turn, person: str) -> None:
        """Keep an answer; when this returns, it is kept."""
        kept = _Kept(person, turn, msgspec.Raw(result.model_dump_json().encode()))
        self._store.put_answer(result.id, zlib.compress(msgspec.json.encode(kept), 5))

    def dialog(self, last: str, person: str, most: int = LONGEST_DIALOG) -> list[CachedAnswer]:
        """A person's dialog that ended with an answer, its first question first.

        Each answer is asked for by itself, so who needs the last few asks for no more.
        """
        dialog: list[CachedAnswer] = []
        at: str | None = last
        while at is not None and len(dialog) < most:
            answer = self._answer(at)
            if answer is None or answer.person != person:
                break
            dialog.append(answer)
            at = answer.result.after
        if not dialog:
            raise answer_gone()
        return dialog[::-1]

    def _answer(self, answer_id: str) -> CachedAnswer | None:
        kept = self._store.answer(answer_id) if ID.fullmatch(answer_id) else None
        if kept is None:
            return None
        try:
            read = msgspec.json.decode(zlib.decompress(kept), type=_Kept)
            result = ResultSchema.model_validate_json(bytes(read.result))
        except (zlib.error, msgspec.MsgspecError, ValidationError):
            return None  # kept by another version: as good as forgotten
        return CachedAnswer(result, read.turn, read.person)


class SharedFeedback:
    """The feedback of all servers that share a store; as much of it as a file may have."""

    def __init__(self, store: SharedStore, limit: int) -> None:
        self._store = store
        self._limit = limit

    def put(self, line: Mapping[str, Any]) -> None:
        """Keep what was said of one answer, by its ``id``."""
        if not self._store.put_feedback(str(line["id"]), json.dumps(line), self._limit):
            raise feedback_full()
