"""The application of Ray Serve, with a stand-in for Ray Serve itself: what one replica answers."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from fastapi.testclient import TestClient

from lacuna.errors import LacunaError

ray = pytest.importorskip("ray")
APPLICATION = Path(__file__).parent.parent / "deploy" / "ray_serve.py"
TOKEN = "a-token-of-16-letters-or-more"


@pytest.fixture
def application(monkeypatch: pytest.MonkeyPatch, cache: Path) -> dict[str, Any]:
    """The names of the file; its deployment is what it gave Ray Serve."""
    for name in ("LACUNA_CORPUS", "LACUNA_KEEP_IN", "LACUNA_TOKEN", "LACUNA_HOSTS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LACUNA_REPLICAS", "2")
    stand_in = SimpleNamespace(
        deployment=lambda **options: lambda _: SimpleNamespace(bind=lambda: options),
        ingress=lambda _: lambda each: each,
    )
    monkeypatch.setattr(ray, "serve", stand_in, raising=False)
    monkeypatch.setitem(sys.modules, "ray.serve", stand_in)
    return runpy.run_path(str(APPLICATION))


def test_a_replica_answers_who_has_a_token(
    application: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert application["app"]["num_replicas"] == 2
    monkeypatch.setenv("LACUNA_TOKEN", TOKEN)
    monkeypatch.setenv("LACUNA_HOSTS", "testserver")
    with TestClient(application["replica"]()) as client:
        assert client.get("/readyz").json() == {"status": "ready"}
        assert client.get("/api/v1/server").status_code == 401
        known = {"Authorization": f"Bearer {TOKEN}"}
        assert client.get("/api/v1/server", headers=known).status_code == 200


def test_without_a_token_it_is_told_where_to_set_one(application: dict[str, Any]) -> None:
    with pytest.raises(LacunaError, match="where `ray start` is given"):
        application["replica"]()
