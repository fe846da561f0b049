"""The description of the interface in ``/openapi.json``: what FastAPI cannot see is added."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from pydantic import TypeAdapter

from lacuna.server.schemas.events import Event
from lacuna.server.security import API

REFERENCE = "#/components/schemas/{model}"
TOKEN = {"type": "http", "scheme": "bearer", "description": "The token that `lacuna serve` printed"}
INTRODUCTION = (
    "Questions, their answers, and the documents behind them. Every refusal, whatever its status, "
    "is a `Problem`. All places in a text are offsets in Unicode code points, half-open."
)


def describe(app: FastAPI) -> None:
    """Let an app describe itself with the events of its stream, and the token that it wants."""

    def described() -> dict[str, Any]:
        if app.openapi_schema is None:
            app.openapi_schema = _with_events(
                get_openapi(
                    title=app.title,
                    version=app.version,
                    summary=app.summary,
                    description=INTRODUCTION,
                    routes=app.routes,
                )
            )
        return app.openapi_schema

    app.openapi = described  # type: ignore[method-assign]


def _with_events(schema: dict[str, Any]) -> dict[str, Any]:
    event = TypeAdapter(Event).json_schema(ref_template=REFERENCE, mode="serialization")
    components = schema["components"]
    components["schemas"] |= {**event.pop("$defs"), "Event": {**event, "title": "Event"}}
    components["schemas"] = dict(sorted(components["schemas"].items()))
    components["securitySchemes"] = {"token": TOKEN}
    schema["security"] = [{"token": []}, {}]  # {}: a server that was started without a token
    answered = schema["paths"][f"{API}/ask/stream"]["post"]["responses"]["200"]
    answered["content"] = {
        "text/event-stream": {"schema": {"$ref": REFERENCE.format(model="Event")}}
    }
    return schema
