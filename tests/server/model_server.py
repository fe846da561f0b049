"""A server of language models that lists some, and tells what it was asked for."""

from __future__ import annotations

import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

LISTED = {"data": [{"id": "qwen2.5:3b"}, {"id": "gpt-oss:120b-cloud"}, {"id": "bad\x07name"}]}


class ModelServer:
    """Listens on a free port."""

    def __init__(self, reply: bytes = json.dumps(LISTED).encode(), status: int = 200) -> None:
        asked = self.asked = []  # type: list[tuple[str, dict[str, str]]]

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                asked.append((self.path, dict(self.headers)))
                self.send_response(status)
                self.send_header("Location", "http://127.0.0.1:9/v1/models")
                self.end_headers()
                self.wfile.write(reply)

            def log_message(self, *_: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = self.server.server_address[1]
        Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()
