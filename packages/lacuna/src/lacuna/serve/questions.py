"""Take questions in: each gets a ticket in the work queue, and its events as they come."""

from __future__ import annotations

import asyncio
import logging
import secrets
import threading
from collections.abc import AsyncIterator, Callable, Collection, Sequence
from concurrent.futures import CancelledError, Executor, Future
from dataclasses import fields, replace

from lacuna.errors import LacunaError
from lacuna.json_form import plain
from lacuna.pipeline.gapqa import BadChoices, ChoiceResult, FillsGaps, labelled_question
from lacuna.pipeline.open_corpus import check_model
from lacuna.pipeline.query import Query
from lacuna.pipeline.result import OnStep, Quote, Result, Step
from lacuna.pipeline.stages import nearest_quote
from lacuna.serve.corpora import OpenCorpora, OpenCorpus, quote_for_others, result_for_others
from lacuna.serve.operations import Metrics
from lacuna.serve.schemas import (
    AnswerEvent,
    AskRequest,
    ChoiceRequest,
    Event,
    ProblemEvent,
    ResultSchema,
    StepEvent,
    WaitingEvent,
)
from lacuna.serve.shared import AnswerKeeper, CachedAnswer, dialog_about
from lacuna.types import Question, Turn
from lacuna.web.limits import Limits, clean_line
from lacuna.web.refusals import BROKEN, Refusal, as_refusal, log_cause, no_document, took_too_long
from lacuna.web.work_queue import FollowedWork, WorkQueue


def as_asked(result: Result, request: AskRequest) -> Result:
    """The same answer in that shape."""
    others = result.alternatives[: request.alternatives]
    return replace(as_sure(result, request.min_confidence), alternatives=others)


def as_sure(result: Result, min_confidence: float | None) -> Result:
    """The same answer, called probable where it is less sure than is wanted."""
    return result if min_confidence is None else result.held_to(min_confidence)


KIND = "ask"
"""Of questions, for who counts them."""


class Ticket:
    """One question in the work queue."""

    def __init__(self, work: FollowedWork[Step, ResultSchema], seconds: float) -> None:
        self._work = work
        self._seconds = seconds

    def leave(self) -> None:
        """Nobody waits any more: work that has not begun is dropped."""
        self._work.leave()

    async def events(self) -> AsyncIterator[Event]:
        """Everything that happens, and the answer at the end."""
        async for said in self._work.words(self._seconds):
            yield WaitingEvent(said) if isinstance(said, int) else StepEvent(said)
        if self._work.future.done():
            yield _last_event(self._work.future)
        else:
            problem = took_too_long().problem
            yield ProblemEvent(problem.code, problem.message)

    async def answer(self) -> ResultSchema:
        """Only the answer."""
        timeout = asyncio.timeout(self._seconds)
        try:
            async with timeout:
                return await asyncio.wrap_future(self._work.future)
        except TimeoutError:
            if timeout.expired():
                raise took_too_long() from None
            raise


def _last_event(future: Future[ResultSchema]) -> Event:
    try:
        return AnswerEvent(future.result())
    except LacunaError as error:
        log_cause(error)
        problem = as_refusal(error).problem
    except CancelledError:
        problem = BROKEN.problem  # only who no longer listens gives up a question
    except Exception:  # the stream has begun, so it cannot become a response of its own
        logging.getLogger(__name__).exception("A question could not be answered.")
        problem = BROKEN.problem
    return ProblemEvent(problem.code, problem.message)


class QuestionService:
    """Takes questions in, and remembers their answers."""

    def __init__(
        self,
        corpora: OpenCorpora,
        answers: AnswerKeeper,
        queue: WorkQueue,
        lookups: Executor,
        limits: Limits,
        metrics: Metrics,
        models: Collection[str] = (),
    ) -> None:
        self._corpora = corpora
        self._answers = answers
        self._queue = queue
        self._lookups = lookups
        self._limits = limits
        self._metrics = metrics
        self._models = models

    async def take(self, request: AskRequest, person: str) -> Ticket:
        """Put a person's question in the queue; a ``Refusal`` if it cannot be asked."""
        try:
            return await self._taken(request, person)
        except LacunaError as refusal:
            self._metrics.refused_question(KIND, refusal)
            raise

    async def _taken(self, request: AskRequest, person: str) -> Ticket:
        question = clean_line(request.question, self._limits.question)
        check_model(request.model, self._models)
        # Beside the loop: an old upload may have to be deleted, and both what answers are kept in
        # and the corpus may be on another machine, and slow.
        corpus, dialog = await asyncio.to_thread(self._begun, request, person)
        history = tuple(answer.turn for answer in dialog)
        title = request.title or None
        if title is not None:
            loop = asyncio.get_running_loop()
            await loop.run_in_executor(self._lookups, _check_title, corpus, title)
        query = Query(
            question,
            title=title,
            history=history,
            hops=request.hops,
            windows=request.windows,
            model=request.model,
        )
        work: FollowedWork[Step, ResultSchema] = FollowedWork(
            self._queue, lambda told: self._answer(corpus, query, request, told, person)
        )
        self._metrics.watch_question(KIND, work.future)
        return Ticket(work, self._limits.answer_seconds)

    def _begun(self, request: AskRequest, person: str) -> tuple[OpenCorpus, Sequence[CachedAnswer]]:
        """What is asked, and what was said before, as far as it is read."""
        corpus = self._corpora.get(request.corpus, person)
        dialog = dialog_about(self._answers, corpus.id, request.after, person, self._limits.turns)
        return corpus, dialog

    def _answer(
        self, corpus: OpenCorpus, query: Query, request: AskRequest, on_step: OnStep, person: str
    ) -> ResultSchema:
        """The work of a worker."""
        try:
            result = as_asked(corpus.answerer.ask(query, on_step=on_step), request)
            nearest = nearest_quote(corpus.answerer.store, result)
            if not corpus.local:
                result = result_for_others(result)
                nearest = quote_for_others(nearest) if nearest else None
            served = ResultSchema(
                **{one.name: getattr(result, one.name) for one in fields(Result) if one.init},
                id=secrets.token_urlsafe(9),
                after=request.after,
                corpus=corpus.id,
                nearest_quote=nearest,
                from_corpora=_parts_quoted(result, nearest, corpus),
            )
        except Exception:
            corpus.check()  # that it was deleted meanwhile is the likeliest reason
            raise
        turn = Turn(query.question, result.answer, result.prediction.acts)
        self._answers.add(plain(served), turn, person)
        return served


def _check_title(corpus: OpenCorpus, title: str) -> None:
    if title not in corpus.answerer.store:
        raise no_document(corpus.name, title)


def _parts_quoted(result: Result, nearest: Quote | None, corpus: OpenCorpus) -> dict[str, str]:
    """Which corpus each quoted document is from, where several are asked together."""
    others = (quote for other in result.alternatives for quote in other.quotes)
    quotes = (*result.quotes, *others, *([nearest] if nearest else []))
    titles = dict.fromkeys(quote.document for quote in quotes)
    parts = {title: corpus.part_of(title) for title in titles}
    return {title: part for title, part in parts.items() if part is not None}


CHOICE_KIND = "choose"
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

    def take(self, request: ChoiceRequest) -> Future[ChoiceResult]:
        """Check a question and put it in the queue; a ``Refusal`` if it cannot be asked."""
        try:
            question = self._checked(request)
            future = self._queue.join(lambda: self._gapqa().ask(question))
        except LacunaError as refusal:
            self._metrics.refused_question(CHOICE_KIND, refusal)
            raise
        self._metrics.watch_question(CHOICE_KIND, future)
        return future

    def leave(self, future: Future[ChoiceResult]) -> None:
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
