"""The other side: predictions are sent to a board, and what becomes of them is waited for."""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from lacuna.errors import LacunaError
from lacuna.web.security import API

PAUSE = 0.5
"""Seconds between two looks at whether it is scored."""
MISSED = 6
"""Looks without an answer, each after twice the pause, until it is given up."""
REPLY_TIMEOUT_SECONDS = 60
"""Seconds to wait for an answer of the server."""
CHUNK = 1 << 16


class Sending:
    """A board at an address, with a team's key."""

    def __init__(self, address: str, key_file: Path) -> None:
        try:
            parts = urlsplit(address)
            self._host, self._port = parts.hostname or "", parts.port
        except ValueError:
            parts, self._host = urlsplit(""), ""
        if parts.scheme not in ("http", "https") or not self._host:
            raise LacunaError(f"{address!r} is no address. Give one such as https://board.org/")
        self._kind = HTTPSConnection if parts.scheme == "https" else HTTPConnection
        self._path = parts.path.rstrip("/") + API
        self._address = address
        try:
            self._key = key_file.read_text(encoding="ascii").strip()
        except (OSError, ValueError) as error:
            raise LacunaError(
                f"The team's key cannot be read from {key_file}. Put it there, alone."
            ) from error

    def submit(self, predictions: Path, about: Mapping[str, str]) -> dict[str, Any]:
        """Send a file and wait for its scores; refused where it is, with the board's reason."""
        if not predictions.is_file():
            raise LacunaError(f"There is no file {predictions}. Check the path.")
        mark = secrets.token_hex(16)
        head, tail = _form(about, mark)
        size = len(head) + predictions.stat().st_size + len(tail)
        headers = {
            "Content-Type": f"multipart/form-data; boundary={mark}",
            "Content-Length": str(size),
        }
        sent = self._call("POST", "/submissions", _body(head, predictions, tail), headers)
        number, missed = sent["submission"], 0
        while sent["state"] in ("queued", "scoring"):
            time.sleep(PAUSE * 2**missed)
            try:
                sent, missed = self._call("GET", f"/submissions/{number}"), 0
            except LacunaError as error:  # a proxy that is busy, a server that is started again
                missed += 1
                if missed == MISSED:
                    raise LacunaError(
                        f"Submission {number} is with the board and need not be sent again, but "
                        f"what became of it is not known. {error} Look at entry {number} later."
                    ) from error
        if sent["state"] != "scored":
            raise LacunaError(
                f"Submission {sent['submission']} was not scored ({sent['state']}). "
                f"{sent['problem']}"
            )
        return sent

    def _call(
        self,
        method: str,
        path: str,
        body: Iterator[bytes] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> dict[str, Any]:
        connection = self._kind(self._host, self._port, timeout=REPLY_TIMEOUT_SECONDS)
        try:
            own = {"Authorization": f"Bearer {self._key}", **(headers or {})}
            # A board that wants no more of a file says why before it hangs up.
            with suppress(BrokenPipeError, ConnectionResetError):
                connection.request(method, self._path + path, body, own)
            response = connection.getresponse()
            said = json.loads(response.read())
        except ConnectionResetError as error:
            raise LacunaError(
                f"The board at {self._address} hung up without a word. Perhaps the file is too "
                "large for it, or it is being started again."
            ) from error
        except (OSError, HTTPException, ValueError) as error:
            raise LacunaError(
                f"The board at {self._address} cannot be reached, or is none: {error}."
            ) from error
        finally:
            connection.close()
        if response.status >= 400:
            raise LacunaError(str(said.get("message", said)))
        return dict(said)


def _form(about: Mapping[str, str], mark: str) -> tuple[bytes, bytes]:
    """What stands before and behind the file in a form."""
    fields = "".join(
        f'--{mark}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'
        for name, value in about.items()
    )
    file = (
        f'--{mark}\r\nContent-Disposition: form-data; name="predictions"; '
        'filename="predictions"\r\nContent-Type: application/octet-stream\r\n\r\n'
    )
    return (fields + file).encode("utf-8", "replace"), f"\r\n--{mark}--\r\n".encode()


def _body(head: bytes, predictions: Path, tail: bytes) -> Iterator[bytes]:
    yield head
    with predictions.open("rb") as file:
        while chunk := file.read(CHUNK):
            yield chunk
    yield tail
