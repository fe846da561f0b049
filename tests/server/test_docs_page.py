"""The description of the interface."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from docs.api_reference import PAGE, reference
from stand_in import Site


@pytest.fixture
def described(site: Site) -> dict[str, Any]:
    found: dict[str, Any] = site.client.get("/openapi.json").json()
    return found


def operations(described: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for methods in described["paths"].values():
        yield from methods.values()


def test_every_route_is_versioned(described: dict[str, Any]) -> None:
    assert described["paths"]
    assert all(path.startswith("/api/v1/") for path in described["paths"])


def test_every_property_and_parameter_is_described(described: dict[str, Any]) -> None:
    schemas = described["components"]["schemas"]
    named = [
        f"{name}.{field}"
        for name, schema in schemas.items()
        for field, value in schema.get("properties", {}).items()
        if not value.get("description")
    ]
    assert named == []
    for operation in operations(described):
        for parameter in operation.get("parameters", ()):
            assert parameter.get("description")


def test_every_error_has_one_shape(described: dict[str, Any]) -> None:
    for operation in operations(described):
        assert {"401", "413", "422", "500", "503"} <= operation["responses"].keys()
        for status, response in operation["responses"].items():
            if status[0] in "45":
                (content,) = response["content"].values()
                assert content["schema"]["$ref"].endswith("/Problem")
    assert "HTTPValidationError" not in described["components"]["schemas"]


def test_what_is_sent_has_no_other_fields(described: dict[str, Any]) -> None:
    schemas = described["components"]["schemas"]
    sent = [name for name in schemas if name.endswith("Request")]
    assert len(sent) >= 4
    assert all(schemas[name]["additionalProperties"] is False for name in sent)


def test_the_events_of_a_stream(described: dict[str, Any]) -> None:
    stream = described["paths"]["/api/v1/ask/stream"]["post"]["responses"]["200"]["content"]
    name = "#/components/schemas/StreamedEvent"
    assert stream == {"text/event-stream": {"schema": {"$ref": name}}}
    schemas = described["components"]["schemas"]
    kinds = {
        event["properties"]["event"]["const"]: event["properties"]["data"]["contentSchema"]["$ref"]
        for event in schemas["StreamedEvent"]["oneOf"]
    }
    assert kinds.keys() == {"waiting", "step", "answer", "problem"}
    assert all(kind.rpartition("/")[2] in schemas for kind in kinds.values())


def test_the_limits_are_told(site: Site) -> None:
    told = site.client.get("/api/v1/server").json()["limits"]
    assert (told["question"], told["waiting"]) == (2_000, 32)


def test_the_page_about_it_is_our_own(site: Site) -> None:
    page = site.client.get("/docs").text
    assert "/js/docs.js" in page
    assert "cdn" not in page


def test_the_reference_is_current(described: dict[str, Any]) -> None:
    assert PAGE.read_text(encoding="utf-8") == reference(described), "run `make api-docs`"
