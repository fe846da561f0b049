"""People who upload at the same moment, and look whether what they get is theirs."""

from __future__ import annotations

import http.client
import json
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from benchmarks.load.clients import LONGEST, Seen, ask
from benchmarks.load.own_server import OwnServer

PAGES = 50
BOUNDARY = "lacuna-load"


def uploads_at_once(server: OwnServer, count: int) -> Seen:
    """So many uploads at once; then a question to each, while all of them are open."""
    begin = threading.Barrier(count)
    with ThreadPoolExecutor(count) as people:
        sent = list(people.map(lambda number: _upload(server, number, begin), range(count)))
    every = Seen()
    for number, (corpus, seconds, refused) in enumerate(sent):
        every.refused += refused
        if corpus is None or corpus["documents"] != PAGES:
            every.lost += 1
            continue
        asked = {"question": f"Who keeps light {number}?", "corpus": corpus["id"]}
        status, answer, _ = ask(server, asked)
        if status != 200:
            every.lost += 1
        elif any(f"of {number}" not in quote["text"] for quote in answer["quotes"]):
            every.mixed_up += 1
        else:
            every.seconds.append(seconds)
    return every


def _upload(
    server: OwnServer, number: int, begin: threading.Barrier
) -> tuple[dict[str, Any] | None, float, int]:
    """The corpus, the seconds that it took, and how often it was refused before."""
    body = _body(number)
    headers = {
        "Content-Type": f"multipart/form-data; boundary={BOUNDARY}",
        "Authorization": f"Bearer {server.token}",
    }
    begin.wait()
    sent, refused = time.monotonic(), 0
    while time.monotonic() < sent + LONGEST:
        connection = http.client.HTTPConnection(server.host, server.port, timeout=LONGEST)
        try:
            connection.request("POST", "/api/v1/corpora/upload", body, headers)
            response = connection.getresponse()
            said = json.load(response)
        except (OSError, http.client.HTTPException, ValueError):
            return None, 0.0, refused
        finally:
            connection.close()
        if response.status == 503:
            refused += 1
            time.sleep(float(response.headers.get("Retry-After", 1)))
        else:
            return (said if response.status == 200 else None), time.monotonic() - sent, refused
    return None, 0.0, refused


def _body(number: int) -> bytes:
    parts = []
    for page in range(PAGES):
        name = f"Light {number}-{page}.md"
        text = f"# Light {number}-{page}\n\nLight {number} is kept by Keeper {page} of {number}.\n"
        head = f'Content-Disposition: form-data; name="files"; filename="{name}"'
        parts.append(f"--{BOUNDARY}\r\n{head}\r\n\r\n{text}\r\n")
    return f"{''.join(parts)}--{BOUNDARY}--\r\n".encode()
