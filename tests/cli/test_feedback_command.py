"""Feedback that servers share becomes a file for testing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from benchmarks.serving.own_redis import own_redis

from lacuna.errors import LacunaError
from lacuna.serve.shared import open_shared_store

LINES = [
    '{"id": "b", "corpus": "notes", "kind": "feedback", "question": "How?", "time": "2030-01-02"}',
    '{"id": "a", "corpus": "notes", "kind": "feedback", "question": "Why?", "time": "2030-01-01"}',
]


def test_what_was_kept_is_written(
    lacuna: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "feedback.jsonl"
    try:
        with own_redis() as redis:
            store = open_shared_store(redis.url)
            for answer, line in zip("ba", LINES, strict=True):
                assert store.put_feedback(answer, line, 1_000)
            store.close()
            monkeypatch.setenv("LACUNA_KEEP_IN", redis.url)
            ran = lacuna("data", "feedback", "-o", out)
    except LacunaError as error:
        pytest.skip(str(error))
    assert ran.code == 0
    assert out.read_text().splitlines() == LINES[::-1]
    assert out.stat().st_mode & 0o077 == 0
    assert lacuna("data", "check", "real", out).code == 0


def test_a_store_that_is_not_there(
    lacuna: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "feedback.jsonl"
    monkeypatch.delenv("LACUNA_KEEP_IN", raising=False)
    ran = lacuna("data", "feedback", "-o", out)
    assert ran.code == 2
    assert "LACUNA_KEEP_IN is not set" in ran.err
    monkeypatch.setenv("LACUNA_KEEP_IN", "redis://:s3cret@127.0.0.1:1/0")
    ran = lacuna("data", "feedback", "-o", out)
    assert ran.code == 2
    assert "LACUNA_KEEP_IN" in ran.err
    assert "s3cret" not in ran.err
    assert not (tmp_path / "feedback.jsonl").exists()
