"""The log as JSON: each request, never its words."""

from __future__ import annotations

import json
from pathlib import Path

import httpx
from served import served

SECRET = "Where is the hidden heron?"


def test_each_request_has_a_line_without_its_words(tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "Heron.md").write_text("# Heron\n\nThe heron eats fish.\n")
    with served(tmp_path, "--corpus", notes, settings={"LACUNA_LOG": "json"}) as server:
        known = {**server.known, "x-request-id": "the-first"}
        address = f"{server.address}/api/v1"
        asked = httpx.post(f"{address}/ask", json={"question": SECRET}, headers=known, timeout=60)
        assert asked.headers["x-request-id"] == "the-first"
        titles = f"{address}/corpora/{asked.json()['corpus']}/titles"
        httpx.get(titles, params={"q": "secret words"}, headers=server.known)
        httpx.get(f"{server.address}/?token={server.token}")
        httpx.get(f"{address}/answers/unknown-id", headers=server.known)
        httpx.get(f"{server.address}/healthz")
        server.stop()
        errors = server.errors()
    for word in ("hidden", "secret", server.token, "127.0.0.1", "unknown-id"):
        assert word not in errors
    lines = [json.loads(line) for line in errors.splitlines()]
    assert [(line["route"], line["status"]) for line in lines] == [
        ("/api/v1/ask", 200),
        ("/api/v1/corpora/{corpus}/titles", 200),
        ("none", 303),
        ("/api/v1/answers/{answer}", 404),
    ]
    assert lines[0]["request"] == "the-first"
    assert lines[0]["method"] == "POST"
    assert lines[0]["seconds"] > 0
    assert lines[3]["refused"] == "answer-gone"
    assert lines[3]["request"] != lines[2]["request"]
