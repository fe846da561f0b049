"""Takes questions with choices in; they wait in the same queue as all others."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import replace

from lacuna.errors import LacunaError
from lacuna.pipeline.choices import BadChoices, labelled_question
from lacuna.pipeline.gapqa import FillsGaps
from lacuna.server.limits import Limits, clean_line
from lacuna.server.operations.metrics import Metrics
from lacuna.server.refusals import Refusal
from lacuna.server.schemas.choices import ChoiceRequest, ChoiceResultSchema
from lacuna.server.work_queue import WorkQueue
from lacuna.types import Question

KIND = "choose"
"""Of questions, for who counts them."""
OpenGaps = Callable[[], FillsGaps]


class ChoiceService:
    """Answers questions with choices; the model is opened for the first one."""

    def __init__(
        self, open_gaps: OpenGaps, queue: WorkQueue, limits: Limits, metrics: Metrics
    ) -> None:
        self._open_gaps = open_gaps
        self._queue = queue
        self._limits = limits
        self._metrics = metrics
        self._opening = threading.Lock()
        self._opened: FillsGaps | None = None

    def take(self, request: ChoiceRequest) -> Future[ChoiceResultSchema]:
        """Check a question and put it in the queue; a ``Refusal`` if it cannot be asked."""
        try:
            question = self._checked(request)
            future = self._queue.join(
                lambda: ChoiceResultSchema.model_validate(self._gapqa().ask(question).as_json())
            )
        except LacunaError as refusal:
            self._metrics.refused_question(KIND, refusal)
            raise
        self._metrics.watch_question(KIND, future)
        return future

    def leave(self, future: Future[ChoiceResultSchema]) -> None:
        """Nobody waits any more: work that has not begun is dropped."""
        self._queue.leave(future)

    def _checked(self, request: ChoiceRequest) -> Question:
        limits = self._limits
        try:
            question = labelled_question(
                request.question, request.choices, request.fact, most=limits.choices
            )
        except BadChoices as problem:
            raise Refusal(422, problem.code, str(problem)) from problem
        return replace(
            question,
            text=clean_line(request.question, limits.question),
            fact=clean_line(request.fact, limits.fact, "core fact"),
            choices=tuple(
                choice._replace(
                    text=clean_line(choice.text, limits.choice, "choice", f" {choice.label}")
                )
                for choice in question.choices
            ),
        )

    def _gapqa(self) -> FillsGaps:
        with self._opening:
            if self._opened is None:
                try:
                    self._opened = self._open_gaps()
                except LacunaError as error:  # nothing is wrong with the question
                    raise Refusal(503, "no-choices-here", str(error)) from error
            return self._opened
