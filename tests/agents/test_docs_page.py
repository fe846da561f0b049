"""What docs/agents.md tells to write into the settings of assistants holds."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

PAGE = (Path(__file__).parents[2] / "docs" / "agents.md").read_text(encoding="utf-8")
SETTINGS = PAGE.partition("## What it offers")[0]


def blocks(kind: str) -> list[str]:
    found: list[str] = re.findall(rf"^```{kind}\n(.*?)^```$", SETTINGS, re.MULTILINE | re.DOTALL)
    return found


def servers() -> list[dict[str, Any]]:
    parsed = [*map(json.loads, blocks("json")), *map(tomllib.loads, blocks("toml"))]
    return [
        server for settings in parsed for named in settings.values() for server in named.values()
    ]


def test_the_settings_can_be_read_and_name_options_that_there_are(
    lacuna: Callable[..., Any],
) -> None:
    told = lacuna("mcp", "--help").out
    started = [server for server in servers() if "command" in server]
    assert len(started) == 3
    for server in started:
        verb, *arguments = server["args"]
        assert verb == "mcp"
        assert Path(server["command"]).name == "lacuna"
        assert all(one in told for one in arguments if one.startswith("--"))
    commands = re.findall(r"lacuna mcp ([^\n`]+)", SETTINGS)
    assert commands
    for option in re.findall(r"--[a-z-]+", " ".join(commands)):
        assert option in told


def test_the_address_of_http_is_the_one_that_is_served() -> None:
    (server,) = [server for server in servers() if "url" in server]
    assert server["url"].endswith("/mcp")
    assert server["headers"]["Authorization"].startswith("Bearer ")
