"""Answers that were given: for follow-up questions, and for links that people share."""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass

from lacuna.server.refusals import Refusal
from lacuna.server.schemas import Answered
from lacuna.types import Turn


@dataclass(frozen=True, slots=True)
class CachedAnswer:
    """An answer as it was told, and as the pipeline remembers it."""

    told: Answered
    turn: Turn


class AnswerCache:
    """The last answers by their id; the oldest are forgotten.

    An answer names the one that it followed up, so a dialog is what its last answer leads back
    to: two people can go on from the same one.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._kept: OrderedDict[str, CachedAnswer] = OrderedDict()
        self._lock = threading.Lock()

    def keep(self, told: Answered, turn: Turn) -> None:
        """Remember an answer."""
        with self._lock:
            self._kept[told.id] = CachedAnswer(told, turn)
            while len(self._kept) > self._limit:
                self._kept.popitem(last=False)

    def dialog(self, last: str) -> list[CachedAnswer]:
        """The dialog that ended with an answer, its first question first."""
        with self._lock:
            if last not in self._kept:
                raise Refusal(
                    404,
                    "answer-gone",
                    "This answer is not kept any more: the server was started anew, or gave many "
                    "answers since. Ask the question again.",
                )
            turns: list[CachedAnswer] = []
            at: str | None = last
            while at is not None and (one := self._kept.get(at)):
                turns.append(one)
                at = one.told.after
        return turns[::-1]
