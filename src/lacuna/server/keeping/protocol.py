"""What keeps answers, what keeps feedback, and what servers can share to keep both in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Protocol

from lacuna.server.answer_cache import LONGEST_DIALOG, CachedAnswer
from lacuna.server.schemas.answers import ResultSchema
from lacuna.types import Turn


class AnswerKeeper(Protocol):
    """Keeps answers, for follow-up questions and for links that people share."""

    def add(self, result: ResultSchema, turn: Turn, person: str) -> None:
        """Keep an answer; when this returns, it is kept."""

    def dialog(self, last: str, person: str, most: int = LONGEST_DIALOG) -> list[CachedAnswer]:
        """A person's dialog that ended with an answer, or so many of its last answers; a
        ``Refusal`` where there is none."""


class FeedbackKeeper(Protocol):
    """Keeps what people say of answers."""

    def put(self, line: Mapping[str, Any]) -> None:
        """Keep what was said of one answer, by its ``id``; the last word counts."""


class SharedStore(Protocol):
    """What several servers keep answers and feedback in; a ``Refusal`` where it cannot be used."""

    def put_answer(self, answer_id: str, kept: bytes) -> None:
        """Keep an answer, for ``KEPT_DAYS``."""

    def answer(self, answer_id: str) -> bytes | None:
        """An answer that was kept."""

    def put_feedback(self, answer_id: str, line: str, room: int) -> bool:
        """Keep a line about an answer, instead of an earlier one; nothing, and False, where all
        lines would be more than so many bytes."""

    def feedback(self) -> Iterator[str]:
        """All lines of feedback, the oldest first."""

    def check(self) -> None:
        """Refuse where it cannot be reached."""

    def close(self) -> None:
        """Let go of it."""
