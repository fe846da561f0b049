"""Every error of an app in one shape, whatever raised it."""

from __future__ import annotations

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response
from starlette.exceptions import HTTPException

from lacuna.errors import LacunaError
from lacuna.server.operations.request_ids import HEADER as REQUEST_ID
from lacuna.server.operations.request_ids import current_request
from lacuna.server.problem_pages import response_to
from lacuna.server.refusals import BROKEN, Refusal, as_refusal, log_cause
from lacuna.server.security import API, HEADERS

CODES = {
    404: "not-found",
    405: "wrong-method",
    408: "too-slow",
    413: "too-large",
    503: "stopping",
}
MESSAGES = {
    404: "There is nothing at this address.",
    405: "What is at this address cannot be asked for, or changed, in this way.",
}
MOVED = f"The interface lies under {API}; /openapi.json describes it."


def shape_errors(app: FastAPI) -> None:
    """Give every error of the app the shape of a Problem."""

    @app.exception_handler(LacunaError)
    async def refused(request: Request, error: LacunaError) -> Response:
        log_cause(error)
        return response_to(request.scope, as_refusal(error))

    @app.exception_handler(RequestValidationError)
    async def invalid(request: Request, error: RequestValidationError) -> Response:
        errors = "; ".join(f"{_place(item['loc'])}: {item['msg']}" for item in error.errors()[:5])
        refusal = Refusal(422, "bad-request", f"The request is not as expected. {errors}.")
        return response_to(request.scope, refusal)

    @app.exception_handler(HTTPException)
    async def other(request: Request, error: HTTPException) -> Response:
        code = CODES.get(error.status_code, "bad-request")
        message = MESSAGES.get(error.status_code, str(error.detail))
        path = request.scope["path"]
        if error.status_code == 404 and path.startswith("/api/") and not path.startswith(f"{API}/"):
            message = f"{message} {MOVED}"
        refusal = Refusal(error.status_code, code, message, error.headers)
        return response_to(request.scope, refusal)

    @app.exception_handler(Exception)
    async def bug(request: Request, error: Exception) -> Response:
        # Starlette answers this one itself, outside of the guard.
        response = response_to(request.scope, BROKEN)
        response.headers.update({**HEADERS, REQUEST_ID: current_request()})
        return response


def _place(location: tuple[int | str, ...]) -> str:
    return ".".join(str(part) for part in location if part != "body") or "body"
