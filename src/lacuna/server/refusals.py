"""What the server refuses, with the status and the words that the person sees."""

from __future__ import annotations

from collections.abc import Mapping

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel
from starlette.exceptions import HTTPException

from lacuna.errors import LacunaError
from lacuna.server.headers import HEADERS


class Problem(BaseModel):
    """Why a request was refused: a name for programs, a paragraph for people."""

    code: str
    message: str


class Refusal(LacunaError):  # noqa: N818 - it is no mistake of anybody
    """A request that cannot be met; the message says why and what to do."""

    def __init__(
        self, status: int, code: str, message: str, headers: Mapping[str, str] | None = None
    ) -> None:
        message = message.encode("utf-8", "replace").decode()  # it may name half a surrogate pair
        super().__init__(message)
        self.status = status
        self.problem = Problem(code=code, message=message)
        self.headers = dict(headers or {})

    def response(self) -> JSONResponse:
        """The answer to the request."""
        return JSONResponse(self.problem.model_dump(), self.status, self.headers)


def as_refusal(error: LacunaError) -> Refusal:
    """Any error that a user can mend, as the server says it."""
    return error if isinstance(error, Refusal) else Refusal(422, "bad-input", str(error))


def answer_refusals(app: FastAPI) -> None:
    """Give every error of the app the shape of a Problem."""

    @app.exception_handler(LacunaError)
    async def refused(_: Request, error: LacunaError) -> JSONResponse:
        return as_refusal(error).response()

    @app.exception_handler(RequestValidationError)
    async def not_valid(_: Request, error: RequestValidationError) -> JSONResponse:
        said = "; ".join(f"{_place(one['loc'])}: {one['msg']}" for one in error.errors()[:5])
        return Refusal(422, "bad-request", f"The request is not as expected. {said}.").response()

    @app.exception_handler(HTTPException)
    async def other(_: Request, error: HTTPException) -> JSONResponse:
        code = CODES.get(error.status_code, "bad-request")
        detail = "There is nothing at this address." if code == "not-found" else str(error.detail)
        return Refusal(error.status_code, code, detail).response()

    @app.exception_handler(Exception)
    async def bug(_: Request, error: Exception) -> JSONResponse:
        # Starlette answers this one itself, outside of the guard.
        return JSONResponse(BROKEN.problem.model_dump(), BROKEN.status, HEADERS)


CODES = {404: "not-found", 413: "too-large"}


def no_document(corpus: str, title: str) -> Refusal:
    """A title that leads to nothing."""
    return Refusal(
        404, "no-document", f"“{corpus}” has no document “{title}”. Search for its title."
    )


BROKEN = Refusal(
    500,
    "broken",
    "Something went wrong here that is not your fault. The server's own output says more.",
)


def _place(location: tuple[int | str, ...]) -> str:
    return ".".join(str(part) for part in location if part != "body") or "body"
