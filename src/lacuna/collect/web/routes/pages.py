"""Routes: the pages. One shell for all; its script shows what is at the address.

The instructions of a task are put into the shell here, because the page itself may make no HTML.
"""

from __future__ import annotations

from contextlib import suppress
from functools import cache
from pathlib import Path

from fastapi import APIRouter, FastAPI, Request
from fastapi.responses import HTMLResponse, RedirectResponse
from fastapi.staticfiles import StaticFiles

from lacuna.collect.refused import RefusedError
from lacuna.collect.web.services import services_of
from lacuna.collect.web.who import session_of
from lacuna.server.routes.pages import STATIC as SHARED

STATIC = Path(__file__).parent.parent / "static"
PLACE = "<!-- instructions -->"
router = APIRouter(include_in_schema=False)


@router.get("/")
def start() -> RedirectResponse:
    """This server has nothing else."""
    return RedirectResponse("/collect/", 303)


@router.get("/collect/live/{task}")
@router.get("/collect/tasks/{task}")
def task_page(request: Request, task: str) -> HTMLResponse:
    """A task's instructions."""
    return HTMLResponse(shell(_instructions(request, task)))


@router.get("/collect/work/{assignment}")
def work_page(request: Request, assignment: int) -> HTMLResponse:
    """The work page, with the instructions of its task."""
    session = session_of(request)
    task = None
    if session is not None:
        with suppress(RefusedError):  # the script says it in words
            task = services_of(request).work.open(session.person.id, assignment).task
    return HTMLResponse(shell(_instructions(request, task)))


@router.get("/collect/")
@router.get("/collect/login")
@router.get("/collect/messages")
@router.get("/collect/earnings")
@router.get("/collect/join/{code}")
@router.get("/collect/console")
@router.get("/collect/console/{page:path}")
def page() -> HTMLResponse:
    """Any other page."""
    return HTMLResponse(shell(""))


@cache
def shell(instructions: str) -> str:
    """The page around what its script shows."""
    return (STATIC / "shell.html").read_text(encoding="utf-8").replace(PLACE, instructions)


def _instructions(request: Request, task: str | None) -> str:
    found = services_of(request).work.tasks.get(task or "")
    return "" if found is None else instructions_of(found.task.instructions)


@cache
def instructions_of(name: str) -> str:
    """A task's instructions, as they stand in the package."""
    return (STATIC / "instructions" / f"{name.removesuffix('.html')}.html").read_text(
        encoding="utf-8"
    )


def add_collect_pages(app: FastAPI) -> None:
    """The pages and what they are made of, all from the package."""
    app.include_router(router)
    app.mount("/collect/static", StaticFiles(directory=STATIC), name="collect-static")
    app.mount("/static", StaticFiles(directory=SHARED), name="static")
