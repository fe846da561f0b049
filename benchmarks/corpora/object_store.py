"""An object store on loopback, moto's S3, that can be made slow, forgetful, full or strict."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from random import Random
from typing import Any

import boto3
from moto.server import DomainDispatcherApplication, MotoRequestHandler, create_backend_app
from werkzeug.serving import make_server

BUCKET = "bucket"
SECRET = "a-secret-that-nobody-may-see"
ERROR = "<?xml version='1.0'?><Error><Code>{}</Code><Message>{}</Message></Error>"

Respond = Callable[..., Any]


class QuietHandler(MotoRequestHandler):  # type: ignore[misc]
    """Writes no line about every request."""

    def log_request(self, *_: object) -> None:
        """Nothing."""


class ObjectStore:
    """Serves S3 from entering the ``with`` block to leaving it; its faults can be set meanwhile."""

    def __init__(self) -> None:
        self._moto = DomainDispatcherApplication(create_backend_app)
        self._server = make_server(
            "127.0.0.1", 0, self._respond, threaded=True, request_handler=QuietHandler
        )
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._random = Random(21)
        self.heal()

    def heal(self) -> None:
        """No faults."""
        self.latency = 0.0
        self.failing = 0.0
        self.refusing: str | None = None
        self.full = False
        self.requests = 0

    @property
    def environment(self) -> dict[str, str]:
        """What a client needs to know."""
        return {
            "AWS_ENDPOINT_URL": f"http://127.0.0.1:{self._server.server_port}",
            "AWS_ALLOW_HTTP": "true",
            "AWS_REGION": "us-east-1",
            "AWS_ACCESS_KEY_ID": "AKIATESTING",
            "AWS_SECRET_ACCESS_KEY": SECRET,
        }

    def __enter__(self) -> ObjectStore:
        self._thread.start()
        client = boto3.client(
            "s3",
            endpoint_url=self.environment["AWS_ENDPOINT_URL"],
            region_name="us-east-1",
            aws_access_key_id="AKIATESTING",
            aws_secret_access_key=SECRET,
        )
        client.create_bucket(Bucket=BUCKET)
        self._client = client
        return self

    def __exit__(self, *exception: object) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    @contextmanager
    def with_faults(self, **faults: Any) -> Iterator[None]:
        """Faults for a block: latency, failing, refusing, full."""
        for name, value in faults.items():
            setattr(self, name, value)
        try:
            yield
        finally:
            self.heal()

    def contents(self) -> Iterator[tuple[str, bytes]]:
        """All objects, by their names."""
        pages = self._client.get_paginator("list_objects_v2").paginate(Bucket=BUCKET)
        for page in pages:
            for found in page.get("Contents", ()):
                body = self._client.get_object(Bucket=BUCKET, Key=found["Key"])["Body"]
                yield found["Key"], body.read()

    def _respond(self, environ: dict[str, Any], start: Respond) -> Iterable[bytes]:
        self.requests += 1
        if self.latency:
            time.sleep(self.latency)
        if self.refusing:
            return self._fail(environ, start, "403 Forbidden", self.refusing)
        if self.full and environ["REQUEST_METHOD"] in ("PUT", "POST"):
            return self._fail(environ, start, "507 Insufficient Storage", "StorageFull")
        if self.failing and self._random.random() < self.failing:
            return self._fail(environ, start, "503 Slow Down", "SlowDown")
        answer: Iterable[bytes] = self._moto(environ, start)
        return answer

    @staticmethod
    def _fail(environ: dict[str, Any], start: Respond, status: str, code: str) -> Iterable[bytes]:
        length = int(environ.get("CONTENT_LENGTH") or 0)
        environ["wsgi.input"].read(length)  # or the connection would break while it is sent
        body = ERROR.format(code, f"The request was refused: {code}").encode()
        start(status, [("Content-Type", "application/xml"), ("Content-Length", str(len(body)))])
        return [body]
