"""A corpus whose object store fails while people ask: they try again, and its log says why."""

from __future__ import annotations

import pytest
from stand_in import Site

from lacuna.errors import AddressError

SAID = "s3://inner-bucket/corpus cannot be read: its store refuses the credentials."
MARROW = {"question": "What is the Marrow?", "title": "Marrow"}


@pytest.fixture
def failing(site: Site, monkeypatch: pytest.MonkeyPatch) -> Site:
    def fail(*_: object, **__: object) -> None:
        raise AddressError(SAID)

    monkeypatch.setattr(site.stand_in, "ask", fail)
    monkeypatch.setattr(site.stand_in.store, "document", fail)
    monkeypatch.setattr(site.stand_in.store, "reach", fail)
    return site


def test_it_is_told_without_its_address(failing: Site, caplog: pytest.LogCaptureFixture) -> None:
    corpus = failing.client.get("/api/v1/server").json()["default"]
    for got in (
        failing.client.post("/api/v1/ask", json=MARROW),
        failing.client.get(f"/api/v1/corpora/{corpus}/document", params={"title": "Marrow"}),
        failing.client.get("/readyz"),
    ):
        assert (got.status_code, got.json()["code"]) == (503, "corpus-unreachable")
        assert got.headers["retry-after"]
        assert "inner-bucket" not in got.text
    assert caplog.messages.count(f"A corpus cannot be read: {SAID}") == 3


def test_a_stream_tells_it_too_and_is_counted(
    failing: Site, caplog: pytest.LogCaptureFixture
) -> None:
    got = failing.client.post("/api/v1/ask/stream", json=MARROW)
    assert got.status_code == 200
    assert '"code":"corpus-unreachable"' in got.text
    assert "inner-bucket" not in got.text
    assert SAID in caplog.text
    metrics = failing.client.get("/metrics").text
    assert 'lacuna_refusals_total{code="corpus-unreachable"} 1' in metrics
