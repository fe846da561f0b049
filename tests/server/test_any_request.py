"""Requests of all shapes, made from the description: nothing breaks, and all is as described."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis import GenerationMode
from schemathesis.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from stand_in import Site

from lacuna.serve.app import bare_app

HOST = {"Host": "localhost"}
CHECKS: list[Any] = [
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]


def _takes_something(operation: dict[str, Any]) -> bool:
    """Whether a request of it can be wrong: what stands in a path is any text."""
    return "requestBody" in operation or any(
        parameter["in"] == "query" for parameter in operation.get("parameters", ())
    )


ROUTES = [
    (mode, method.upper(), path)
    for path, methods in bare_app().openapi()["paths"].items()
    for method, operation in methods.items()
    for mode in GenerationMode
    if mode is GenerationMode.POSITIVE or _takes_something(operation)
]
few = settings(
    max_examples=10,
    derandomize=True,
    deadline=None,
    database=None,
    suppress_health_check=list(HealthCheck),
)


@pytest.mark.parametrize(("mode", "method", "path"), ROUTES)
def test_nothing_breaks(
    make_site: Callable[..., Site], tmp_path: Path, mode: GenerationMode, method: str, path: str
) -> None:
    site = make_site(feedback=tmp_path / "feedback.jsonl")
    default = site.app.state.services.corpora.default
    described = schemathesis.openapi.from_asgi("/openapi.json", site.app, headers=HOST)
    cases = described[path][method].as_strategy(generation_mode=mode)

    @few
    @given(cases)
    def send(case: Any) -> None:
        _check(case)
        if "corpus" in case.path_parameters and method == "GET":  # of one that is there too
            case.path_parameters["corpus"] = default
            _check(case)

    send()


def _check(case: Any) -> None:
    got = case.call(headers=HOST)
    assert got.status_code != 500, got.text
    case.validate_response(got, checks=CHECKS)
