"""Write the reference of the JSON interface, ``docs/api.md``, from its description.

``make api-docs`` does it; a test finds out where that was forgotten.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from lacuna.serve.app import bare_app

PAGE = Path(__file__).parent / "api.md"
HEAD = """# The JSON interface

This page is made from `/openapi.json` by `make api-docs`. [The page](web.md#json) shows how to
begin, [`examples/client.py`](../examples/client.py) is a client in twenty lines.

Every refusal, whatever its status, is a [`Problem`](#problem). All places in a text are offsets in
Unicode code points, half-open. A field or parameter that is not known is refused. With
`Accept-Encoding: gzip` all but the stream of events is compressed.
"""
Described = dict[str, Any]


def main() -> None:
    """Write the page."""
    PAGE.write_text(reference(bare_app().openapi()), encoding="utf-8")


def reference(described: Described) -> str:
    """The whole page."""
    return "\n".join((HEAD, *_refusals(described), *_routes(described), *_types(described))) + "\n"


def _refusals(described: Described) -> Iterator[str]:
    yield "## Refusals of every route\n\n| status | |\n|---|---|"
    yield from (f"| {status} | {text} |" for status, text in _shared(described).items())
    yield ""


def _shared(described: Described) -> dict[str, str]:
    """The refusals that all routes have."""
    each = [
        {status: one["description"] for status, one in operation["responses"].items()}
        for methods in described["paths"].values()
        for operation in methods.values()
    ]
    return {
        status: text
        for status, text in sorted(each[0].items())
        if status[0] in "45" and all(other.get(status) == text for other in each)
    }


def _routes(described: Described) -> Iterator[str]:
    yield "## Routes\n"
    shared = _shared(described)
    for path, methods in described["paths"].items():
        for method, operation in methods.items():
            yield f"### {method.upper()} {path}\n"
            yield f"{operation['description']}\n"
            yield from _sent(operation)
            for status, response in sorted(operation["responses"].items()):
                if status not in shared:
                    yield f"- **{status}**{_content(response)}: {response['description']}"
            yield ""


def _sent(operation: Described) -> Iterator[str]:
    for one in operation.get("parameters", ()):
        needed = ", needed" if one.get("required") else ""
        yield f"- `{one['name']}` ({_type(one['schema'])}{needed}): {_line(one['description'])}"
    if "requestBody" in operation:
        yield f"- body{_content(operation['requestBody'])}"


def _content(told: Described) -> str:
    kinds = [(kind, one.get("schema", {})) for kind, one in told.get("content", {}).items()]
    return "".join(
        f" {_type(schema)}{'' if kind == 'application/json' else f' as `{kind}`'}"
        for kind, schema in kinds
    )


def _types(described: Described) -> Iterator[str]:
    yield "## Types\n"
    for name, schema in described["components"]["schemas"].items():
        yield f"### {name}\n"
        if about := schema.get("description"):
            yield f"{_line(about)}\n"
        needed = schema.get("required", ())
        if fields := schema.get("properties"):
            yield "| field | type | |\n|---|---|---|"
            for field, value in fields.items():
                mark = "" if field in needed else "?"
                about = _line(value.get("description", ""))
                yield f"| `{field}`{mark} | {_type(value)} | {about} |"
        else:
            yield _type(schema)
        yield ""


def _type(schema: Described) -> str:
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return f"[{name}](#{name.lower()})"
    if "const" in schema:
        return f"`{schema['const']}`"
    if "enum" in schema:
        return ", ".join(f"`{value}`" for value in schema["enum"])
    for either in ("anyOf", "oneOf"):
        if either in schema:
            return " or ".join(map(_type, schema[either]))
    if "prefixItems" in schema:
        return "[" + ", ".join(map(_type, schema["prefixItems"])) + "]"
    if schema.get("type") == "array":
        return f"list of {_type(schema.get('items', {}))}"
    if "contentSchema" in schema:
        return _type(schema["contentSchema"])
    if "properties" in schema:
        return ", ".join(f"`{name}`: {_type(one)}" for name, one in schema["properties"].items())
    return str(schema.get("type", "anything")) + _bounds(schema)


def _bounds(schema: Described) -> str:
    names = {"minimum": "from", "maximum": "to", "maxLength": "up to", "minLength": "at least"}
    return "".join(f" {word} {schema[name]}" for name, word in names.items() if name in schema)


def _line(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


if __name__ == "__main__":
    main()
