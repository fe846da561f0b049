"""Questions may choose among the models that the server was started with."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from stand_in import Site

MakeSite = Callable[..., Site]


@pytest.fixture
def site(make_site: MakeSite) -> Site:
    return make_site(models=["small", "our-own"])


def test_they_are_named_and_chosen(site: Site) -> None:
    assert site.client.get("/api/v1/server").json()["models"] == ["small", "our-own"]
    for model in (None, "our-own"):
        got = site.client.post("/api/v1/ask", json={"question": "What?", "model": model})
        assert got.status_code == 200
        assert site.stand_in.asked[-1].model == model
    site.client.post("/api/v1/suggest", json={"model": "our-own"})
    assert {query.model for query in site.stand_in.tried} == {"our-own"}


@pytest.mark.parametrize("path", ["ask", "ask/stream", "suggest", "suggest/stream"])
def test_one_that_is_not_there_is_refused(site: Site, path: str) -> None:
    asked = {"model": "large"} | ({"question": "What?"} if "ask" in path else {})
    got = site.client.post(f"/api/v1/{path}", json=asked)
    assert got.status_code == 422
    assert got.json()["message"] == "There is no model 'large' here. There is: small, our-own."
    assert not site.stand_in.asked
