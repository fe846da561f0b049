"""What may be slow - a disk, an object store - is never waited for by everybody at once."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from stand_in import Site

from lacuna.corpus.embedded_store import EmbeddedStore
from lacuna.serve.corpora import OpenCorpora

MARROW = {"question": "What is the Marrow?", "title": "Marrow"}


@pytest.fixture
def on_loop(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What was done on the event loop, while all other requests wait."""
    seen: list[str] = []

    def watched(name: str, work: Callable[..., Any]) -> Callable[..., Any]:
        def noting(*given: Any, **named: Any) -> Any:
            try:
                asyncio.get_running_loop()
            except RuntimeError:
                pass
            else:
                seen.append(name)
            return work(*given, **named)

        return noting

    for owner, name in (
        (EmbeddedStore, "resolve"),
        (EmbeddedStore, "document"),
        (EmbeddedStore, "graph"),
        (OpenCorpora, "_delete_old_uploads"),
    ):
        monkeypatch.setattr(owner, name, watched(name, getattr(owner, name)))
    token = EmbeddedStore.token.fget  # type: ignore[attr-defined]
    monkeypatch.setattr(EmbeddedStore, "token", property(watched("token", token)))
    return seen


@pytest.mark.parametrize(
    ("route", "asked"),
    [("ask", MARROW), ("ask/stream", MARROW), ("suggest", {}), ("ask", {**MARROW, "title": "No"})],
)
def test_nothing_slow_is_done_on_the_loop(
    site: Site, on_loop: list[str], route: str, asked: dict[str, str]
) -> None:
    got = site.client.post(f"/api/v1/{route}", json=asked)
    assert got.status_code == (404 if asked.get("title") == "No" else 200)
    assert on_loop == []
