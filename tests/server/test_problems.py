"""Errors of every kind have one shape; a browser gets a page, and JSON and files are compressed."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from stand_in import TOKEN, Site, listening

from lacuna.web.access import Access

BROWSER = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
CLIENT = Path(__file__).parent.parent.parent / "examples" / "client.py"


@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [
        ("GET", "/nowhere", 404, "not-found"),
        ("GET", "/static/nowhere.js", 404, "not-found"),
        ("GET", "/api/v1/nowhere", 404, "not-found"),
        ("GET", "/api/v1/ask", 405, "wrong-method"),
        ("DELETE", "/", 405, "wrong-method"),
        ("POST", "/api/v1/ask", 422, "bad-request"),
        ("POST", "/api/v1/corpora/upload", 422, "bad-request"),
    ],
)
def test_one_shape(site: Site, method: str, path: str, status: int, code: str) -> None:
    got = site.client.request(method, path)
    assert got.status_code == status
    assert got.json().keys() == {"code", "message"}
    assert got.json()["code"] == code
    if status == 405:
        assert got.headers["allow"]


def test_what_is_broken_has_it_too(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(site.app.state.services.corpora, "public", lambda: 1 / 0)
    got = site.client.get("/api/v1/server")
    assert (got.status_code, got.json()["code"]) == (500, "broken")
    assert "division" not in got.text


def test_an_old_address_says_where_it_is_now(site: Site) -> None:
    got = site.client.post("/api/ask", json={"question": "What?"})
    assert got.status_code == 404
    assert "/api/v1" in got.json()["message"]


def test_a_browser_gets_a_page(site: Site) -> None:
    got = site.client.get("/nowhere/<b>", headers=BROWSER)
    assert got.status_code == 404
    assert got.headers["content-type"].startswith("text/html")
    assert "There is nothing at this address." in got.text
    assert "<b>" not in got.text
    assert "script-src 'self'" in got.headers["content-security-policy"]
    assert site.client.get("/api/v1/nowhere", headers=BROWSER).json()["code"] == "not-found"


def test_a_field_that_is_not_known(site: Site) -> None:
    got = site.client.post("/api/v1/ask", json={"question": "What?", "titel": "Marrow"})
    assert (got.status_code, got.json()["code"]) == (422, "bad-request")
    assert "titel" in got.json()["message"]


@pytest.mark.parametrize("path", ["/api/v1/server", "/openapi.json", "/static/js/api.js"])
def test_compressed(site: Site, path: str) -> None:
    plain = site.client.get(path, headers={"Accept-Encoding": "identity"})
    packed = site.client.get(path, headers={"Accept-Encoding": "gzip"})
    assert "content-encoding" not in plain.headers
    assert packed.headers["content-encoding"] == "gzip"
    assert int(packed.headers["content-length"]) < len(plain.content)
    assert packed.content == plain.content


def test_the_stream_is_never_compressed(site: Site) -> None:
    asked = {"question": "What is the Marrow?"}
    got = site.client.post("/api/v1/ask/stream", json=asked, headers={"Accept-Encoding": "gzip"})
    assert "content-encoding" not in got.headers
    assert got.text.startswith("event: ")


def test_the_example_client(make_site: Callable[..., Site]) -> None:
    site = make_site(access=Access([TOKEN]))
    with listening(site.app) as address:
        command = [sys.executable, str(CLIENT), f"{address}/?token={TOKEN}", "What is it?"]
        ran = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    assert ran.stdout.splitlines()[0] == "… Nothing is missing."
    assert "Ada Quill was born in Port Ellery in 1897." in ran.stdout
