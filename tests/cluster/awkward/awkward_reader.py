"""A reader and a format of another package, as the workers of a cluster find them.

"poison" in a question raises, "deadly" ends the process, "slow" takes its time, and so does every
file of the format.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator, Sequence
from typing import Any

from lacuna.corpus.formats.base import DocumentFormat
from lacuna.corpus.formats.entries import Entry
from lacuna.corpus.formats.plain import verbatim_page
from lacuna.corpus.page import Page
from lacuna.types import Answer, Prediction, Question


class AwkwardReader:
    """Answers with the question's own words."""

    def read(self, questions: Sequence[Question], **_: Any) -> list[Prediction]:
        return [_answer(question) for question in questions]


def _answer(question: Question) -> Prediction:
    if "poison" in question.text:
        raise ValueError("it is poisoned")
    if "deadly" in question.text:
        os.kill(os.getpid(), signal.SIGKILL)
    if "slow" in question.text:
        time.sleep(0.05)
    return Prediction(Answer.span(question.text), confidence=len(question.text) / 100)


def open_awkward(argument: str, *, threads: int | None = None) -> AwkwardReader:
    """The entry point."""
    assert threads == 1, "a worker has one core unless it is said otherwise"
    return AwkwardReader()


def _parse_slow(entry: Entry) -> Iterator[Page]:
    time.sleep(0.1)
    yield verbatim_page(entry.name, entry.name.removesuffix(".slow"), entry.data.decode())


SLOW = DocumentFormat("slow", parse=_parse_slow, suffixes=(".slow",))
