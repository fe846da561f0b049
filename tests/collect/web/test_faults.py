"""Hostile text in every field, a clock that is set back and a database that fails, over HTTP."""

from __future__ import annotations

import json
import sqlite3
from typing import Any

import pytest
from collect_site import API, PASSWORD, TASK, CollectSite

HOSTILE = [
    "<script>alert(1)</script><img src=x onerror=alert(1)>",
    "'; DROP TABLE person; --",
    "{{7*7}} ${7*7} %s %(x)s \\u0000",
    "\u202eabc\u202c 𝒳 é \u200b end",
    "=cmd|' /C calc'!A0",
]
NO_TEXT = ["a\x00b", "a\ud800b"]
DAY = 86_400


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_comes_back_as_it_was(
    site: CollectSite, qualified: Any, requester: Any, text: str
) -> None:
    given = {"invitation": site.invite(), "name": text, "password": PASSWORD}
    made = site.client().post(f"{API}/register", json=given)
    assert made.status_code == 200, made.text
    assert made.json()["person"]["name"] == text
    assignment = qualified.next()
    assert qualified.save(assignment, {text: text}, 0).status_code == 200
    assert qualified.get(f"work/{assignment}")["draft"] == {text: text}
    qualified.post(f"work/{assignment}/report", {"text": text})
    assert requester.get("console/reports")[0]["text"] == text
    qualified.post("messages", {"body": text})
    conversation = requester.get(f"console/people/{qualified.id}")["messages"]
    assert [one["body"] for one in conversation] == [text]
    qualified.submit(assignment, text, text[:100])
    (waiting,) = requester.get("console/queue")
    at = f"console/submissions/{waiting['submission']}"
    assert requester.get(at)["work"] == {"colour": text}
    requester.post(f"{at}/send-back", {"reason": text})
    assert qualified.get(f"work/{assignment}")["returned_reason"] == text
    qualified.post(f"work/{assignment}/skip", {"reason": text})
    bonus = {"task": TASK, "cents": 5, "note": text, "reference": text}
    requester.post(f"console/people/{qualified.id}/bonus", bonus)
    requester.post("console/invitations", {"role": "worker", "uses": 1, "note": text})
    requester.post(f"console/people/{qualified.id}/block", {"reason": text})
    assert text in qualified.refused("GET", "tasks")[1]["message"]
    told = requester.get(f"console/people/{qualified.id}")["person"]
    assert told["blocked_reason"] == text


@pytest.mark.parametrize("text", NO_TEXT)
def test_what_is_no_text_is_refused_in_words(
    qualified: Any, requester: Any, text: str, site: CollectSite
) -> None:
    assignment = qualified.next()
    person = f"console/people/{qualified.id}"
    for sender, path, body in (
        (qualified, "register", {"invitation": site.invite(), "name": text, "password": PASSWORD}),
        (qualified, "login", {"name": text, "password": text}),
        (qualified, f"work/{assignment}/report", {"text": text}),
        (qualified, f"work/{assignment}/skip", {"reason": text}),
        (qualified, "messages", {"body": text}),
        (requester, f"{person}/block", {"reason": text}),
        (requester, f"{person}/bonus", {"task": TASK, "cents": 5, "note": text, "reference": "r"}),
        (requester, "console/invitations", {"role": "worker", "uses": 1, "note": text}),
    ):
        headers = {**sender.headers, "Content-Type": "application/json"}
        got = sender.client.post(f"{API}/{path}", content=json.dumps(body), headers=headers)
        assert 400 <= got.status_code < 500, (path, got.status_code, got.text)
        assert got.json()["message"], path
    headers = {**qualified.headers, "Content-Type": "application/json"}
    draft = json.dumps({"draft": {"colour": text}, "version": 0, "seconds": 1})
    at = f"{API}/work/{assignment}"
    saved = qualified.client.put(f"{at}/draft", content=draft, headers=headers)
    assert saved.status_code < 500, saved.text
    assert qualified.get(f"work/{assignment}")["draft"] == {"colour": text}
    stale = qualified.client.put(
        f"{at}/draft", content=draft.replace(": 0", ": 7"), headers=headers
    )
    assert stale.json()["draft"] == {"colour": text}


def test_half_a_character_is_not_handed_in(qualified: Any, requester: Any) -> None:
    """No file can hold it, and one of them would be enough to break the export."""
    assignment = qualified.next()
    work = json.dumps({"work": {"colour": "a\ud800b"}, "key": "k", "seconds": 1})
    headers = {**qualified.headers, "Content-Type": "application/json"}
    at = f"{API}/work/{assignment}/submit"
    got = qualified.client.post(at, content=work, headers=headers)
    assert (got.status_code, got.json()["code"]) == (422, "no-text")
    assert requester.get("console/queue") == []


def test_a_clock_set_back(site: CollectSite, qualified: Any) -> None:
    assignment = qualified.next()
    before = qualified.get(f"work/{assignment}")["seconds_left"]
    site.time.wall -= DAY
    other = site.person("worker", "Otto")
    assert qualified.save(assignment, {"colour": "gre"}, 0).status_code == 200
    shown = qualified.get(f"work/{assignment}")
    assert (shown["state"], shown["draft"]) == ("open", {"colour": "gre"})
    assert before <= shown["seconds_left"] <= 120 * 60
    assert other.get("session")["person"]["name"] == "Otto"
    # Time goes on from there, by the clock that cannot be set, so that nothing lasts for ever.
    site.time.steady += 121 * 60
    assert qualified.get(f"work/{assignment}")["seconds_left"] < 0
    assert qualified.save(assignment, {"colour": "green"}, 1).json()["version"] == 2
    assert not qualified.submit(assignment, "green")["late"]


def test_a_database_that_fails_is_no_fault_of_the_person(site: CollectSite, qualified: Any) -> None:
    assignment = qualified.next()
    file = site.project.folder / "collect.db"
    with sqlite3.connect(file) as database:
        database.execute("ALTER TABLE assignment RENAME TO away")
    refused = qualified.save(assignment, {"colour": "gre"}, 0)
    assert (refused.status_code, refused.json()["code"]) == (503, "database"), refused.text
    assert refused.headers["Retry-After"]
    assert "Nothing was saved" in refused.json()["message"]
    with sqlite3.connect(file) as database:
        database.execute("ALTER TABLE away RENAME TO assignment")
    assert qualified.save(assignment, {"colour": "gre"}, 0).status_code == 200
