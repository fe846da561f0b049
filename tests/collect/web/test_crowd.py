"""People whom Mechanical Turk and Prolific send."""

from __future__ import annotations

from typing import Any

from collect_site import API, TASK, CollectSite, SitePerson

MTURK = {
    "assignmentId": "A1",
    "hitId": "H1",
    "workerId": "W1",
    "turkSubmitTo": "https://workersandbox.mturk.com",
}
PROLIFIC = {"PROLIFIC_PID": "P1", "STUDY_ID": "S1", "SESSION_ID": "X1"}


def come(site: CollectSite, sent: dict[str, str], path: str = "/collect/crowd/enter") -> Any:
    client = site.client()
    key = site.project.file.crowd.key
    got = client.get(path, params={**sent, "key": key, "task": TASK}, follow_redirects=False)
    return client, got


def worker_from(site: CollectSite, sent: dict[str, str]) -> SitePerson:
    client, got = come(site, sent)
    assert got.status_code == 303, got.text
    assert got.headers["location"] == f"/collect/tasks/{TASK}"
    return SitePerson(client, client.get(f"{API}/session").json())


def test_mturk_from_the_frame_to_the_post_back(site: CollectSite) -> None:
    _, framed = come(site, MTURK, "/collect/crowd")
    assert "set-cookie" not in framed.headers
    policy = framed.headers["content-security-policy"]
    assert "frame-ancestors https://worker.mturk.com https://www.mturk.com https://w" in policy
    assert "x-frame-options" not in framed.headers
    assert "/collect/crowd/enter?" in framed.text
    worker = worker_from(site, MTURK)
    worker.pass_test()
    got = worker.submit(worker.next())
    assert got["completion"] == {
        "action": "https://workersandbox.mturk.com/mturk/externalSubmit",
        "fields": {"assignmentId": "A1", "receipt": got["receipt"]},
    }
    assert (
        "form-action https://www.mturk.com"
        in site.client().get("/collect/").headers["content-security-policy"]
    )


def test_the_same_worker_comes_again(site: CollectSite) -> None:
    one = worker_from(site, MTURK)
    again = worker_from(site, {**MTURK, "assignmentId": "A2"})
    assert one.id == again.id
    assert worker_from(site, {**MTURK, "workerId": "W2"}).id != one.id


def test_prolific(site: CollectSite) -> None:
    _, got = come(site, PROLIFIC, "/collect/crowd")
    assert got.status_code == 303
    worker = worker_from(site, PROLIFIC)
    worker.pass_test()
    completion = worker.submit(worker.next())["completion"]
    assert completion["address"].startswith("https://app.prolific.com/submissions/complete")


def test_a_preview_makes_no_account(site: CollectSite) -> None:
    _, got = come(site, {**MTURK, "assignmentId": "ASSIGNMENT_ID_NOT_AVAILABLE"})
    assert "preview" in got.text
    assert "set-cookie" not in got.headers
    assert site.project.accounts.people() == []


def test_only_with_the_projects_key_and_back_to_mturk_alone(site: CollectSite) -> None:
    client = site.client()
    got = client.get("/collect/crowd/enter", params={**MTURK, "key": "guessed"})
    assert got.status_code == 403
    assert "This address is not complete. Ask the requester." in got.text
    assert "set-cookie" not in got.headers
    _, got = come(site, {**MTURK, "turkSubmitTo": "https://evil.example"})
    assert got.status_code == 403


def test_what_is_in_the_address_is_text_on_the_page(site: CollectSite) -> None:
    _, got = come(site, {**MTURK, "workerId": '"><script>alert(1)</script>'}, "/collect/crowd")
    assert "<script>alert" not in got.text
