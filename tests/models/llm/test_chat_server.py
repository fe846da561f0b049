"""What a server can do wrong, over real sockets."""

from __future__ import annotations

import socket

import pytest
from llm_stand_in import LLMStandIn, completion

from lacuna.errors import LacunaError
from lacuna.models.llm.chat_server import LARGEST_REPLY, ChatServer, ReplyProblem, ServerTrouble

HELLO = [{"role": "user", "content": "Hello"}]


def test_a_request_in_the_form_of_the_protocol(
    llm: LLMStandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LACUNA_LLM_KEY", "sk-1")
    llm.says("Hi.")
    assert ChatServer.from_environment("qwen2.5").complete(HELLO, {"type": "object"}) == "Hi."
    (body,) = llm.asked
    assert body["model"] == "qwen2.5"
    assert body["messages"] == HELLO
    assert body["temperature"] == 0
    assert body["response_format"]["json_schema"]["schema"] == {"type": "object"}
    assert llm.headers[0]["Authorization"] == "Bearer sk-1"


def test_the_model_of_the_environment(llm: LLMStandIn, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LACUNA_LLM_MODEL", "smollm2")
    assert ChatServer.from_environment().model == "smollm2"
    assert ChatServer.from_environment("qwen2.5").model == "qwen2.5"


def test_a_server_without_the_options_is_asked_plainly(llm: LLMStandIn) -> None:
    llm.refuses(400, "response_format is not supported")
    llm.says("Hi.")
    server = ChatServer(llm.url, "m")
    assert server.complete(HELLO, {}) == "Hi."
    assert server.complete(HELLO, {}) == "Hi."
    assert [sorted(body) for body in llm.asked] == [
        ["max_tokens", "messages", "model", "response_format", "temperature"],
        ["messages", "model"],
        ["messages", "model"],
    ]


def test_what_is_wrong_with_a_plain_request_is_told(llm: LLMStandIn) -> None:
    llm.refuses(400, "the request exceeds the available context size")
    with pytest.raises(ServerTrouble, match="exceeds the available context size"):
        ChatServer(llm.url, "m").complete(HELLO)


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("LACUNA_LLM_URL", "", "set LACUNA_LLM_URL"),
        ("LACUNA_LLM_URL", "127.0.0.1:80", "is no address"),
        ("LACUNA_LLM_URL", "file:///etc/passwd", "is no address"),
        ("LACUNA_LLM_URL", "http://127.0.0.1:99999/v1", "is no address"),
        ("LACUNA_LLM_URL", "http://me:secret@127.0.0.1/v1", "Put the key into LACUNA_LLM_KEY"),
        ("LACUNA_LLM_KEY", "sk\n1", "Copy the key anew"),
        ("LACUNA_LLM_KEY", "sk–1", "Copy the key anew"),
        ("LACUNA_LLM_TIMEOUT", "soon", "a number of seconds above 0"),
        ("LACUNA_LLM_TIMEOUT", "0", "a number of seconds above 0"),
        ("LACUNA_LLM_TIMEOUT", "inf", "a number of seconds above 0"),
    ],
)
def test_a_wrong_environment(
    llm: LLMStandIn, monkeypatch: pytest.MonkeyPatch, name: str, value: str, told: str
) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(LacunaError, match=told) as raised:
        ChatServer.from_environment("m")
    assert "secret" not in str(raised.value)
    assert "sk" not in str(raised.value)


def test_no_model_is_named(llm: LLMStandIn) -> None:
    with pytest.raises(LacunaError, match="write llm:NAME, or set LACUNA_LLM_MODEL"):
        ChatServer.from_environment()


def test_a_server_that_is_away() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{unused.getsockname()[1]}/v1"
        with pytest.raises(LacunaError, match=r"No server answers at .*refused\. Start it"):
            ChatServer(url, "m").complete(HELLO)


@pytest.mark.parametrize("status", [401, 403])
def test_a_key_that_is_refused(llm: LLMStandIn, status: int) -> None:
    llm.refuses(status, "Incorrect API key")
    with pytest.raises(LacunaError, match=r"Incorrect API key.*Set LACUNA_LLM_KEY"):
        ChatServer(llm.url, "m").complete(HELLO)


def test_a_wrong_model(llm: LLMStandIn) -> None:
    llm.refuses(404, "model 'qwen' not found")
    told = r"no model 'qwen'.*not found.*Did you mean qwen2\.5\? The server has: qwen2\.5, smollm2"
    with pytest.raises(LacunaError, match=told):
        ChatServer(llm.url, "qwen").complete(HELLO)


def test_a_redirect_is_not_followed(llm: LLMStandIn) -> None:
    llm.sends(b"", 307)
    with pytest.raises(LacunaError, match=r"Set LACUNA_LLM_URL .*'http://elsewhere\.example/v1'"):
        ChatServer(llm.url, "m", key="sk-1").complete(HELLO)
    assert len(llm.asked) == 1


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_server_that_fails(llm: LLMStandIn, status: int) -> None:
    llm.refuses(status, "loading the model")
    with pytest.raises(ServerTrouble, match=f"{status} .*loading the model"):
        ChatServer(llm.url, "m").complete(HELLO)


@pytest.mark.parametrize("drip", [False, True])
def test_a_slow_server(llm: LLMStandIn, drip: bool) -> None:
    llm.waits(20, drip=drip)
    with pytest.raises(ServerTrouble, match=r"within 0\.3 seconds.*LACUNA_LLM_TIMEOUT=SECONDS"):
        ChatServer(llm.url, "m", timeout=0.3).complete(HELLO)


def test_half_a_reply(llm: LLMStandIn) -> None:
    llm.breaks_off()
    with pytest.raises(ServerTrouble, match="broke off its reply"):
        ChatServer(llm.url, "m").complete(HELLO)


def test_no_reply_at_all(llm: LLMStandIn) -> None:
    llm.hangs_up()
    with pytest.raises(ServerTrouble, match="broke off its reply"):
        ChatServer(llm.url, "m").complete(HELLO)


def test_a_huge_reply(llm: LLMStandIn) -> None:
    llm.sends(b" " * (LARGEST_REPLY + 1))
    with pytest.raises(ServerTrouble, match="more than 4 MB"):
        ChatServer(llm.url, "m").complete(HELLO)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"<html>Welcome</html>",
        b"[]",
        b"null",
        b'{"choices": []}',
        b'{"choices": [{"message": null}]}',
        b'{"choices": [{"message": {"content": ["a"]}}]}',
        b'{"error": "no such route"}',
        b"[" * 100_000,
        b"\xff\xfe",
    ],
)
def test_no_completion(llm: LLMStandIn, body: bytes) -> None:
    llm.sends(body)
    with pytest.raises(ServerTrouble, match=r"sent no chat completion.*ends in /v1"):
        ChatServer(llm.url, "m").complete(HELLO)


@pytest.mark.parametrize("content", [None, "", " \n"])
def test_an_empty_reply(llm: LLMStandIn, content: str | None) -> None:
    llm.sends(completion(content))
    with pytest.raises(ReplyProblem, match="was empty"):
        ChatServer(llm.url, "m").complete(HELLO)


def test_a_reply_that_was_cut_off(llm: LLMStandIn) -> None:
    llm.sends(completion('{"kind": "sp', "length"))
    with pytest.raises(ReplyProblem, match="cut off after 12 characters"):
        ChatServer(llm.url, "m").complete(HELLO)
