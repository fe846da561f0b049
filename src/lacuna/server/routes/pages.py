"""Routes: the page itself, and the pages about the interface and the server."""

from __future__ import annotations

from pathlib import Path

from fastapi import APIRouter, FastAPI, Response
from fastapi.responses import FileResponse
from fastapi.staticfiles import StaticFiles

from lacuna.server.operations.probes import METRICS, metrics_response
from lacuna.server.services import AppServices

STATIC = Path(__file__).parent.parent / "static"
router = APIRouter(include_in_schema=False)


@router.get("/")
async def page() -> FileResponse:
    """The page."""
    return FileResponse(STATIC / "index.html")


@router.get("/docs")
async def docs() -> FileResponse:
    """The JSON interface described; FastAPI's own page would load scripts from other sites."""
    return FileResponse(STATIC / "docs.html")


@router.get("/status")
async def status() -> FileResponse:
    """The server and its limits, for people."""
    return FileResponse(STATIC / "status.html")


@router.get(METRICS)
async def metrics(services: AppServices) -> Response:
    """What the server has counted, for Prometheus; with the token, as all else."""
    return metrics_response(services.metrics)


def add_pages(app: FastAPI) -> None:
    """The pages and what they are made of, all from the package."""
    app.include_router(router)
    app.mount("/static", StaticFiles(directory=STATIC), name="static")
