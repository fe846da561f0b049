"""A server of the protocol on this machine, which replies what a test tells it to."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Act = Callable[[BaseHTTPRequestHandler], None]
MODELS = ("qwen2.5", "smollm2")


class LLMStandIn:
    """What it will reply, one after the other (the last again and again), and what it was asked."""

    def __init__(self) -> None:
        self.acts: list[Act] = []
        self.asked: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.ended = threading.Event()
        listed = json.dumps({"data": [{"id": name} for name in MODELS]}).encode()
        self.list_models: Act = lambda handler: send(handler, 200, listed)
        stand_in = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                stand_in.headers.append(dict(self.headers))
                body = self.rfile.read(int(self.headers["Content-Length"]))
                stand_in.asked.append(json.loads(body))
                assert self.path == "/v1/chat/completions"
                act = stand_in.acts[0] if len(stand_in.acts) == 1 else stand_in.acts.pop(0)
                act(self)

            def do_GET(self) -> None:
                stand_in.list_models(self)

            def log_message(self, format: str, *arguments: Any) -> None:  # noqa: A002
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/v1"

    def says(self, *contents: str | dict[str, Any]) -> None:
        """Reply with these, in the form of the protocol."""
        for content in contents:
            text = content if isinstance(content, str) else json.dumps(content)
            self.sends(completion(text))

    def sends(self, body: bytes, status: int = 200) -> None:
        """Reply with just these bytes."""
        self.acts.append(lambda handler: send(handler, status, body))

    def refuses(self, status: int, message: str, retry_after: str = "") -> None:
        """Reply with an error in the form of the protocol."""
        body = json.dumps({"error": {"message": message}}).encode()
        self.acts.append(lambda handler: send(handler, status, body, retry_after))

    def waits(self, seconds: float, *, drip: bool = False) -> None:
        """Send nothing for so long, or a byte now and then."""
        self.acts.append(self._waiting(seconds, drip))

    def lists_models_slowly(self, seconds: float) -> None:
        """Send the list of models a byte at a time."""
        self.list_models = self._waiting(seconds, drip=True)

    def _waiting(self, seconds: float, drip: bool) -> Act:
        def act(handler: BaseHTTPRequestHandler) -> None:
            if drip:
                handler.send_response(200)
                handler.end_headers()
            end = time.monotonic() + seconds
            while time.monotonic() < end and not self.ended.wait(0.05):
                if drip:
                    try:
                        handler.wfile.write(b" ")
                    except OSError:
                        return

        return act

    def breaks_off(self) -> None:
        """Announce more than is sent."""

        def act(handler: BaseHTTPRequestHandler) -> None:
            handler.send_response(200)
            handler.send_header("Content-Length", "5000")
            handler.end_headers()
            handler.wfile.write(completion("half")[:40])

        self.acts.append(act)

    def hangs_up(self) -> None:
        """Close the connection without a word."""
        self.acts.append(lambda handler: None)


def send(handler: BaseHTTPRequestHandler, status: int, body: bytes, retry_after: str = "") -> None:
    handler.send_response(status)
    handler.send_header("Content-Length", str(len(body)))
    if retry_after:
        handler.send_header("Retry-After", retry_after)
    if 300 <= status < 400:
        handler.send_header("Location", "http://elsewhere.example/v1")
    handler.end_headers()
    handler.wfile.write(body)


def completion(content: str | None, finish_reason: str = "stop") -> bytes:
    message = {"role": "assistant", "content": content}
    choice = {"index": 0, "message": message, "finish_reason": finish_reason}
    return json.dumps({"object": "chat.completion", "choices": [choice]}).encode()
