"""Whoever sends predictions learns what became of them, or at least their number."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from lacuna.errors import LacunaError
from lacuna_collect.board import sending
from lacuna_collect.board.sending import MISSED, Sending

LARGE = 64 << 20
QUEUED = {"submission": 7, "state": "queued"}
SCORED = {"submission": 7, "state": "scored"}
GONE = LacunaError("The board cannot be reached.")


def sent(folder: Path, monkeypatch: pytest.MonkeyPatch, *answers: Any) -> dict[str, Any]:
    """What comes of sending to a board that answers so."""
    (folder / "key").write_text("k")
    left = iter(answers)

    def call(self: Sending, *request: object) -> Any:
        answer = next(left)
        if isinstance(answer, LacunaError):
            raise answer
        return answer

    monkeypatch.setattr(sending, "PAUSE", 0)
    monkeypatch.setattr(Sending, "_call", call)
    return Sending("http://board.org/", folder / "key").submit(folder / "key", {})


def test_a_look_that_fails_is_taken_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert sent(tmp_path, monkeypatch, QUEUED, GONE, QUEUED, GONE, SCORED) == SCORED


def test_a_board_that_is_gone_leaves_the_number(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(LacunaError, match=r"Submission 7 is with the board.*cannot be reached"):
        sent(tmp_path, monkeypatch, QUEUED, *[GONE] * MISSED)
    with pytest.raises(LacunaError, match=r"^The board cannot be reached"):
        sent(tmp_path, monkeypatch, GONE)


@contextmanager
def answering(words: bytes) -> Iterator[str]:
    """A board that reads the beginning of one request, says so much, and hangs up."""
    with socket.create_server(("127.0.0.1", 0)) as server, ThreadPoolExecutor(1) as other:

        def answer() -> None:
            connection, _ = server.accept()
            with connection:
                connection.recv(1000)
                connection.sendall(words)

        answered = other.submit(answer)
        yield f"http://127.0.0.1:{server.getsockname()[1]}/"
        answered.result()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (b"HTTP/1.1 413 No\r\n\r\n" + b'{"message": "The most are 3 MB."}', "The most are 3 MB"),
        (b"", "hung up without a word"),
    ],
)
def test_a_board_that_wants_no_more_of_a_file(tmp_path: Path, words: bytes, told: str) -> None:
    (tmp_path / "key").write_text("k")
    with (tmp_path / "large").open("wb") as file:
        file.truncate(LARGE)
    with answering(words) as address, pytest.raises(LacunaError, match=told):
        Sending(address, tmp_path / "key").submit(tmp_path / "large", {})
