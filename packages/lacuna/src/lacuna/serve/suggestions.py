"""Finds questions that a corpus answers: made from its documents, and each one really asked.

That is never urgent: each question is asked while nobody waits, and given up as soon as one does.
"""

from __future__ import annotations

import asyncio
import threading
from collections import OrderedDict
from collections.abc import AsyncGenerator, Callable, Collection, Sequence
from concurrent.futures import Executor
from functools import partial
from itertools import islice
from typing import TypeVar

from lacuna.pipeline.open_corpus import check_model
from lacuna.pipeline.query import Query
from lacuna.pipeline.result import Result, Step
from lacuna.pipeline.suggesting import (
    CandidateQuestion,
    candidates_after,
    candidates_of_corpus,
    is_answered,
)
from lacuna.serve.corpora import OpenCorpora, OpenCorpus
from lacuna.serve.questions import as_sure
from lacuna.serve.schemas import SuggestedQuestion, SuggestionsSchema, SuggestRequest
from lacuna.serve.shared import AnswerKeeper, CachedAnswer, dialog_about
from lacuna.types import Evidence
from lacuna.web.limits import Limits
from lacuna.web.refusals import Refusal
from lacuna.web.work_queue import WorkQueue

T = TypeVar("T")
MOST = 3
"""Questions that are suggested."""
TRIED = 24
"""Questions that are asked for them, at most."""
SUGGESTING_TIMEOUT_SECONDS = 30.0
"""Seconds after which fewer will do, if there are any."""
REMEMBERED = 64
"""Corpora, and ways to ask them, whose first questions are remembered."""


class SomeoneWaits(Exception):  # noqa: N818 - nothing went wrong
    """Raised in a question that nobody has asked, so that one that somebody has can be answered."""


class SuggestionService:
    """Suggests questions, and remembers those to begin with."""

    def __init__(
        self,
        corpora: OpenCorpora,
        answers: AnswerKeeper,
        queue: WorkQueue,
        lookups: Executor,
        limits: Limits,
        models: Collection[str] = (),
    ) -> None:
        self._corpora = corpora
        self._answers = answers
        self._queue = queue
        self._lookups = lookups
        self._limits = limits
        self._models = models
        self._remembered: OrderedDict[tuple[object, ...], list[SuggestedQuestion]] = OrderedDict()

    async def suggest(self, request: SuggestRequest, person: str) -> SuggestionsSchema:
        """Up to three questions; to be cancelled where nobody wants them any more."""
        found = await self.look(request, person)
        return SuggestionsSchema(questions=[question async for question in found])

    async def look(
        self, request: SuggestRequest, person: str
    ) -> AsyncGenerator[SuggestedQuestion, None]:
        """The same questions, each once it was answered; to be closed by who wants no more."""
        check_model(request.model, self._models)
        corpus = await asyncio.to_thread(self._corpora.get, request.corpus, person)
        dialog = await asyncio.to_thread(
            dialog_about, self._answers, corpus.id, request.after, person, self._limits.turns
        )
        return self._found(corpus, dialog, request)

    async def _found(
        self, corpus: OpenCorpus, dialog: Sequence[CachedAnswer], request: SuggestRequest
    ) -> AsyncGenerator[SuggestedQuestion, None]:
        token = await asyncio.get_running_loop().run_in_executor(self._lookups, _token, corpus)
        key = (corpus.id, token, request.min_confidence, request.windows, request.model)
        if not dialog and key in self._remembered:
            for question in self._remembered[key]:
                yield question
            return
        found: list[SuggestedQuestion] = []
        given_up = threading.Event()
        try:
            async for question in self._answered(corpus, dialog, request, given_up):
                found.append(question)
                yield question
        except (TimeoutError, Refusal):  # the queue is full, or the server stops
            return  # as many as there are
        except Exception:
            corpus.check()  # that it was deleted meanwhile is the likeliest reason
            raise
        finally:
            given_up.set()
        if not dialog:
            self._remembered[key] = found
            while len(self._remembered) > REMEMBERED:
                self._remembered.popitem(last=False)

    async def _answered(
        self,
        corpus: OpenCorpus,
        dialog: Sequence[CachedAnswer],
        request: SuggestRequest,
        given_up: threading.Event,
    ) -> AsyncGenerator[SuggestedQuestion, None]:
        begun = asyncio.get_running_loop().time()
        end = begun + self._limits.answer_seconds
        history = tuple(answer.turn for answer in dialog[-self._limits.turns :])

        def look(_: Step) -> None:
            if given_up.is_set() or self._queue.is_wanted:
                raise SomeoneWaits

        def asked(candidate: CandidateQuestion) -> Result:
            # Without hops: what is sure at once is answered alike with them, and the rest is dear.
            query = Query(
                candidate.question,
                history=history,
                hops=0,
                windows=request.windows,
                model=request.model,
            )
            return corpus.answerer.ask(query, on_step=look)

        count = 0
        for candidate in await self._when_idle(lambda: _candidates(corpus, dialog), end):
            result = await self._when_idle(partial(asked, candidate), end)
            sure = as_sure(result, request.min_confidence)
            if is_answered(candidate, sure) and not sure.read_as:
                count += 1
                yield SuggestedQuestion(
                    question=candidate.question,
                    document=candidate.document,
                    confidence=sure.confidence,
                )
            late = asyncio.get_running_loop().time() > begun + SUGGESTING_TIMEOUT_SECONDS
            if count == MOST or (count and late):
                return

    async def _when_idle(self, work: Callable[[], T], end: float) -> T:
        while True:
            waiting = self._queue.join_unhurried(work)
            try:
                async with asyncio.timeout_at(end):
                    return await asyncio.wrap_future(waiting)
            except SomeoneWaits:
                continue
            finally:
                self._queue.leave(waiting)


def _token(corpus: OpenCorpus) -> str:
    return corpus.answerer.store.token


def _candidates(corpus: OpenCorpus, dialog: Sequence[CachedAnswer]) -> list[CandidateQuestion]:
    store = corpus.answerer.store
    if not dialog:
        return list(islice(candidates_of_corpus(store), TRIED))
    asked = [answer.result["question"] for answer in dialog]
    quoted = [
        Evidence(quote["document"], quote["start"], quote["end"])
        for answer in dialog[::-1]
        for quote in answer.result["quotes"]
    ]
    return list(islice(candidates_after(store, asked, quoted), TRIED))
