"""Where questions are handed in: each gets a place in line, and its events as they happen."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import AsyncIterator
from concurrent.futures import CancelledError, Future

from lacuna.errors import LacunaError
from lacuna.pipeline.query import Query
from lacuna.pipeline.trace import Step
from lacuna.server.answer_cache import AnswerCache
from lacuna.server.answer_json import tell_answer
from lacuna.server.clean_text import cleaned
from lacuna.server.limits import Limits
from lacuna.server.open_corpora import OpenCorpora, OpenCorpus
from lacuna.server.refusals import BROKEN, Refusal, as_refusal, no_document
from lacuna.server.schemas import (
    Answered,
    AnswerFailed,
    AnswerGiven,
    Event,
    StepDone,
    ToAsk,
    Waiting,
)
from lacuna.server.work_queue import WorkQueue
from lacuna.types import Turn

LOOK_AGAIN = 0.5
"""Seconds between two looks at how many are ahead."""


class Ticket:
    """One question in line."""

    def __init__(self, line: WorkQueue) -> None:
        self._line = line
        self._loop = asyncio.get_running_loop()
        self._steps: asyncio.Queue[Step | None] = asyncio.Queue()
        self._future: Future[Answered] | None = None

    def wait_for(self, future: Future[Answered]) -> None:
        """The answer that is waited for; to be called once."""
        self._future = future
        future.add_done_callback(lambda _: self._tell(None))

    def saw(self, step: Step) -> None:
        """Told by the worker of each step."""
        self._tell(step)

    def leave(self) -> None:
        """Nobody waits any more: work that has not begun is dropped."""
        if self._future is not None:
            self._line.leave(self._future)

    async def events(self) -> AsyncIterator[Event]:
        """Everything that happens, and the answer at the end."""
        assert self._future is not None
        ahead = None
        while True:
            now_ahead = self._line.ahead(self._future)
            if now_ahead != ahead and now_ahead is not None:
                yield Waiting(ahead=now_ahead)
            ahead = now_ahead
            try:
                step = await asyncio.wait_for(self._steps.get(), LOOK_AGAIN)
            except TimeoutError:
                continue
            if step is None:
                break
            yield StepDone(step=step)
        yield _outcome(self._future)

    async def answer(self) -> Answered:
        """Only the answer."""
        assert self._future is not None
        return await asyncio.wrap_future(self._future)

    def _tell(self, step: Step | None) -> None:
        # The loop may have ended with the server while a worker was still at it.
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._steps.put_nowait, step)


def _outcome(future: Future[Answered]) -> Event:
    try:
        return AnswerGiven(answer=future.result())
    except LacunaError as error:
        problem = as_refusal(error).problem
    except CancelledError:
        return AnswerFailed(code="stopped", message="The server is shutting down.")
    except Exception:  # the stream has begun, so it cannot become a response of its own
        logging.getLogger(__name__).exception("A question could not be answered.")
        problem = BROKEN.problem
    return AnswerFailed(code=problem.code, message=problem.message)


class QuestionService:
    """Takes questions in."""

    def __init__(
        self, shelf: OpenCorpora, kept: AnswerCache, line: WorkQueue, limits: Limits
    ) -> None:
        self._shelf = shelf
        self._kept = kept
        self._line = line
        self._limits = limits

    def take(self, to_ask: ToAsk) -> Ticket:
        """Check a question and put it in line; a ``Refusal`` if it cannot be asked."""
        question = cleaned(to_ask.question, self._limits.question)
        shelved = self._shelf.get(to_ask.corpus)
        history = self._history(to_ask, shelved)
        title = to_ask.title or None
        if title is not None and title not in shelved.asks.store:
            raise no_document(shelved.name, title)
        asked = Query(question, title=title, history=history)
        place = Ticket(self._line)
        place.wait_for(self._line.join(lambda: self._answer(shelved, asked, to_ask.after, place)))
        return place

    def _history(self, to_ask: ToAsk, shelved: OpenCorpus) -> tuple[Turn, ...]:
        if to_ask.after is None:
            return ()
        dialog = self._kept.dialog(to_ask.after)
        if dialog[-1].told.corpus != shelved.id:
            raise Refusal(
                422,
                "other-corpus",
                "A follow-up must be asked of the corpus that its dialog is about.",
            )
        return tuple(one.turn for one in dialog[-self._limits.turns :])

    def _answer(
        self, shelved: OpenCorpus, asked: Query, after: str | None, place: Ticket
    ) -> Answered:
        """The work of a worker."""
        try:
            result = shelved.asks.ask(asked, on_step=place.saw)
            told = tell_answer(
                result,
                shelved.asks.store,
                answer_id=secrets.token_urlsafe(9),
                after=after,
                corpus=shelved.id,
            )
        except Exception:
            shelved.check()  # a corpus that was deleted meanwhile is the likeliest reason
            raise
        turn = Turn(asked.question, result.answer, result.prediction.acts)
        self._kept.keep(told, turn)
        return told
