"""Routes: the same for programs, as JSON."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request

from lacuna.board.keeping.log_chain import shown_time
from lacuna.board.keeping.submission_limits import SentEnoughError
from lacuna.board.keeping.submissions import Submission
from lacuna.board.standings import standings
from lacuna.board.web.receiving import read_form, take_in
from lacuna.board.web.routes.tables import check_table, visible_entry
from lacuna.board.web.services import AnyTeam, BoardServicesHere
from lacuna.server.refusals import Refusal
from lacuna.server.security import API

SUBMISSIONS = f"{API}/submissions"
router = APIRouter()


@router.get(f"{API}/tables")
def tables(services: BoardServicesHere) -> list[dict[str, Any]]:
    """All tables with their public entries."""
    return [standings(services.board, one.key).as_json() for one in services.board.tables.all()]


@router.get(f"{API}/tables/{{key}}")
def one_table(services: BoardServicesHere, key: str) -> dict[str, Any]:
    """One table with its public entries."""
    check_table(services.board, key)
    return standings(services.board, key).as_json()


@router.post(SUBMISSIONS, status_code=202)
async def submit(request: Request, services: BoardServicesHere, team: AnyTeam) -> dict[str, Any]:
    """Predictions as a form with a file; who has no key has none of it read."""
    if team is None:
        raise Refusal(
            401,
            "no-key",
            "Sending predictions takes a team's key. Send it as `Authorization: Bearer KEY`.",
            {"WWW-Authenticate": "Bearer"},
        )
    sent = await read_form(request, services)
    try:
        return as_json(await take_in(services, team, sent))
    except SentEnoughError as error:
        raise Refusal(429, "sent-enough", str(error)) from error
    finally:
        await sent.close()


@router.get(f"{SUBMISSIONS}/{{number}}")
def one_submission(services: BoardServicesHere, team: AnyTeam, number: int) -> dict[str, Any]:
    """What became of a submission."""
    return as_json(visible_entry(services.board, number, team))


def as_json(entry: Submission) -> dict[str, Any]:
    """A submission as its team sees it."""
    return {
        "submission": entry.id,
        "table": entry.about.table,
        "name": entry.about.name,
        "state": str(entry.state),
        "public": entry.about.is_public,
        "problem": entry.problem,
        "sent": shown_time(entry.sent_at),
        "scores": None if entry.scored is None else entry.scored.as_json(),
    }
