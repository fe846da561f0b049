"""Dialogs among the answers that are kept."""

from __future__ import annotations

from lacuna.server.answer_cache import CachedAnswer
from lacuna.server.keeping.protocol import AnswerKeeper
from lacuna.server.refusals import Refusal


def dialog_about(
    answers: AnswerKeeper, corpus: str, last: str | None, person: str, most: int
) -> list[CachedAnswer]:
    """The end of a person's dialog about a corpus that ended with an answer; empty where nothing
    is followed up, and a ``Refusal`` where it is about another corpus."""
    if last is None:
        return []
    dialog = answers.dialog(last, person, most)
    if dialog[-1].result.corpus != corpus:
        raise Refusal(
            422,
            "other-corpus",
            "A follow-up must be asked of the corpus that its dialog is about.",
        )
    return dialog
