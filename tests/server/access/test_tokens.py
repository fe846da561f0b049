"""Tokens, and the file that keeps one."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from lacuna.errors import LacunaError
from lacuna.web.access import GOOD, tokens_of_file
from lacuna.web.sessions import is_same, new_token


def test_every_start_has_another() -> None:
    tokens = {new_token() for _ in range(100)}
    assert len(tokens) == 100
    assert all(GOOD.fullmatch(token) for token in tokens)


def test_only_the_same_is_the_same() -> None:
    token = new_token()
    assert is_same(token, token)
    for other in ("", token[:-1], token + "x", new_token(), "é", "\ud800"):
        assert not is_same(other, token)


def test_a_file_keeps_it_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "token"
    tokens = tokens_of_file(path)
    assert len(tokens) == 1
    assert tokens_of_file(path) == tokens
    if os.name == "posix":
        assert path.stat().st_mode & 0o777 == 0o600
        path.chmod(0o644)
        with pytest.raises(LacunaError, match="chmod 600"):
            tokens_of_file(path)


@pytest.mark.parametrize("content", ["", "short", "two\nlines of it that are long", "é" * 30])
def test_what_is_no_token(tmp_path: Path, content: str) -> None:
    path = tmp_path / "token"
    path.write_text(content, encoding="utf-8")
    path.chmod(0o600)
    with pytest.raises(LacunaError, match="holds no token"):
        tokens_of_file(path)


def test_a_path_that_cannot_be_used(tmp_path: Path) -> None:
    with pytest.raises(LacunaError, match="--token-file"):
        tokens_of_file(tmp_path / "nowhere" / "token")
    with pytest.raises(LacunaError, match="--token-file"):
        tokens_of_file(tmp_path)
    (tmp_path / "bytes").write_bytes(b"\xff\xfe" * 20)
    with pytest.raises(LacunaError, match="cannot be read"):
        tokens_of_file(tmp_path / "bytes")
