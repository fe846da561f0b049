"""What the routes work with: the services of the app, and waiting for their answers."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Annotated, TypeVar

from fastapi import Depends, Path, Request, Response

from lacuna.server.access.entrance import PERSON
from lacuna.server.access.folders import AllowedFolders
from lacuna.server.choice_service import ChoiceService
from lacuna.server.corpus_opener import CorpusOpener
from lacuna.server.feedback.feedback_service import FeedbackService
from lacuna.server.keeping.protocol import AnswerKeeper
from lacuna.server.limits import Limits
from lacuna.server.open_corpora import OpenCorpora
from lacuna.server.operations.metrics import Metrics
from lacuna.server.question_service import QuestionService
from lacuna.server.stopping import Stopping
from lacuna.server.suggestion_service import SuggestionService
from lacuna.server.work_queue import WorkQueue

T = TypeVar("T")
CLIENT_GONE = 499


@dataclass(frozen=True, slots=True)
class Services:
    """One of each; made when the app is."""

    corpora: OpenCorpora
    opener: CorpusOpener
    answers: AnswerKeeper
    questions: QuestionService
    suggestions: SuggestionService
    choices: ChoiceService
    feedback: FeedbackService
    limits: Limits
    models: Sequence[str]
    """What a question may choose, the usual one first."""
    folders: AllowedFolders
    local: bool
    """Whether whoever asks sits at this machine, and may be told where files lie."""
    several_people: bool
    """Whether people are told apart; one alone may get another token with every start."""
    watches: bool
    lookups: ThreadPoolExecutor
    """For short lookups; few threads, since each opens a connection to every corpus."""
    indexing: WorkQueue
    """For corpora that are opened: one at a time, because that takes the cores of answers."""
    stopping: Stopping
    metrics: Metrics


def _services(request: Request) -> Services:
    services: Services = request.app.state.services
    return services


def _person(request: Request) -> str:
    return str(request.scope.get(PERSON, ""))


AppServices = Annotated[Services, Depends(_services)]
CorpusId = Annotated[str, Path(description="The id of a corpus.")]
AnswerId = Annotated[str, Path(description="The id of an answer.")]
Person = Annotated[str, Depends(_person)]
"""Who a request is from: a name for its token, the same for all where there is none."""


async def lookup(services: Services, look_up: Callable[[], T]) -> T:
    """What a short lookup gives, done beside the loop."""
    return await asyncio.get_running_loop().run_in_executor(services.lookups, look_up)


async def unless_gone(request: Request, answer: Awaitable[T]) -> T | Response:
    """The answer; an empty response where the client has closed the connection before."""
    answered = asyncio.ensure_future(answer)
    gone = asyncio.ensure_future(_disconnected(request))
    done, _ = await asyncio.wait({answered, gone}, return_when=asyncio.FIRST_COMPLETED)
    gone.cancel()
    return answered.result() if answered in done else Response(status_code=CLIENT_GONE)


async def _disconnected(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
