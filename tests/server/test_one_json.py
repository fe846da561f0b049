"""A result has one JSON: ``lacuna ask --json --trace`` and ``/api/v1/ask`` give the same."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from stand_in import KNOWN, Site, demo_app

from lacuna.pipeline.query import Query
from lacuna.pipeline.result import Result
from lacuna.serve.corpora import DEMO_EXAMPLES
from lacuna.serve.schemas import ExampleQuestion, schema_of
from lacuna.types import Answer, Prediction

SERVER_ONLY = {"id", "after", "corpus", "nearest_quote", "from_corpora"}


@pytest.fixture(scope="module")
def demo(cache: Path) -> Iterator[TestClient]:
    """A server over the demo corpus and the shipped model."""
    with TestClient(demo_app(), base_url="http://localhost", headers=KNOWN) as client:
        yield client


@pytest.mark.parametrize("example", DEMO_EXAMPLES, ids=lambda example: example.question[:30])
def test_the_command_and_the_server_agree(
    lacuna: Any, demo: TestClient, example: ExampleQuestion
) -> None:
    served = demo.post("/api/v1/ask", json=example.model_dump()).json()
    assert served.keys() >= SERVER_ONLY
    title = ["--in", example.title] if example.title else []
    printed = lacuna("ask", example.question, *title, "--json", "--trace").out
    own = {key: value for key, value in served.items() if key not in SERVER_ONLY}
    assert _without_times(own) == _without_times(json.loads(printed))


def test_the_schema_leaves_nothing_out(site: Site) -> None:
    for question in ("What is the Marrow?", "Nothing asked"):
        served = site.client.post(
            "/api/v1/ask", json={"question": question, "title": "Marrow"}
        ).json()
        result = site.stand_in.ask(Query(question, title="Marrow"))
        plain = json.loads(json.dumps(result.as_json(), allow_nan=False))
        assert served == {**plain, **{key: served[key] for key in SERVER_ONLY}}


@dataclass(frozen=True, slots=True)
class WiderResult(Result):
    """A result with one field more, as docs/extending.md adds it."""

    searched: int = field(default=0, kw_only=True)
    """How many documents were searched."""


def test_a_new_field_is_added_in_one_place() -> None:
    prediction = Prediction(Answer.yes(), confidence=0.5)
    values = WiderResult("Is it?", None, prediction, (), (), searched=3).as_json()
    plain = Result("Is it?", None, prediction, (), ()).as_json()
    assert values == {**plain, "searched": 3}
    described = schema_of(WiderResult).model_json_schema()["properties"]
    assert described.keys() == values.keys()
    assert described["searched"]["description"] == "How many documents were searched."


def _without_times(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_times(part) for key, part in value.items() if key != "milliseconds"}
    return [_without_times(part) for part in value] if isinstance(value, list) else value
