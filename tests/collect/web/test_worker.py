"""A worker's path over the real interface: test, drafts, two tabs, twice, blocked."""

from __future__ import annotations

from typing import Any

import pytest
from collect_site import API, PASSWORD, TASK, CollectSite
from stand_in_family import HIDDEN


def test_from_the_list_to_the_receipt(site: CollectSite, worker: Any) -> None:
    (task,) = worker.get("tasks")
    assert task["needs_test"]
    assert (task["pay_cents"], task["open"], task["done"]) == (400, 4, 0)
    assignment = worker.next()
    shown = worker.get(f"work/{assignment}")
    assert shown["is_test"]
    assert shown["shown"] == {"shade": "test shade"}
    assert "passed" in worker.submit(assignment)["message"]
    assignment = worker.next()
    assert worker.get(f"work/{assignment}")["shown"] == {"shade": "shade 0"}
    got = worker.submit(assignment)
    assert got["receipt"]
    assert got["completion"] is None
    assert worker.get("earnings")["waiting_cents"] == 400
    told = worker.post(f"tasks/{TASK}/next")
    assert told["assignment"] is None
    assert told["reason"] == "inspection"


def test_what_is_hidden_never_leaves_the_server(qualified: Any, requester: Any) -> None:
    assignment = qualified.next()
    qualified.get(f"work/{assignment}")
    qualified.save(assignment, {"colour": "r"}, 0)
    qualified.call("POST", f"work/{assignment}/submit", {"work": {}, "key": "k", "seconds": 1})
    qualified.post(f"work/{assignment}/report", {"text": "odd"})
    qualified.post(f"work/{assignment}/loop", {"work": {}, "part": "colour"})
    qualified.submit(assignment)
    for path in ("session", "tasks", "messages", "earnings", f"work/{assignment}"):
        qualified.get(path)
    qualified.seen.append(qualified.client.get(f"/collect/work/{assignment}").text)
    assert len(qualified.seen) > 10
    assert not [text for text in qualified.seen if HIDDEN in text]


def test_a_draft_comes_back_on_another_device(site: CollectSite, qualified: Any) -> None:
    assignment = qualified.next()
    saved = qualified.save(assignment, {"colour": "gre"}, 0).json()
    assert saved["version"] == 1
    other = site.client()
    got = other.post(
        "/collect/api/login", json={"name": "wanda", "password": "a long enough password"}
    )
    assert got.status_code == 200
    again = other.get(f"/collect/api/work/{assignment}").json()
    assert again["draft"] == {"colour": "gre"}
    assert again["version"] == 1
    assert 0 < again["seconds_left"] <= 120 * 60


def test_two_tabs(qualified: Any) -> None:
    assignment = qualified.next()
    assert qualified.next() == assignment
    assert qualified.save(assignment, {"colour": "one"}, 0).status_code == 200
    stale = qualified.save(assignment, {"colour": "two"}, 0)
    assert stale.status_code == 409
    told = stale.json()
    assert told["code"] == "stale-draft"
    assert told["draft"] == {"colour": "one"}
    assert qualified.save(assignment, {"colour": "two"}, told["version"]).status_code == 200


def test_sent_twice_is_stored_once(site: CollectSite, qualified: Any) -> None:
    assignment = qualified.next()
    assert qualified.submit(assignment) == qualified.submit(assignment)
    assert len(site.project.work.reviews.queue()) == 1
    status, told = qualified.refused(
        "POST",
        f"work/{assignment}/submit",
        {"work": {"colour": "x"}, "key": "other", "seconds": 1},
    )
    assert told["code"] == "already-submitted"
    assert status == 422


@pytest.mark.parametrize("work", [{}, {"colour": ""}, {"colour": []}, {"colour": {"a": None}}])
def test_a_message_at_the_field(qualified: Any, work: Any) -> None:
    body = {"work": work, "key": "k", "seconds": 1}
    status, told = qualified.refused("POST", f"work/{qualified.next()}/submit", body)
    assert status == 422
    assert told["problems"] == [{"field": "colour", "message": "Name the colour."}]


def test_anothers_item_does_not_exist(site: CollectSite, qualified: Any) -> None:
    assignment = qualified.next()
    other = site.person("worker", "Otto")
    work = {"work": {"colour": "red"}, "key": "k", "seconds": 1}
    draft = {"draft": {}, "version": 0, "seconds": 1}
    for method, path, body in (
        ("GET", f"work/{assignment}", None),
        ("PUT", f"work/{assignment}/draft", draft),
        ("POST", f"work/{assignment}/submit", work),
        ("POST", f"work/{assignment}/skip", {"reason": ""}),
        ("POST", f"work/{assignment}/report", {"text": "x"}),
        ("POST", f"work/{assignment}/loop", {"work": {}, "part": "x"}),
    ):
        status, told = other.refused(method, path, body)
        assert (status, told["code"]) == (404, "no-such-assignment")
        assert told == other.refused("GET", "work/999999")[1]


def test_handed_in_late(site: CollectSite, qualified: Any, requester: Any) -> None:
    assignment = qualified.next()
    qualified.save(assignment, {"colour": "gre"}, 0)
    site.time.pass_minutes(121)
    for name in ("Otto", "Ada"):  # the two places of the item go to others
        other = site.person("worker", name)
        other.pass_test()
        taken = other.get(f"work/{other.next()}")
        assert taken["shown"] == {"shade": "shade 0"}
        assert taken["draft"] is None
    assert qualified.get(f"work/{assignment}")["state"] == "expired"
    got = qualified.submit(assignment, "green")
    assert got["late"]
    assert "requester decides" in got["message"]
    (item,) = requester.get("console/queue")
    assert (item["late"], item["has_place"]) == (True, False)


def test_blocked_people_read_why(site: CollectSite, qualified: Any, requester: Any) -> None:
    assignment = qualified.next()
    requester.post(f"console/people/{qualified.id}/block", {"reason": "Copied <b>texts</b>."})
    status, told = qualified.refused("GET", f"work/{assignment}")
    assert status == 403
    assert "Copied <b>texts</b>." in told["message"]
    assert qualified.get("messages") == []
    requester.post(f"console/people/{qualified.id}/unblock")
    assert qualified.next() == assignment


def test_skipping_and_reporting(qualified: Any, requester: Any) -> None:
    assignment = qualified.next()
    qualified.post(f"work/{assignment}/report", {"text": "The shade is missing."})
    (report,) = requester.get("console/reports")
    assert report["text"] == "The shade is missing."
    requester.post(f"console/reports/{report['id']}/settle")
    assert requester.get("console/reports") == []
    qualified.post(f"work/{assignment}/skip", {"reason": "too hard"})
    assert qualified.next() != assignment


def test_the_model_in_the_loop(site: CollectSite, qualified: Any) -> None:
    assignment = qualified.next()
    told = qualified.post(f"work/{assignment}/loop", {"work": {}, "part": "colour"})
    assert told == {"said": "about colour"}
    qualified.submit(assignment)
    (item,) = site.project.work.reviews.queue()
    assert item.loop == {"colour": {"said": "about colour"}}


def test_ones_own_password_is_changed_and_others_log_ins_end(
    site: CollectSite, worker: Any
) -> None:
    client, name = site.client(), {"name": "Wanda"}
    assert client.post(f"{API}/login", json={**name, "password": PASSWORD}).status_code == 200
    change = {"old": "not the password", "new": "another long one"}
    assert worker.refused("POST", "password", change)[1]["code"] == "wrong-login"
    told = worker.post("password", {**change, "old": PASSWORD})
    assert client.get(f"{API}/tasks").status_code == 401
    worker.headers = {"X-Lacuna-CSRF": told["csrf"]}
    worker.get("tasks")
    assert client.post(f"{API}/login", json={**name, "password": PASSWORD}).status_code == 403
    again = client.post(f"{API}/login", json={**name, "password": "another long one"})
    assert again.status_code == 200


def test_nobody_changes_a_password_from_another_site(worker: Any) -> None:
    change = {"old": PASSWORD, "new": "another long one"}
    got = worker.call("POST", "password", change, headers={})
    assert (got.status_code, got.json()["code"]) == (403, "no-csrf")
