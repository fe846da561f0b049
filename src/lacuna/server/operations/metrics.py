"""What a server counts and times: questions, their stages, the queue, requests, refusals."""

from __future__ import annotations

import time
from concurrent.futures import CancelledError, Future
from typing import TypeVar

from lacuna.errors import LacunaError
from lacuna.server.operations.exposition import Counter, Gauge, Histogram
from lacuna.server.refusals import as_refusal
from lacuna.server.schemas.answers import ResultFields
from lacuna.server.work_queue import WorkQueue
from lacuna.version import __version__

R = TypeVar("R", bound=ResultFields)
LEFT = "left"
"""The outcome of a question that nobody waited for any more."""
BROKEN = "broken"


class Metrics:
    """The metrics of one server, since it started; they hold no words of anybody."""

    def __init__(self) -> None:
        self._questions = Counter(
            "lacuna_questions_total",
            "Questions by how they ended: answer, probable, none, left, broken, or why refused.",
            ("kind", "outcome"),
        )
        self._question_seconds = Histogram(
            "lacuna_question_seconds",
            "From taking a question to its end, waiting included.",
            "kind",
        )
        self._stage_seconds = Histogram(
            "lacuna_stage_seconds", "Seconds of the stages of answered questions.", "stage"
        )
        self._waiting_seconds = Histogram(
            "lacuna_waiting_seconds", "Seconds that a question waited in the queue.", "queue"
        )
        self._requests = Counter(
            "lacuna_requests_total", "Requests by route and status.", ("route", "status")
        )
        self._request_seconds = Histogram(
            "lacuna_request_seconds", "From a request to the end of its response.", "route"
        )
        self._refusals = Counter(
            "lacuna_refusals_total",
            "Refused requests, and streams that ended with a problem, by its code.",
            ("code",),
        )
        self._gauges = [
            Gauge("lacuna_info", f"Lacuna {__version__} runs here.", lambda: 1),
        ]

    def watch_queue(self, queue: WorkQueue) -> None:
        """Tell how long the queue of questions is."""
        waiting = "Questions that wait in the queue."
        running = "Questions that are being answered."
        self._gauges += [
            Gauge("lacuna_queue_length", waiting, lambda: queue.load()[0]),
            Gauge("lacuna_questions_running", running, lambda: queue.load()[1]),
        ]

    def waited(self, seconds: float) -> None:
        """A question was taken out of the queue."""
        self._waiting_seconds.observe("questions", seconds)

    def watch_question(self, kind: str, future: Future[R]) -> None:
        """Count a question when it ends, however it does."""
        begun = time.monotonic()
        future.add_done_callback(lambda done: self._ended(kind, done, time.monotonic() - begun))

    def refused_question(self, kind: str, refusal: LacunaError) -> None:
        """Count a question that was not taken."""
        self._questions.add(kind, as_refusal(refusal).problem.code)

    def request(self, route: str, status: int, seconds: float, refused: str) -> None:
        """Count a request and, where it was refused, why."""
        self._requests.add(route, str(status))
        self._request_seconds.observe(route, seconds)
        if refused:
            self._refusals.add(refused)

    def text(self) -> str:
        """All of it, as Prometheus reads it."""
        counted: tuple[Counter | Gauge | Histogram, ...] = (
            *(self._questions, self._question_seconds, self._stage_seconds),
            *(self._waiting_seconds, self._requests, self._request_seconds, self._refusals),
            *self._gauges,
        )
        return "".join(f"{line}\n" for one in counted for line in one.lines())

    def _ended(self, kind: str, done: Future[R], seconds: float) -> None:
        try:
            result = done.result()
            outcome = result.degree.value
        except CancelledError:
            outcome = LEFT
        except LacunaError as error:
            outcome = as_refusal(error).problem.code
        except Exception:  # whoever waits for the answer logs it
            outcome = BROKEN
        else:
            for step in result.steps:
                self._stage_seconds.observe(step.stage.value, step.milliseconds / 1000)
        self._questions.add(kind, outcome)
        self._question_seconds.observe(kind, seconds)
