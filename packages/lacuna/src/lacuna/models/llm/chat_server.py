"""An OpenAI-compatible server: messages in, one reply out, and what can go wrong on the way."""

from __future__ import annotations

import http.client
import io
import json
import math
import os
import socket
import time
import urllib.error
import urllib.request
from collections.abc import Sequence
from difflib import get_close_matches
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from typing import IO, Any, NoReturn
from urllib.parse import urlsplit

from lacuna.errors import LacunaError, shown

URL = "LACUNA_LLM_URL"
KEY = "LACUNA_LLM_KEY"
MODEL = "LACUNA_LLM_MODEL"
TIMEOUT = "LACUNA_LLM_TIMEOUT"
DEFAULT_TIMEOUT = 120.0
LARGEST_REPLY = 4 << 20
"""Bytes, headers included; a chat completion has a few thousand."""
LONGEST_REPLY = 2048
"""Tokens; a small model that repeats itself is stopped here."""
LISTING_TIMEOUT = 5.0
PAUSE = 0.5
"""Seconds before a busy server is asked once more, where it does not say how many."""

Message = dict[str, str]


class ReplyProblem(Exception):  # noqa: N818 - it never reaches a user under this name
    """One question got no usable reply; the next one may. The message ends with a full stop."""


class ServerTrouble(ReplyProblem):
    """The server, not the model, is the reason; where it happens again, going on is no use."""


class _Busy(ServerTrouble):
    """The server may do better when it is asked again after a pause."""

    def __init__(self, told: str, pause: float) -> None:
        super().__init__(told)
        self.pause = pause


class _Deadline:
    """The moment at which everything about one reply must be over."""

    def __init__(self, seconds: float) -> None:
        self._end = time.monotonic() + seconds

    def left(self) -> float:
        """The seconds until then; none left is a time-out."""
        if (left := self._end - time.monotonic()) > 0:
            return left
        raise TimeoutError("timed out")

    def allows(self, pause: float) -> bool:
        """Tell if there is time left after a pause."""
        return time.monotonic() + pause < self._end


class _TooMuch(http.client.HTTPException):
    """The server sends more than any reply has."""


class _Incoming(io.RawIOBase):
    """What a server sends on one connection, from the status line to the trailers of a chunk.

    The timeout of a socket begins anew with every byte, and `http.client` reads as many lines of
    "100 Continue" as there are: both end here.
    """

    def __init__(self, sock: socket.socket, deadline: _Deadline) -> None:
        self._socket, self._deadline = sock, deadline
        self._file = sock.makefile("rb", buffering=0)
        self._room = LARGEST_REPLY

    def makefile(self, mode: str) -> io.BufferedReader:
        """Itself, as a response wants it."""
        return io.BufferedReader(self)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        self._socket.settimeout(self._deadline.left())
        received = self._file.readinto(buffer) or 0
        self._room -= received
        if self._room < 0:
            raise _TooMuch
        return received

    def close(self) -> None:
        self._file.close()
        super().close()


class _Connection(http.client.HTTPConnection):
    """A connection whose timeout is over all that happens on it."""

    def __init__(self, host: str, *, timeout: float = DEFAULT_TIMEOUT, **options: Any) -> None:
        super().__init__(host, timeout=timeout, **options)
        self._deadline = _Deadline(timeout)
        self._create_connection = self._reach
        self.response_class = self._response  # type: ignore[assignment]

    def _reach(self, address: tuple[str, int], *_: Any) -> socket.socket:
        """The first address of a host that answers; the next thing is the handshake."""
        failed: OSError | None = None
        for family, kind, protocol, _name, place in socket.getaddrinfo(
            *address, type=socket.SOCK_STREAM
        ):
            sock = socket.socket(family, kind, protocol)
            try:
                sock.settimeout(self._deadline.left())
                sock.connect(place)
                sock.settimeout(self._deadline.left())
                return sock
            except OSError as error:
                sock.close()
                failed = error
        raise failed or OSError("its name has no address")

    def send(self, data: Any) -> None:
        if self.sock is None:
            self.connect()
        waiting = memoryview(data)
        while waiting:
            self.sock.settimeout(self._deadline.left())
            waiting = waiting[self.sock.send(waiting) :]

    def _response(self, sock: socket.socket, **options: Any) -> http.client.HTTPResponse:
        return http.client.HTTPResponse(_Incoming(sock, self._deadline), **options)  # type: ignore[arg-type]


class _SecureConnection(_Connection, http.client.HTTPSConnection):
    pass


class _Handler(urllib.request.HTTPHandler, urllib.request.HTTPSHandler):
    def http_open(self, request: urllib.request.Request) -> http.client.HTTPResponse:
        return self.do_open(_Connection, request)

    def https_open(self, request: urllib.request.Request) -> http.client.HTTPResponse:
        return self.do_open(_SecureConnection, request)


def _opener() -> urllib.request.OpenerDirector:
    """What opens HTTP alone, by a proxy if there is one, and follows no redirect: that would carry
    the key to another address."""
    opener = urllib.request.OpenerDirector()
    opener.addheaders = []
    for handler in (
        urllib.request.ProxyHandler(),
        _Handler(),
        urllib.request.HTTPDefaultErrorHandler(),
        urllib.request.HTTPErrorProcessor(),
    ):
        opener.add_handler(handler)
    return opener


class ChatServer:
    """A model behind a server; several threads may share one.

    >>> server = ChatServer("http://127.0.0.1:8080/v1", "qwen2.5")  # doctest: +SKIP
    >>> server.complete([{"role": "user", "content": "Hello"}])  # doctest: +SKIP
    'Hello! How can I help you?'
    """

    def __init__(
        self, url: str, model: str, *, key: str = "", timeout: float = DEFAULT_TIMEOUT
    ) -> None:
        self.url = _checked(url).rstrip("/")
        self.model = model
        self._headers = {"Content-Type": "application/json"}
        if key:
            if not (key.isascii() and key.isprintable()):
                raise LacunaError(f"{KEY} holds characters that no key has. Copy the key anew.")
            self._headers["Authorization"] = f"Bearer {key}"
        self._timeout = timeout
        self._opener = _opener()
        self._plain = False
        """True if the server refuses the options that not every server knows."""

    @classmethod
    def from_environment(cls, model: str = "") -> ChatServer:
        """The server that the environment names, asked for this model or the environment's."""
        url = os.environ.get(URL, "").strip()
        if not url:
            raise LacunaError(
                f"The reader llm needs to know its server: set {URL} to the address of an "
                "OpenAI-compatible one, such as http://127.0.0.1:8080/v1."
            )
        model = model or os.environ.get(MODEL, "").strip()
        if not model:
            raise LacunaError(
                f"The reader llm needs the name of a model: write llm:NAME, or set {MODEL}."
            )
        return cls(url, model, key=os.environ.get(KEY, "").strip(), timeout=_timeout())

    def complete(self, messages: Sequence[Message], schema: dict[str, Any] | None = None) -> str:
        """The text of the reply; the server is asked to keep to the schema, if it can."""
        body: dict[str, Any] = {"model": self.model, "messages": list(messages)}
        options: dict[str, Any] = {"temperature": 0, "max_tokens": LONGEST_REPLY}
        if schema is not None:
            form = {"name": "reply", "strict": True, "schema": schema}
            options["response_format"] = {"type": "json_schema", "json_schema": form}
        deadline = _Deadline(self._timeout)
        if not self._plain:
            try:
                return self._text(self._post({**body, **options}, deadline))
            except _RefusedOptions:
                reply = self._post(body, deadline)  # what else is wrong is raised from here
                self._plain = True
                return self._text(reply)
        return self._text(self._post(body, deadline))

    def _post(self, body: dict[str, Any], deadline: _Deadline) -> bytes:
        """The reply to a request; a server that is busy is asked once more."""
        try:
            return self._post_once(body, deadline)
        except _Busy as busy:
            if not deadline.allows(busy.pause):
                raise
            time.sleep(busy.pause)
            return self._post_once(body, deadline)

    def _post_once(self, body: dict[str, Any], deadline: _Deadline) -> bytes:
        data = json.dumps(body).encode()
        request = urllib.request.Request(f"{self.url}/chat/completions", data, self._headers)
        try:
            with self._opener.open(request, timeout=deadline.left()) as response:
                received: bytes = response.read(LARGEST_REPLY)
                if response.length:  # what was announced and did not come
                    raise http.client.IncompleteRead(received, response.length)
                return received
        except urllib.error.HTTPError as error:
            with error:
                self._explain(error, deadline, can_be_plainer=len(body) > 2)
        except urllib.error.URLError as error:
            raise LacunaError(
                f"No server answers at {self.url}: {_reason(error)}. Start it, or set {URL} to the "
                "address of one that runs."
            ) from error
        except TimeoutError as error:
            raise self._too_slow() from error
        except _TooMuch as error:
            raise ServerTrouble(
                f"{self.url} sent more than {LARGEST_REPLY >> 20} MB, which is no reply to a "
                "question. Look into its log."
            ) from error
        except (OSError, http.client.HTTPException) as error:
            raise ServerTrouble(
                f"{self.url} broke off its reply ({_reason(error)}). Look into its log."
            ) from error

    def _too_slow(self) -> ServerTrouble:
        return ServerTrouble(
            f"{self.url} did not reply within {self._timeout:g} seconds. Give it more time with "
            f"{TIMEOUT}=SECONDS, or take a smaller model."
        )

    def _explain(
        self, error: urllib.error.HTTPError, deadline: _Deadline, *, can_be_plainer: bool
    ) -> NoReturn:
        """Explain why the server refused, and say what to do about it."""
        said = _error_message(_read(error))
        status = f"{error.code} {error.reason[:80]}".strip() + (f": {said}" if said else "")
        match error.code:
            case HTTPStatus.UNAUTHORIZED | HTTPStatus.FORBIDDEN:
                raise LacunaError(
                    f"{self.url} refuses the key ({status}). Set {KEY} to one that it takes."
                ) from error
            case HTTPStatus.NOT_FOUND:
                raise LacunaError(
                    f"{self.url} has no model {self.model!r}, or is not the address of the "
                    f"protocol, which mostly ends in /v1 ({status}). {self._models(deadline)}"
                ) from error
            case HTTPStatus.BAD_REQUEST | HTTPStatus.UNPROCESSABLE_ENTITY if can_be_plainer:
                raise _RefusedOptions from error
            case code if 300 <= code < 400:
                raise LacunaError(
                    f"{self.url} sends its callers elsewhere ({status}). Set {URL} to the address "
                    f"itself: {shown(error.headers.get('Location'))}."
                ) from error
            case HTTPStatus.TOO_MANY_REQUESTS:
                advice = "Wait a while, or set a smaller LACUNA_THREADS."
            case _:
                advice = "Look into its log."
        told = f"{self.url} could not reply ({status}). {advice}"
        if error.code == HTTPStatus.TOO_MANY_REQUESTS or error.code >= 500:
            raise _Busy(told, _pause(error.headers.get("Retry-After"))) from error
        raise ServerTrouble(told) from error

    def _models(self, deadline: _Deadline) -> str:
        """The models that the server has, where it tells."""
        request = urllib.request.Request(f"{self.url}/models", headers=self._headers)
        try:
            seconds = min(LISTING_TIMEOUT, deadline.left())
            with self._opener.open(request, timeout=seconds) as response:
                listed = json.loads(response.read(LARGEST_REPLY))["data"]
            names = sorted({str(model["id"]) for model in listed})
        except (OSError, http.client.HTTPException, ValueError, LookupError, TypeError):
            return f"Check the name and {URL}."
        close = get_close_matches(self.model, names, n=1)
        hint = f"Did you mean {close[0]}? " if close else ""
        return f"{hint}The server has: {', '.join(names[:20]) or 'none'}."

    def _text(self, reply: bytes) -> str:
        """The text that the model wrote."""
        try:
            payload = json.loads(reply)
            choice = payload["choices"][0]
            text = choice["message"].get("content") or ""
            if not isinstance(text, str):
                raise TypeError
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
            said = _error_message(reply) or "nothing"
            raise ServerTrouble(
                f"{self.url} sent no chat completion, but {said}. Check that {URL} is the address "
                "of an OpenAI-compatible server; it mostly ends in /v1."
            ) from error
        if choice.get("finish_reason") == "length":
            raise ReplyProblem(
                f"The model's reply was cut off after {len(text):,} characters. Take a model that "
                "keeps to the form, or give the server room for a longer reply."
            )
        if not text.strip():
            raise ReplyProblem("The model's reply was empty. Take another model.")
        return text


class _RefusedOptions(Exception):  # noqa: N818 - caught above
    """The server may do without what is optional in a request."""


def _checked(url: str) -> str:
    try:
        parts = urlsplit(url)
        known = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        known = False
    if not known or not url.isascii() or not url.isprintable() or " " in url:
        raise LacunaError(
            f"{URL} is {shown(url)}, which is no address. Write it like http://127.0.0.1:8080/v1."
        )
    if parts.username is not None or parts.query or parts.fragment:
        raise LacunaError(
            f"{URL} has more than an address in it (a user, a ? or a #). Put the key into {KEY} "
            "and leave the rest out."
        )
    return url


def _timeout() -> float:
    written = os.environ.get(TIMEOUT, "").strip()
    try:
        seconds = float(written) if written else DEFAULT_TIMEOUT
    except ValueError:
        seconds = math.nan
    if not 0 < seconds < math.inf:
        raise LacunaError(f"{TIMEOUT} is {shown(written)}; it takes a number of seconds above 0.")
    return seconds


def _pause(written: str | None) -> float:
    """The seconds that a server asks for: as a number, or as the date to come back."""
    try:
        seconds = float(written or PAUSE)
    except ValueError:
        try:
            seconds = parsedate_to_datetime(written or "").timestamp() - time.time()
        except (ValueError, OverflowError):
            return PAUSE
        return max(seconds, 0)
    return seconds if seconds >= 0 else PAUSE


def _reason(error: Exception) -> str:
    inner = getattr(error, "reason", None)
    error = inner if isinstance(inner, Exception) else error
    return str(getattr(error, "strerror", None) or error or type(error).__name__)


def _read(body: IO[bytes]) -> bytes:
    try:
        return body.read(1 << 16)
    except (OSError, http.client.HTTPException):
        return b""


def _error_message(body: bytes) -> str:
    """The server's error message where it keeps to the form, else the beginning of its reply."""
    try:
        payload = json.loads(body)
        inner = payload.get("error", payload)
        message = inner if isinstance(inner, str) else inner["message"]
        if isinstance(message, str):
            return shown(message, 300)
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        pass
    text = body[:600].decode("utf-8", "replace").strip()
    return shown(text, 120) if text else ""
