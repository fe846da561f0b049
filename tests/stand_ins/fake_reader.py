"""A reader that answers as a test tells it to, in the place of the shipped one."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from types import ModuleType

import pytest

from lacuna.answers import AnswerMode
from lacuna.types import Answer, Prediction, Question

Answers = Callable[[Question, AnswerMode], Answer]


class FakeReader:
    """Gives every question the answer of one function, with a confidence of a half."""

    def __init__(self, answer: Answers) -> None:
        self._answer = answer

    def load(self, model: str | Path = "small", *, threads: int | None = None) -> FakeReader:
        return self

    def read(
        self,
        questions: Sequence[Question],
        *,
        mode: AnswerMode = AnswerMode.ASK,
        progress: Callable[[int], None] | None = None,
    ) -> list[Prediction]:
        assert all(question.gold is None and not question.extra for question in questions)
        return [Prediction(self._answer(one, mode), confidence=0.5) for one in questions]


def use_reader(monkeypatch: pytest.MonkeyPatch, answer: Answers) -> None:
    """Let every command read with a reader of such answers."""
    module = ModuleType("lacuna.models.reader.reader")
    module.ModelReader = FakeReader(answer)  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "lacuna.models.reader.reader", module)
