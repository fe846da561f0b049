"""Who gets in, and what every answer tells the browser."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from collect_site import API, PASSWORD, TASK, CollectSite

import lacuna_collect.web
from lacuna_collect.tasks.families import FAMILY_TASKS, family_of

STATIC = Path(lacuna_collect.web.__file__).parent / "static"
FILES = sorted(path for path in STATIC.rglob("*") if path.is_file())
PAGES = ("/collect/", "/collect/login", "/collect/console", f"/collect/tasks/{TASK}")


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_the_pages_are_all_our_own(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert not re.search(r"https?://|//cdn", text)
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(", text)
    if path.suffix == ".html":
        assert not re.search(r"<script(?![^>]*src=)|<style|\son\w+=|\sstyle=", text)


@pytest.mark.parametrize("path", PAGES)
def test_what_a_page_needs_is_there(site: CollectSite, path: str) -> None:
    client = site.client()
    waiting, seen = [path], set()
    while waiting:
        at = waiting.pop()
        got = client.get(at)
        assert got.status_code == 200, at
        seen.add(at)
        if not at.endswith((".js", ".css", ".svg")) and at != path:
            continue
        found = re.findall(r'(?:src|href)="(/[^"]*\.\w+)"', got.text)
        found += re.findall(r'from "(/[^"]+)"', got.text)
        folder = at.rpartition("/")[0]
        near = re.findall(r'(?:from|\$/,) "(\.[^"]+)"', got.text)
        found += [str(Path("/", *_resolved(folder, one))) for one in near]
        waiting += [one for one in found if one not in seen]
    assert "/static/js/dom.js" in seen
    assert "/collect/static/js/console/plots.js" in seen


@pytest.mark.parametrize("task", [task for tasks in FAMILY_TASKS.values() for task in tasks])
def test_each_task_has_the_form_and_the_instructions_it_names(task: str) -> None:
    (named,) = (one for one in family_of(task).tasks if one.name == task)
    assert (STATIC / "js" / "forms" / f"{named.form}.js").is_file()
    assert (STATIC / "instructions" / f"{named.instructions}.html").is_file()


def _resolved(folder: str, relative: str) -> list[str]:
    parts = folder.strip("/").split("/")
    for part in relative.split("/"):
        if part == "..":
            parts.pop()
        elif part != ".":
            parts.append(part)
    return parts


def test_every_answer_has_the_policy(site: CollectSite) -> None:
    for path in (*PAGES, f"{API}/session", "/nowhere", "/collect/static/js/main.js"):
        headers = site.client().get(path).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy
        assert headers["x-frame-options"] == "DENY"
    assert site.client().get(f"{API}/session").headers["cache-control"] == "no-store"


def test_nothing_without_a_log_in(site: CollectSite) -> None:
    client = site.client()
    for path in ("tasks", "work/1", "messages", "earnings", "console/overview", "console/export"):
        got = client.get(f"{API}/{path}")
        assert (got.status_code, got.json()["code"]) == (401, "not-logged-in")
    assert client.post(f"{API}/tasks/{TASK}/next").status_code == 401


def test_a_change_needs_the_sessions_secret(site: CollectSite, worker: Any) -> None:
    for headers in ({}, {"X-Lacuna-CSRF": "x"}, {"X-Lacuna-CSRF": ""}):
        got = worker.call("POST", f"tasks/{TASK}/next", {}, headers=headers)
        assert (got.status_code, got.json()["code"]) == (403, "no-csrf")


@pytest.mark.parametrize("path", ["login", "register", f"tasks/{TASK}/next", "logout"])
@pytest.mark.parametrize(
    "headers", [{"origin": "http://evil.example"}, {"sec-fetch-site": "cross-site"}]
)
def test_other_sites_change_nothing(worker: Any, path: str, headers: dict[str, str]) -> None:
    got = worker.call("POST", path, {}, headers={**worker.headers, **headers})
    assert got.json()["code"] == "other-origin"


def test_a_name_that_was_made_to_point_here(site: CollectSite) -> None:
    assert site.client().get("/collect/", headers={"host": "evil.example"}).status_code == 421


def test_cookies(site: CollectSite) -> None:
    given = {"invitation": site.invite(), "name": "Nina", "password": PASSWORD}
    cookie = site.client().post(f"{API}/register", json=given).headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=lax" in cookie
    assert "Secure" not in cookie
    assert "Path=/collect" in cookie
    given |= {"invitation": site.invite(), "name": "Nils"}
    client = site.client()
    client.base_url = "https://localhost"
    assert "Secure" in client.post(f"{API}/register", json=given).headers["set-cookie"]


def test_logging_out_ends_the_session(worker: Any) -> None:
    cookie = dict(worker.client.cookies)
    worker.post("logout")
    worker.client.cookies.update(cookie)
    assert worker.get("session")["person"] is None
    assert worker.refused("GET", "tasks")[0] == 401


def test_guessing_is_slowed_down(site: CollectSite, worker: Any) -> None:
    client = site.client()
    given = {"name": "Wanda", "password": "wrong wrong wrong"}
    codes = [client.post(f"{API}/login", json=given).json()["code"] for _ in range(11)]
    assert codes[0] == "wrong-login"
    assert codes[-1] == "too-many-attempts"
    got = client.post(f"{API}/login", json={**given, "password": PASSWORD})
    assert got.status_code == 429


def test_sizes_are_limited(worker: Any) -> None:
    body = {"draft": {"x": "y" * 3_000_000}, "version": 0, "seconds": 1}
    assert worker.call("PUT", "work/1/draft", body).status_code == 413
    got = worker.call("POST", "messages", {"body": 3})
    assert (got.status_code, got.json()["code"]) == (422, "bad-request")


@pytest.mark.parametrize(
    "path", ["/collect/static/../app.py", "/collect/static/%2e%2e/app.py", "/static/..%2fapp.py"]
)
def test_nothing_beside_the_static_files(site: CollectSite, path: str) -> None:
    assert site.client().get(path).status_code == 404
