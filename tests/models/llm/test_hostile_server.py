"""A server that would hold its caller for ever: one deadline and one bound cover a whole reply."""

from __future__ import annotations

import gzip
import socket
import threading
import time
from collections.abc import Callable, Iterator
from email.utils import formatdate

import pytest
from llm_stand_in import LLMStandIn, completion

from lacuna.errors import LacunaError
from lacuna.models.llm.chat_server import ChatServer, ReplyProblem, ServerTrouble
from lacuna.models.llm.llm_prompt import MOST_QUOTES, parse_reply

HELLO = [{"role": "user", "content": "Hello"}]
PATIENCE = 8.0
"""Seconds after which a hostile server stops by itself: a test that fails must end, too."""
OK = b"HTTP/1.1 200 OK\r\n"
CHUNKED = OK + b"Transfer-Encoding: chunked\r\n\r\n"

Serve = Callable[..., str]


@pytest.fixture
def serve(monkeypatch: pytest.MonkeyPatch) -> Iterator[Serve]:
    """Start a server that sends so: first these bytes, then those again and again."""
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    ended = threading.Event()
    listening: list[socket.socket] = []

    def talk(caller: socket.socket, first: bytes, again: bytes, pause: float) -> None:
        end = time.monotonic() + PATIENCE
        with caller:
            try:
                caller.recv(1 << 16)
                caller.sendall(first)
                while again and time.monotonic() < end and not ended.wait(pause):
                    caller.sendall(again)
            except OSError:  # the caller has gone, as it should
                pass

    def start(first: bytes = b"", again: bytes = b"", pause: float = 0.0) -> str:
        server = socket.create_server(("127.0.0.1", 0))
        listening.append(server)

        def accept() -> None:
            while True:
                try:
                    caller = server.accept()[0]
                except OSError:
                    return
                threading.Thread(
                    target=talk, args=(caller, first, again, pause), daemon=True
                ).start()

        threading.Thread(target=accept, daemon=True).start()
        return f"http://127.0.0.1:{server.getsockname()[1]}/v1"

    yield start
    ended.set()
    for server in listening:
        server.close()


@pytest.mark.parametrize(
    ("first", "again", "pause"),
    [
        (b"", b"HTTP/1.1 100 Continue\r\n\r\n", 0.05),
        (b"HTTP/1.1 2", b"0", 0.05),
        (OK, b"A: b\r\n", 0.2),
        (OK + b"A: ", b"b", 0.05),
        (OK + b"\r\n", b" ", 0.05),
        (OK + b"Content-Length: 3000\r\n\r\n", b" ", 0.05),
        (CHUNKED, b"1\r\n \r\n", 0.05),
        (CHUNKED + b"1;", b"x", 0.05),
        (CHUNKED + b"0\r\n", b"A: b\r\n", 0.05),
        (b"HTTP/1.1 500 Broken\r\n\r\n", b"x", 0.05),
        (b"HTTP/1.1 429 Busy\r\nRetry-After: 0\r\n\r\n", b"x", 0.05),
    ],
    ids=lambda part: part.decode()[-20:].strip() if isinstance(part, bytes) else None,
)
def test_what_is_dripped_ends_at_the_deadline(
    serve: Serve, first: bytes, again: bytes, pause: float
) -> None:
    started = time.monotonic()
    with pytest.raises(ServerTrouble, match=r"did not reply within|could not reply"):
        ChatServer(serve(first, again, pause), "m", timeout=0.6).complete(HELLO)
    assert time.monotonic() - started < PATIENCE - 2


@pytest.mark.parametrize(
    ("first", "again"),
    [
        (b"", b"HTTP/1.1 100 Continue\r\n\r\n" * 2000),
        (OK + b"\r\n", b" " * 65536),
        (OK + b"Content-Length: 10000000000\r\n\r\n", b" " * 65536),
        (CHUNKED, b"8000\r\n" + b" " * 0x8000 + b"\r\n"),
        (CHUNKED + b"0\r\n", b"A: b\r\n" * 5000),
    ],
)
def test_what_floods_ends_at_the_bound(serve: Serve, first: bytes, again: bytes) -> None:
    with pytest.raises(ServerTrouble, match="more than 4 MB"):
        ChatServer(serve(first, again), "m", timeout=60).complete(HELLO)


@pytest.mark.parametrize("again", [b"A: b\r\n" * 50, b"A" * 65536])
def test_headers_have_a_number_and_a_size(serve: Serve, again: bytes) -> None:
    with pytest.raises(ServerTrouble, match=r"broke off its reply \(got more than"):
        ChatServer(serve(OK, again), "m", timeout=60).complete(HELLO)


def test_a_status_line_is_not_repeated_whole(serve: Serve) -> None:
    with pytest.raises(ServerTrouble, match="could not reply") as raised:
        ChatServer(serve(b"HTTP/1.0 418 " + b"x" * 60_000 + b"\r\n\r\n"), "m").complete(HELLO)
    assert len(str(raised.value)) < 1000


def test_what_is_packed_is_not_unpacked(serve: Serve) -> None:
    bomb = gzip.compress(b"\0" * (50 << 20))
    sent = OK + b"Content-Encoding: gzip\r\nContent-Length: %d\r\n\r\n" % len(bomb) + bomb
    with pytest.raises(ServerTrouble, match="sent no chat completion"):
        ChatServer(serve(sent), "m").complete(HELLO)


def test_a_server_that_does_not_read(serve: Serve) -> None:
    server = socket.create_server(("127.0.0.1", 0))
    server.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    ends = pytest.raises((LacunaError, ServerTrouble), match=r"timed out|did not reply within")
    with server, ends:
        url = f"http://127.0.0.1:{server.getsockname()[1]}/v1"
        ChatServer(url, "m", timeout=0.6).complete([{"role": "user", "content": "x" * (30 << 20)}])


@pytest.mark.parametrize(
    "place",
    ["{elsewhere}/chat/completions", "file:///etc/passwd", "http://[", "//x/v1", "ftp://x/", ""],
)
def test_nobody_else_is_asked(llm: LLMStandIn, serve: Serve, place: str) -> None:
    llm.sends(completion("This was asked elsewhere."))
    to = place.format(elsewhere=llm.url).encode()
    url = serve(b"HTTP/1.1 302 Found\r\nContent-Length: 0\r\nLocation: " + to + b"\r\n\r\n")
    with pytest.raises(LacunaError, match="sends its callers elsewhere"):
        ChatServer(url, "m", key="sk-1").complete(HELLO)
    assert llm.asked == []


def test_the_list_of_models_has_the_same_deadline(
    llm: LLMStandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    llm.refuses(404, "no such model")
    llm.lists_models_slowly(PATIENCE)
    with pytest.raises(LacunaError, match=r"has no model 'm'.*Check the name"):
        ChatServer(llm.url, "m", timeout=0.6).complete(HELLO)


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_busy_server_is_asked_once_more(llm: LLMStandIn, status: int) -> None:
    llm.refuses(status, "loading the model")
    llm.says("Hi.")
    assert ChatServer(llm.url, "m").complete(HELLO) == "Hi."
    assert len(llm.asked) == 2


@pytest.mark.parametrize("after", ["0", "1", formatdate(0, usegmt=True), "soon", "-3", "nan"])
def test_a_busy_server_says_when_to_ask_again(
    llm: LLMStandIn, monkeypatch: pytest.MonkeyPatch, after: str
) -> None:
    slept: list[float] = []
    monkeypatch.setattr("lacuna.models.llm.chat_server.time.sleep", slept.append)
    llm.refuses(429, "slow down", after)
    llm.says("Hi.")
    assert ChatServer(llm.url, "m").complete(HELLO) == "Hi."
    assert slept == [{"0": 0, "1": 1, formatdate(0, usegmt=True): 0}.get(after, 0.5)]


@pytest.mark.parametrize("after", ["3600", "Fri, 20 Nov 2099 02:47:40 GMT", "1e400"])
def test_nobody_waits_beyond_the_deadline(llm: LLMStandIn, after: str) -> None:
    llm.refuses(503, "down until tomorrow", after)
    with pytest.raises(ServerTrouble, match="down until tomorrow"):
        ChatServer(llm.url, "m").complete(HELLO)
    assert len(llm.asked) == 1


def test_a_reply_is_read_in_linear_time() -> None:
    with pytest.raises(ReplyProblem, match="no JSON object"):
        parse_reply("<think>" * 300_000)


def test_quotes_without_end_are_refused() -> None:
    quotes = ", ".join(['{"passage": 1, "text": "a"}'] * (MOST_QUOTES + 1))
    with pytest.raises(ReplyProblem, match="more than"):
        parse_reply(f'{{"kind": "yes", "quotes": [{quotes}]}}')
