"""What is refused before a request is read, and what every response tells the browser."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from stand_in import Site

import lacuna.web
from lacuna.web.access import Access, AllowedHosts

STATIC = Path(lacuna.web.__file__).parent / "static"
FILES = sorted(path for path in STATIC.rglob("*") if path.is_file())
QUESTION = {"question": "What?"}


@pytest.mark.parametrize("path", ["/", "/docs", "/static/js/main.js", "/api/v1/server", "/nowhere"])
def test_every_answer_has_the_policy(site: Site, path: str) -> None:
    headers = site.client.get(path).headers
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    assert headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_the_page_is_all_our_own(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    text = text.replace("http://www.w3.org/2000/svg", "")
    assert not re.search(r"https?://|//cdn", text)
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(", text)
    if path.suffix == ".html":
        assert not re.search(r"<script(?![^>]*src=)|<style|\son\w+=|\sstyle=", text)


@pytest.mark.parametrize("path", ["/", "/docs"])
def test_what_a_page_needs_is_there(site: Site, path: str) -> None:
    waiting, seen = [path], set()
    while waiting:
        at = waiting.pop()
        got = site.client.get(at)
        assert got.status_code == 200, at
        seen.add(at)
        found = re.findall(r'(?:src|href)="(/[^"]*)"', got.text)
        found += [f"/static/js/{name}" for name in re.findall(r'from "\./([^"]+)"', got.text)]
        waiting += [one for one in found if one not in seen]
    assert any(one.endswith(".js") for one in seen)


@pytest.mark.parametrize(
    "path", ["/static/../app.py", "/static/%2e%2e/app.py", "/static//etc/passwd"]
)
def test_nothing_beside_the_static_files(site: Site, path: str) -> None:
    assert site.client.get(path).status_code == 404


@pytest.mark.parametrize(
    "host",
    ["evil.example", "localhost.evil.example", "192.168.0.7:80", "localhost@evil.example", "[", ""],
)
def test_a_name_that_was_made_to_point_here(site: Site, host: str) -> None:
    got = site.client.get("/api/v1/server", headers={"host": host})
    assert got.status_code == 421
    assert got.json()["code"] == "wrong-host"


@pytest.mark.parametrize("host", ["localhost", "localhost:8420", "127.0.0.1:1", "[::1]:8420"])
def test_names_of_this_machine(site: Site, host: str) -> None:
    assert site.client.get("/api/v1/server", headers={"host": host}).status_code == 200


def test_only_configured_names_where_others_are_let_in(make_site: Callable[..., Site]) -> None:
    hosts = AllowedHosts.of("0.0.0.0", ["notes.example"])
    site = make_site(access=Access(hosts=hosts, local=False))
    for host, status in {"notes.example:8420": 200, "localhost": 200, "evil.example": 421}.items():
        assert site.client.get("/api/v1/server", headers={"host": host}).status_code == status


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"origin": "http://["},
        {"origin": "http://localhost:9999"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
    ],
)
@pytest.mark.parametrize(
    "path", ["/api/v1/ask", "/api/v1/ask/stream", "/api/v1/choose", "/api/v1/corpora/folder"]
)
def test_posts_of_other_sites(site: Site, path: str, headers: dict[str, str]) -> None:
    got = site.client.post(path, json={**QUESTION, "path": "/"}, headers=headers)
    assert got.status_code == 403
    assert got.json()["code"] == "other-origin"
    assert not site.stand_in.asked


@pytest.mark.parametrize(
    "headers", [{}, {"origin": "http://localhost"}, {"sec-fetch-site": "same-origin"}]
)
def test_posts_of_our_own_page_and_of_programs(site: Site, headers: dict[str, str]) -> None:
    assert site.client.post("/api/v1/ask", json=QUESTION, headers=headers).status_code == 200


def test_other_sites_may_not_read(site: Site) -> None:
    got = site.client.get("/api/v1/server", headers={"origin": "http://evil.example"})
    assert "access-control-allow-origin" not in got.headers


def test_a_body_that_is_far_too_large(site: Site) -> None:
    got = site.client.post("/api/v1/ask", json={"question": "x" * 100_000})
    assert got.status_code == 413
