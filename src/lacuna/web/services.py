"""What the routes work with."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Request

from lacuna.web.choice_desk import ChoiceDesk
from lacuna.web.desk import Desk
from lacuna.web.kept import KeptAnswers
from lacuna.web.librarian import Librarian
from lacuna.web.limits import Limits
from lacuna.web.shelf import Shelf


@dataclass(frozen=True, slots=True)
class Services:
    """One of each; made when the app is."""

    shelf: Shelf
    librarian: Librarian
    kept: KeptAnswers
    desk: Desk
    choices: ChoiceDesk
    limits: Limits
    opens_folders: bool
    lookups: ThreadPoolExecutor
    """For what takes a moment; few threads, since each opens a connection to every corpus."""


def _services(request: Request) -> Services:
    services: Services = request.app.state.services
    return services


Using = Annotated[Services, Depends(_services)]
