"""Answers that were given: for follow-up questions, and for links that people share."""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass

from lacuna.server.refusals import Refusal
from lacuna.server.schemas.answers import ResultSchema
from lacuna.types import Turn

LONGEST_DIALOG = 1_000
"""Answers that a dialog is followed back over, should its answers ever name each other."""


@dataclass(frozen=True, slots=True)
class CachedAnswer:
    """An answer as the client got it, and as the pipeline takes it for a follow-up."""

    result: ResultSchema
    turn: Turn
    person: str
    """Who asked, and alone may see it."""


class AnswerCache:
    """The last answers by their id; the oldest are forgotten.

    An answer names the one that it followed up, so a dialog is what its last answer leads back
    to: two people can go on from the same one.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._cached: OrderedDict[str, CachedAnswer] = OrderedDict()
        self._lock = threading.Lock()

    def add(self, result: ResultSchema, turn: Turn, person: str) -> None:
        """Remember an answer."""
        with self._lock:
            self._cached[result.id] = CachedAnswer(result, turn, person)
            while len(self._cached) > self._limit:
                self._cached.popitem(last=False)

    def dialog(self, last: str, person: str, most: int = LONGEST_DIALOG) -> list[CachedAnswer]:
        """A person's dialog that ended with an answer, its first question first."""
        with self._lock:
            cached = self._cached.get(last)
            if cached is None or cached.person != person:
                raise answer_gone()
            dialog: list[CachedAnswer] = []
            at: str | None = last
            while at is not None and len(dialog) < most and (answer := self._cached.get(at)):
                dialog.append(answer)
                at = answer.result.after
        return dialog[::-1]


def answer_gone() -> Refusal:
    """The refusal of an answer that is not there, or is another person's."""
    return Refusal(
        404,
        "answer-gone",
        "The server has forgotten this answer: it was restarted, or has given many "
        "answers since. Ask the question again.",
    )
