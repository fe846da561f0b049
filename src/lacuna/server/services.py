"""What the routes work with."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Request

from lacuna.server.answer_cache import AnswerCache
from lacuna.server.choice_service import ChoiceService
from lacuna.server.corpus_opener import CorpusOpener
from lacuna.server.limits import Limits
from lacuna.server.open_corpora import OpenCorpora
from lacuna.server.question_service import QuestionService


@dataclass(frozen=True, slots=True)
class Services:
    """One of each; made when the app is."""

    shelf: OpenCorpora
    librarian: CorpusOpener
    kept: AnswerCache
    desk: QuestionService
    choices: ChoiceService
    limits: Limits
    opens_folders: bool
    lookups: ThreadPoolExecutor
    """For what takes a moment; few threads, since each opens a connection to every corpus."""


def _services(request: Request) -> Services:
    services: Services = request.app.state.services
    return services


Using = Annotated[Services, Depends(_services)]
