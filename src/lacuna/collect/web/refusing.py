"""What people are refused, as the interface says it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse

from lacuna.collect.database.failures import DatabaseFailedError
from lacuna.collect.refused import RefusedError
from lacuna.collect.tasks.task import FieldProblem
from lacuna.collect.web.ascii_json import AsciiJsonResponse
from lacuna.collect.work.results import StaleDraft
from lacuna.server.refusals import Refusal

STATUS = {
    "blocked": 403,
    "wrong-login": 403,
    "no-crowd": 403,
    "not-logged-in": 401,
    "too-many-attempts": 429,
    "busy": 503,
}


class DetailedRefusal(Refusal):
    """A refusal with more than words, which the page shows at its place."""

    def __init__(self, status: int, code: str, message: str, details: Mapping[str, Any]) -> None:
        super().__init__(status, code, message)
        self.details = dict(details)

    def response(self) -> JSONResponse:
        """The answer to the request."""
        body = {**self.problem.model_dump(), **self.details}
        return AsciiJsonResponse(body, self.status, self.headers)


def fields_refused(problems: Sequence[FieldProblem]) -> DetailedRefusal:
    """Work that cannot be taken as it is, with a message for each field."""
    named = [{"field": one.field, "message": one.message} for one in problems]
    return DetailedRefusal(
        422, "not-acceptable", "This cannot be handed in yet.", {"problems": named}
    )


def stale_refused(stale: StaleDraft) -> DetailedRefusal:
    """A save from a tab that is behind, with what the other one has saved."""
    return DetailedRefusal(
        409,
        "stale-draft",
        "This work is open in another tab or on another device, and was changed there.",
        {"draft": stale.draft, "version": stale.version},
    )


def not_logged_in() -> Refusal:
    """Somebody without a session, or with one that has ended."""
    return Refusal(401, "not-logged-in", "You are not logged in, or no longer. Log in again.")


def not_allowed() -> Refusal:
    """Somebody whose role is not enough."""
    return Refusal(403, "not-allowed", "This is for other roles than yours.")


def no_csrf() -> Refusal:
    """A change that no page of ours sent."""
    return Refusal(
        403, "no-csrf", "This page is from an earlier log-in. Load it again; nothing was changed."
    )


def shape_refusals(app: FastAPI) -> None:
    """Give what the domain refuses a status and the interface's shape."""

    @app.exception_handler(RefusedError)
    async def refused(_: Request, error: RefusedError) -> JSONResponse:
        status = STATUS.get(error.code, 404 if error.code.startswith("no-such") else 422)
        return Refusal(status, error.code, str(error)).response()

    @app.exception_handler(DatabaseFailedError)
    async def failed(_: Request, error: DatabaseFailedError) -> JSONResponse:
        # Nobody did anything wrong, and it may be over in a moment.
        return Refusal(503, "database", str(error), {"Retry-After": "5"}).response()
