"""Where questions with choices are handed in; they stand in the same line as all others."""

from __future__ import annotations

import string
import threading
from collections.abc import Callable
from concurrent.futures import Future

from lacuna.errors import LacunaError
from lacuna.pipeline.gapqa_protocol import FillsGaps
from lacuna.server.choice_schemas import Chosen, ToChoose
from lacuna.server.limits import Limits, clean_line
from lacuna.server.refusals import Refusal
from lacuna.server.work_queue import WorkQueue
from lacuna.types import Choice, Question

OpenGaps = Callable[[], FillsGaps]
LABELS = string.ascii_uppercase
FEWEST = 2


class ChoiceService:
    """Takes questions with choices in; what answers them is opened for the first one."""

    def __init__(self, open_gaps: OpenGaps, line: WorkQueue, limits: Limits) -> None:
        self._open_gaps = open_gaps
        self._line = line
        self._limits = limits
        self._opening = threading.Lock()
        self._opened: FillsGaps | None = None

    def take(self, to_choose: ToChoose) -> Future[Chosen]:
        """Check a question and put it in line; a ``Refusal`` if it cannot be asked."""
        question = self._checked(to_choose)
        return self._line.join(lambda: Chosen.model_validate(self._gaps().ask(question).as_json()))

    def leave(self, future: Future[Chosen]) -> None:
        """Nobody waits any more: work that has not begun is dropped."""
        self._line.leave(future)

    def _checked(self, to_choose: ToChoose) -> Question:
        limits = self._limits
        text = clean_line(to_choose.question, limits.question)
        fact = clean_line(to_choose.fact, limits.fact, "core fact")
        count = len(to_choose.choices)
        if count < FEWEST:
            raise Refusal(
                422,
                "too-few-choices",
                f"A question with choices needs at least {FEWEST} of them, and "
                f"{'one was' if count else 'none was'} given. Add some.",
            )
        if count > limits.choices:
            raise Refusal(
                422,
                "too-many-choices",
                f"{count:,} choices were given, and at most {limits.choices} can be weighed. "
                "Leave some out.",
            )
        choices = (
            Choice(label, clean_line(choice, limits.choice, "choice", f" {label}"))
            for label, choice in zip(LABELS[:count], to_choose.choices, strict=True)
        )
        return Question("", text, fact=fact, choices=tuple(choices))

    def _gaps(self) -> FillsGaps:
        with self._opening:
            if self._opened is None:
                try:
                    self._opened = self._open_gaps()
                except LacunaError as error:  # nothing is wrong with the question
                    raise Refusal(503, "no-choices-here", str(error)) from error
            return self._opened
