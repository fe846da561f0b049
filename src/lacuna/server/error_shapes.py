"""Every error of an app in one shape, whatever raised it."""

from __future__ import annotations

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from lacuna.errors import LacunaError
from lacuna.server.refusals import BROKEN, Refusal, as_refusal
from lacuna.server.security import HEADERS

CODES = {404: "not-found", 408: "too-slow", 413: "too-large", 503: "stopping"}


def shape_errors(app: FastAPI) -> None:
    """Give every error of the app the shape of a Problem."""

    @app.exception_handler(LacunaError)
    async def refused(_: Request, error: LacunaError) -> JSONResponse:
        return as_refusal(error).response()

    @app.exception_handler(RequestValidationError)
    async def invalid(_: Request, error: RequestValidationError) -> JSONResponse:
        errors = "; ".join(f"{_place(item['loc'])}: {item['msg']}" for item in error.errors()[:5])
        return Refusal(422, "bad-request", f"The request is not as expected. {errors}.").response()

    @app.exception_handler(HTTPException)
    async def other(_: Request, error: HTTPException) -> JSONResponse:
        code = CODES.get(error.status_code, "bad-request")
        detail = "There is nothing at this address." if code == "not-found" else str(error.detail)
        return Refusal(error.status_code, code, detail).response()

    @app.exception_handler(Exception)
    async def bug(_: Request, error: Exception) -> JSONResponse:
        # Starlette answers this one itself, outside of the guard.
        return JSONResponse(BROKEN.problem.model_dump(), BROKEN.status, HEADERS)


def _place(location: tuple[int | str, ...]) -> str:
    return ".".join(str(part) for part in location if part != "body") or "body"
