"""Reviewers and requesters over the real interface."""

from __future__ import annotations

import io
import time
import zipfile
from typing import Any
from unittest.mock import ANY

import pytest
from collect_site import API, TASK, CollectSite

WRITES = (
    ("POST", "console/submissions/1/accept"),
    ("POST", "console/submissions/1/send-back"),
    ("POST", "console/submissions/1/reject"),
    ("POST", "console/submissions/1/repair"),
    ("POST", "console/people/1/block"),
    ("POST", "console/people/1/bonus"),
    ("POST", "console/people/1/message"),
    ("POST", "console/people/1/role"),
    ("POST", "console/people/1/password"),
    ("POST", "console/invitations"),
    ("POST", "console/export"),
    ("POST", f"console/tasks/{TASK}/pause"),
)
READS = (
    *("overview", "queue", "sample", "people", "people/1", "reports", "invitations"),
    *("export", "export/file"),
)
BODY = {
    "reason": "x",
    "work": {},
    "body": "x",
    "paused": True,
    "passed": True,
    "task": TASK,
    "role": "worker",
}
BODY |= {"cents": 5, "note": "x", "reference": "x"}


def waiting(person: Any) -> int:
    person.submit(person.next(), "blue")
    return 0


def test_workers_get_nothing_of_the_console(worker: Any) -> None:
    for path in READS:
        assert worker.refused("GET", f"console/{path}")[0] == 403
    for method, path in WRITES:
        assert worker.refused(method, path, BODY)[1]["code"] == "not-allowed"


def test_reviewers_do_not_pay_or_block(site: CollectSite, worker: Any) -> None:
    reviewer = site.person("reviewer", "Rex")
    for path in ("overview", "queue", "people", "reports"):
        reviewer.get(f"console/{path}")
    of_person = [f"people/{worker.id}/{what}" for what in ("block", "bonus", "role", "password")]
    for path in (*of_person, "invitations"):
        assert reviewer.refused("POST", f"console/{path}", BODY)[0] == 403


def test_sent_back_mended_and_accepted(qualified: Any, requester: Any) -> None:
    qualified.submit(qualified.next(), "blue")
    (item,) = requester.get("console/queue")
    at = f"console/submissions/{item['submission']}"
    assert requester.get(at)["work"] == {"colour": "blue"}
    requester.post(f"{at}/send-back", {"reason": "Look again."})
    assignment = qualified.next()
    again = qualified.get(f"work/{assignment}")
    assert again["returned_reason"] == "Look again."
    assert again["draft"] == {"colour": "blue"}
    qualified.submit(assignment, "green", "k2")
    (item,) = requester.get("console/queue")
    requester.post(f"console/submissions/{item['submission']}/accept")
    assert qualified.get("earnings")["total_cents"] == 400
    status, told = requester.refused("POST", f"{at}/accept")
    assert (status, told["code"]) == (422, "already-reviewed")


def test_repair(qualified: Any, requester: Any) -> None:
    qualified.submit(qualified.next(), "blu")
    (item,) = requester.get("console/queue")
    at = f"console/submissions/{item['submission']}"
    status, told = requester.refused("POST", f"{at}/repair", {"work": {"colour": ""}})
    assert status == 422
    assert told["problems"][0]["field"] == "colour"
    requester.post(f"{at}/repair", {"work": {"colour": "blue"}})
    requester.post("console/export")
    while requester.get("console/export")["is_being_made"]:
        time.sleep(0.01)
    got = requester.call("GET", "console/export/file")
    with zipfile.ZipFile(io.BytesIO(got.content)) as archive:
        assert archive.read("colours.txt") == b"blue"


def test_a_reviewer_does_not_accept_their_own(site: CollectSite, requester: Any) -> None:
    reviewer = site.person("reviewer", "Rex")
    reviewer.pass_test()
    reviewer.submit(reviewer.next())
    (item,) = requester.get("console/queue")
    at = f"console/submissions/{item['submission']}"
    assert reviewer.refused("POST", f"{at}/accept")[1]["code"] == "own-work"
    requester.post(f"{at}/accept")


def test_the_overview_counts(qualified: Any, requester: Any) -> None:
    qualified.submit(qualified.next(), "blue")
    (item,) = requester.get("console/queue")
    requester.post(f"console/submissions/{item['submission']}/accept")
    found = requester.get("console/overview")
    (task,) = found["tasks"]
    assert (task["accepted"], task["wanted"], task["qualified"]) == (1, 8, 1)
    assert [count for _, count in task["accepted_by_hour"]] == [1]
    assert found["agreement"] == {"colours": {"exact": 0.75}}
    (quality,) = requester.get("console/people")["quality"]
    assert (quality["name"], quality["gold"], quality["accepted"]) == ("Wanda", 1.0, 1)


def test_bonus_once_message_and_pause(qualified: Any, requester: Any) -> None:
    at = f"console/people/{qualified.id}"
    bonus = {"task": TASK, "cents": 50, "note": "Best of 200", "reference": "r1"}
    assert requester.post(f"{at}/bonus", bonus) == {"new": True}
    assert requester.post(f"{at}/bonus", bonus) == {"new": False}
    assert qualified.get("earnings")["bonus_cents"] == 50
    requester.post(f"{at}/message", {"body": "Well done."})
    assert qualified.get("session")["unread"] == 1
    (message,) = qualified.get("messages")
    assert (message["body"], message["is_mine"]) == ("Well done.", False)
    assert qualified.get("session")["unread"] == 0
    qualified.post("messages", {"body": "Thanks."})
    assert requester.get("console/overview")["unread"] == 1
    assert len(requester.get(at)["messages"]) == 2
    requester.post(f"console/tasks/{TASK}/pause", {"paused": True})
    assert qualified.post(f"tasks/{TASK}/next")["reason"] == "paused"


def test_an_invitation_makes_one_account(site: CollectSite, requester: Any) -> None:
    path = requester.post("console/invitations", {"role": "worker", "uses": 1})["path"]
    code = path.rpartition("/")[2]
    client = site.client()
    assert client.get(path).status_code == 200
    given = {"invitation": code, "name": "Nina", "password": "a long enough password"}
    assert client.post(f"{API}/register", json=given).status_code == 200
    got = site.client().post(f"{API}/register", json={**given, "name": "Nils"})
    assert got.json()["code"] == "no-invitation"


@pytest.mark.parametrize("text", ["<script>alert(1)</script>", "\x00", "\ud800", "x" * 5_000, ""])
def test_hostile_text(qualified: Any, text: str) -> None:
    body = {"body": text}
    import json

    got = qualified.client.post(
        f"{API}/messages",
        content=json.dumps(body),
        headers={**qualified.headers, "Content-Type": "application/json"},
    )
    assert got.status_code in (200, 422)
    assert got.headers["content-type"] == "application/json"


def test_a_requester_gives_a_role_and_a_new_password(
    site: CollectSite, worker: Any, requester: Any
) -> None:
    at = f"console/people/{worker.id}"
    requester.post(f"{at}/role", {"role": "reviewer"})
    assert worker.refused("GET", "tasks") == (401, ANY)
    told = requester.post(f"{at}/password")
    given = {"name": "Wanda", "password": told["password"]}
    got = site.client().post(f"{API}/login", json=given)
    assert got.json()["person"]["role"] == "reviewer"
    assert requester.refused("POST", f"{at}/role", {"role": "queen"})[0] == 422
    own = f"console/people/{requester.id}/role"
    assert requester.refused("POST", own, {"role": "worker"})[1]["code"] == "last-requester"
