"""A submission on its way in: from a request to a queued file."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import BinaryIO

from fastapi import Request
from fastapi.concurrency import run_in_threadpool
from starlette.datastructures import FormData, UploadFile

from lacuna.board.board import Board
from lacuna.board.keeping.arriving_predictions import keep_predictions
from lacuna.board.keeping.plain_words import plain_line, plain_text, web_address
from lacuna.board.keeping.submissions import Submission, SubmissionAbout
from lacuna.board.keeping.teams import Team
from lacuna.board.web.services import BoardServices
from lacuna.errors import LacunaError

FIELDS = ("table", "name", "description", "code", "parameters", "shown")
LONGEST_NAME, LONGEST_TEXT = 80, 4_000
LARGEST_FIELD = 64 << 10
"""Bytes of a field that is no file."""


async def read_form(request: Request, services: BoardServices) -> FormData:
    """What was sent; its file is streamed to the disk as it comes."""
    async with services.arriving:
        return await request.form(max_files=1, max_fields=len(FIELDS), max_part_size=LARGEST_FIELD)


def given_fields(form: FormData) -> dict[str, str]:
    """The fields that are texts."""
    fields = ((name, form.get(name)) for name in FIELDS)
    return {name: value for name, value in fields if isinstance(value, str)}


async def take_in(services: BoardServices, team: Team, form: FormData) -> Submission:
    """Queue what was sent, or refuse it."""
    sent = form.get("predictions")
    if not isinstance(sent, UploadFile):
        raise LacunaError("There is no file of predictions. Choose one.")
    board = services.board
    queued = await run_in_threadpool(_queued, board, team, given_fields(form), sent.file)
    services.queue.wake()
    return queued


def described(board: Board, given: Mapping[str, str]) -> SubmissionAbout:
    """What a team says of a submission, checked."""
    shown = given.get("shown", "public")
    if shown not in ("public", "private"):
        raise LacunaError("Who sees it is public or private. Choose one.")
    return SubmissionAbout(
        table=board.tables.get(given.get("table", "")).key,
        name=plain_line(given.get("name", ""), "The name of the system", LONGEST_NAME),
        description=plain_text(given.get("description", ""), "The description", LONGEST_TEXT),
        code=web_address(given.get("code", ""), "The code"),
        parameters=plain_text(given.get("parameters", ""), "The parameters", LONGEST_TEXT),
        is_public=shown == "public",
    )


def _queued(board: Board, team: Team, given: Mapping[str, str], file: BinaryIO) -> Submission:
    about = described(board, given)
    with tempfile.NamedTemporaryFile(dir=board.folder / "arriving", delete=False) as made:
        place = Path(made.name)
    try:
        file_sum = keep_predictions(file, place, board.settings.unpacked_mb)
        return board.submissions.take_in(team, about, place, file_sum)
    finally:
        place.unlink(missing_ok=True)  # it was moved where all went well
