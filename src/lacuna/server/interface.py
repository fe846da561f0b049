"""The interface: its routes, and their description in ``/openapi.json``."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI
from pydantic import TypeAdapter
from starlette.types import Lifespan

from lacuna.server.routes import ask, choices, corpora, documents, feedback, suggestions
from lacuna.server.routes.refused import ALWAYS, refused
from lacuna.server.schemas.events import Event
from lacuna.server.security import API
from lacuna.version import __version__

REFERENCE = "#/components/schemas/{model}"
TOKEN = {"type": "http", "scheme": "bearer", "description": "The token that `lacuna serve` printed"}
INTRODUCTION = (
    "Questions, their answers, and the documents behind them. Every refusal, whatever its status, "
    "is a `Problem`. All places in a text are offsets in Unicode code points, half-open."
)


def bare_app(lifespan: Lifespan[FastAPI] | None = None) -> FastAPI:
    """An app with all routes of the interface and their description, and nothing behind them."""
    app = FastAPI(
        title="Lacuna",
        summary="Typed answers with their evidence, or what is missing.",
        description=INTRODUCTION,
        version=__version__,
        docs_url=None,  # FastAPI's own pages load their scripts from other sites
        redoc_url=None,
        lifespan=lifespan,
    )
    for routes in (ask, suggestions, choices, corpora, documents, feedback):
        app.include_router(routes.router, prefix=API, responses=refused(ALWAYS))
    plain = app.openapi

    def described() -> dict[str, Any]:
        return app.openapi_schema or _with_events(plain())

    app.openapi = described  # type: ignore[method-assign]
    return app


def _with_events(schema: dict[str, Any]) -> dict[str, Any]:
    events = TypeAdapter(Event).json_schema(ref_template=REFERENCE, mode="serialization")
    kinds: dict[str, str] = events["discriminator"]["mapping"]
    components = schema["components"]
    components["schemas"] |= {
        **events["$defs"],
        "StreamedEvent": {
            "title": "StreamedEvent",
            "description": "One event of the stream; its data is the JSON of an object.",
            "oneOf": [_as_sent(name, kind) for name, kind in kinds.items()],
        },
    }
    components["schemas"] = dict(sorted(components["schemas"].items()))
    components["securitySchemes"] = {"token": TOKEN}
    schema["security"] = [{"token": []}, {}]  # {}: a server that was started without a token
    answered = schema["paths"][f"{API}/ask/stream"]["post"]["responses"]["200"]
    answered["content"] = {
        "text/event-stream": {"schema": {"$ref": REFERENCE.format(model="StreamedEvent")}}
    }
    return schema


def _as_sent(name: str, schema: str) -> dict[str, Any]:
    """The lines of a server-sent event as an object, as descriptions of streams have them."""
    return {
        "type": "object",
        "properties": {
            "event": {"const": name, "description": "Which event it is."},
            "data": {
                "type": "string",
                "contentMediaType": "application/json",
                "contentSchema": {"$ref": schema},
                "description": "What it says.",
            },
        },
        "required": ["event", "data"],
    }
