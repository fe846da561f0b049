"""People whom Mechanical Turk and Prolific send."""

from __future__ import annotations

import pytest

from lacuna_collect.database.engine import CollectDatabase
from lacuna_collect.people.accounts import LoginSession
from lacuna_collect.people.crowd import Crowd, CrowdCode, CrowdFormPost, CrowdPreview, CrowdSettings
from lacuna_collect.refused import RefusedError

MTURK = {
    "key": "secret",
    "assignmentId": "A1",
    "hitId": "H1",
    "workerId": "W1",
    "turkSubmitTo": "https://workersandbox.mturk.com/",
}
PROLIFIC = {"key": "secret", "PROLIFIC_PID": "P1", "STUDY_ID": "S1", "SESSION_ID": "X1"}


@pytest.fixture
def crowd(database: CollectDatabase) -> Crowd:
    return Crowd(database, CrowdSettings("secret", "CODE1"))


def entered(crowd: Crowd, parameters: dict[str, str]) -> LoginSession:
    session = crowd.enter(parameters)
    assert isinstance(session, LoginSession)
    return session


def test_turk_worker_goes_back_by_a_form(crowd: Crowd) -> None:
    session = entered(crowd, MTURK)
    assert (session.person.platform, session.person.name) == ("mturk", "W1")
    assert crowd.way_back(session) is None
    assert crowd.handed_in(session, "S7") == CrowdFormPost(
        "https://workersandbox.mturk.com/mturk/externalSubmit",
        {"assignmentId": "A1", "receipt": "S7"},
    )
    again = entered(crowd, {**MTURK, "assignmentId": "A2"})
    assert again.person == session.person
    assert crowd.way_back(again) is None, "the second assignment is not done yet"
    assert crowd.framed_way_back({**MTURK, "assignmentId": "A2"}) is None
    assert crowd.framed_way_back(MTURK) == crowd.handed_in(session, "S7")


def test_preview_makes_no_account(crowd: Crowd) -> None:
    seen = crowd.enter({"key": "secret", "assignmentId": "ASSIGNMENT_ID_NOT_AVAILABLE"})
    assert isinstance(seen, CrowdPreview)


def test_prolific_participant_goes_back_with_a_code(crowd: Crowd) -> None:
    session = entered(crowd, PROLIFIC)
    assert session.person.platform == "prolific"
    address = "https://app.prolific.com/submissions/complete?cc=CODE1"
    assert crowd.handed_in(session, "S7") == CrowdCode("CODE1", address)
    assert crowd.way_back(entered(crowd, PROLIFIC)) == CrowdCode("CODE1", address), "came again"
    assert crowd.way_back(entered(crowd, {**PROLIFIC, "SESSION_ID": "X2"})) is None


def test_prolific_needs_a_completion_code(database: CollectDatabase) -> None:
    with pytest.raises(RefusedError, match="completion_code"):
        Crowd(database, CrowdSettings("secret")).enter(PROLIFIC)


@pytest.mark.parametrize(
    "parameters",
    [
        {**MTURK, "key": "wrong"},
        {**MTURK, "key": "\ud800"},
        {**MTURK, "turkSubmitTo": "https://www.mturk.com.evil.example"},
        {**MTURK, "workerId": ""},
        {**MTURK, "workerId": "x" * 1000},
        {"key": "secret"},
        {},
        {**PROLIFIC, "SESSION_ID": "\0"},
    ],
)
def test_addresses_that_are_not_a_platform_s(crowd: Crowd, parameters: dict[str, str]) -> None:
    with pytest.raises(RefusedError):
        crowd.enter(parameters)


def test_without_a_key_nobody_comes_this_way(database: CollectDatabase) -> None:
    with pytest.raises(RefusedError):
        Crowd(database, CrowdSettings("")).enter({**MTURK, "key": ""})
