"""What ``lacuna mcp`` refuses before it serves."""

from __future__ import annotations

import socket
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Lacuna = Callable[..., Any]


@pytest.mark.parametrize(
    "address", ["x", "127.0.0.1", "127.0.0.1:", "a:b", "[::1]:99999", "h:-1", "h:²"]
)
def test_what_is_no_address_is_refused(lacuna: Lacuna, address: str) -> None:
    ran = lacuna("mcp", f"--http={address}")
    assert ran.code == 2
    assert "HOST:PORT" in ran.err


@pytest.mark.parametrize(
    "options", [["--no-token"], ["--token-file", "t"], ["--allow-host", "notes.example.org"]]
)
def test_who_may_connect_is_a_question_of_http_alone(lacuna: Lacuna, options: list[str]) -> None:
    ran = lacuna("mcp", *options)
    assert (ran.code, ran.out) == (2, "")
    assert "belong to --http" in ran.err


def test_a_token_and_none_contradict(lacuna: Lacuna, tmp_path: Path) -> None:
    ran = lacuna("mcp", "--http", "127.0.0.1:0", "--no-token", "--token-file", tmp_path / "token")
    assert ran.code == 2
    assert not (tmp_path / "token").exists()


def test_a_taken_port_is_told_at_once(lacuna: Lacuna) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        ran = lacuna("mcp", "--http", f"127.0.0.1:{taken.getsockname()[1]}")
    assert ran.code == 2
    assert "Choose another with --http" in ran.err


def test_what_is_not_installed_is_named(lacuna: Lacuna, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "mcp", None)  # so that importing it fails
    ran = lacuna("mcp")
    assert ran.code == 2
    assert "pip install 'lacuna-qa[agents]'" in ran.err
