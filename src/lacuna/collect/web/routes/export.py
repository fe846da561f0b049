"""Routes: the dataset's files, in one archive."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from fastapi import APIRouter
from fastapi.responses import FileResponse

from lacuna.collect.refused import RefusedError
from lacuna.collect.web.dataset_archive import ArchiveState
from lacuna.collect.web.who import ARequester, CollectServicesHere

router = APIRouter(prefix="/collect/api/console/export")


@router.post("")
def begin(services: CollectServicesHere, _: ARequester) -> dict[str, Any]:
    """Make the archive of the work as it is now; it is made in the background."""
    services.archive.begin()
    return _shown(services.archive.state())


@router.get("")
def state(services: CollectServicesHere, _: ARequester) -> dict[str, Any]:
    """How far it is."""
    return _shown(services.archive.state())


@router.get("/file")
def file(services: CollectServicesHere, _: ARequester) -> FileResponse:
    """The archive that was made last."""
    path = services.archive.path
    if path is None:
        raise RefusedError("no-such-export", "Nothing was exported yet. Export it first.")
    return FileResponse(path, filename=f"{services.title}.zip")


def _shown(state: ArchiveState) -> dict[str, Any]:
    return {**asdict(state), "made_at": None if state.made_at is None else state.made_at * 1000}
