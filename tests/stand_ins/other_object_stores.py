"""Stores on loopback that speak as Google's and Azure's do, as far as Lance talks to them."""

from __future__ import annotations

import base64
import re
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from email.utils import formatdate
from hashlib import md5
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs
from xml.sax.saxutils import escape

from moto.server import DomainDispatcherApplication, create_backend_app
from werkzeug.serving import WSGIRequestHandler, make_server

CONTAINER = "bucket"
KEY = base64.b64encode(b"a-key-that-nobody-may-see").decode()
SIGNED = "AWS4-HMAC-SHA256 Credential=a/20300101/us-east-1/s3/aws4_request, Signature=b"
Start = Callable[..., Any]
Answer = tuple[str, dict[str, str], bytes]
"""A status, headers and a body."""
Application = Callable[[dict[str, Any], Start], Iterable[bytes]]


class _QuietHandler(WSGIRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_request(self, *_: object) -> None:
        """Nothing."""


@contextmanager
def _served(application: Application) -> Iterator[str]:
    server = make_server("127.0.0.1", 0, application, threaded=True, request_handler=_QuietHandler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@contextmanager
def google_store(folder: Path) -> Iterator[dict[str, str]]:
    """The environment of a client; Google's XML interface is S3's, but for its conditions."""
    moto = DomainDispatcherApplication(create_backend_app)

    def respond(environ: dict[str, Any], start: Start) -> Iterable[bytes]:
        if environ.get("HTTP_X_GOOG_IF_GENERATION_MATCH") == "0":
            environ["HTTP_IF_NONE_MATCH"] = "*"
        if not environ.get("HTTP_AUTHORIZATION", "").startswith("AWS4"):
            environ["HTTP_AUTHORIZATION"] = SIGNED  # moto knows S3's alone, and believes them
        answer: Iterable[bytes] = moto(environ, start)
        return answer

    with _served(respond) as url:
        import boto3

        secrets = {"aws_access_key_id": "a", "aws_secret_access_key": "b"}
        client = boto3.client("s3", endpoint_url=url, region_name="us-east-1", **secrets)
        client.create_bucket(Bucket=CONTAINER)
        account = folder / "account.json"
        account.write_text(
            f'{{"gcs_base_url": "{url}", "disable_oauth": true, "client_email": "me@here", '
            f'"private_key": "{KEY}", "private_key_id": "1"}}'
        )
        yield {"GOOGLE_SERVICE_ACCOUNT": str(account), "GOOGLE_ALLOW_HTTP": "true"}


class _AzureBlobs:
    """A container in memory; what a client sends is not checked against its key."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._blobs: dict[str, bytes] = {}
        self._blocks: dict[tuple[str, str], bytes] = {}

    def __call__(self, environ: dict[str, Any], start: Start) -> Iterable[bytes]:
        sent = environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
        with self._lock:
            status, headers, body = self._answer(sent, environ)
        length = headers.pop("Content-Length", str(len(body)))
        start(status, [*headers.items(), ("Content-Length", length)])
        return [body]

    def _answer(self, sent: bytes, environ: dict[str, Any]) -> Answer:
        asked = {key: values[0] for key, values in parse_qs(environ["QUERY_STRING"]).items()}
        if not environ.get("HTTP_AUTHORIZATION", "").startswith("SharedKey "):
            return "403 Forbidden", {}, b"AuthenticationFailed"
        if asked.get("comp") == "list":
            return "200 OK", {}, self._listed(asked.get("prefix", ""))
        name = environ["PATH_INFO"].split("/", 3)[3]
        if environ["REQUEST_METHOD"] == "PUT":
            return self._put(name, asked, sent, environ)
        return self._other(name, environ)

    def _put(
        self, name: str, asked: dict[str, str], sent: bytes, environ: dict[str, Any]
    ) -> Answer:
        if asked.get("comp") == "block":
            self._blocks[name, asked["blockid"]] = sent
            return "201 Created", {}, b""
        if environ.get("HTTP_IF_NONE_MATCH") == "*" and name in self._blobs:
            return "409 Conflict", {"x-ms-error-code": "BlobAlreadyExists"}, b"BlobAlreadyExists"
        if asked.get("comp") == "blocklist":
            ids = re.findall(r"<(?:Latest|Uncommitted)>([^<]+)<", sent.decode())
            sent = b"".join(self._blocks.pop((name, each)) for each in ids)
        elif source := environ.get("HTTP_X_MS_COPY_SOURCE"):
            sent = self._blobs[source.split("/", 5)[5]]
        self._blobs[name] = sent
        return "201 Created", self._about(name), b""

    def _other(self, name: str, environ: dict[str, Any]) -> Answer:
        if name not in self._blobs:
            return "404 Not Found", {"x-ms-error-code": "BlobNotFound"}, b"BlobNotFound"
        headers, blob = self._about(name), self._blobs[name]
        match environ["REQUEST_METHOD"]:
            case "DELETE":
                del self._blobs[name]
                return "202 Accepted", {}, b""
            case "HEAD":
                return "200 OK", headers | {"Content-Length": str(len(blob))}, b""
        wanted = environ.get("HTTP_X_MS_RANGE") or environ.get("HTTP_RANGE", "")
        if found := re.fullmatch(r"bytes=(\d*)-(\d*)", wanted):
            first, last = found.groups()
            begin = int(first) if first else len(blob) - int(last)
            end = min(int(last) + 1, len(blob)) if first and last else len(blob)
            headers["Content-Range"] = f"bytes {begin}-{end - 1}/{len(blob)}"
            return "206 Partial Content", headers, blob[begin:end]
        return "200 OK", headers, blob

    def _about(self, name: str) -> dict[str, str]:
        etag = md5(self._blobs[name], usedforsecurity=False).hexdigest()
        return {
            "ETag": f'"{etag}"',
            "Last-Modified": formatdate(usegmt=True),
            "x-ms-blob-type": "BlockBlob",
        }

    def _listed(self, prefix: str) -> bytes:
        blobs = "".join(
            f"<Blob><Name>{escape(name)}</Name><Properties>"
            f"<Last-Modified>{formatdate(usegmt=True)}</Last-Modified><Etag>1</Etag>"
            f"<Content-Length>{len(blob)}</Content-Length><Content-Type>a/b</Content-Type>"
            "</Properties></Blob>"
            for name, blob in sorted(self._blobs.items())
            if name.startswith(prefix)
        )
        listed = f"<EnumerationResults><Blobs>{blobs}</Blobs><NextMarker /></EnumerationResults>"
        return f'<?xml version="1.0" encoding="utf-8"?>{listed}'.encode()


@contextmanager
def azure_store() -> Iterator[dict[str, str]]:
    """The environment of a client of Azure's own emulator, whose place this store takes."""
    with _served(_AzureBlobs()) as url:
        yield {
            "AZURE_STORAGE_ACCOUNT_NAME": "devstoreaccount1",
            "AZURE_STORAGE_ACCOUNT_KEY": KEY,
            "AZURE_STORAGE_USE_EMULATOR": "true",
            "AZURITE_BLOB_STORAGE_URL": url,
        }
