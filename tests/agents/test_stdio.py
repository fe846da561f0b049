"""``lacuna mcp`` in a process of its own, as an assistant starts it."""

from __future__ import annotations

import json
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from agent_parts import notes_in, run, started, text_of, values_of
from mcp import Client

HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
}


@contextmanager
def process(folder: Path, *options: str | Path) -> Iterator[subprocess.Popen[str]]:
    """The same process, spoken to by hand."""
    settings = started(folder, *options)
    with (
        (folder / "errors.txt").open("w") as errors,
        subprocess.Popen(
            [settings.command, *settings.args],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            env=settings.env,
            text=True,
            # Where tests run in the background, Ctrl-C is ignored, and so it would be here.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        ) as running,
    ):
        try:
            yield running
        finally:
            running.kill()


def say(running: subprocess.Popen[str], *messages: dict[str, Any] | str) -> None:
    assert running.stdin is not None
    for message in messages:
        line = message if isinstance(message, str) else json.dumps(message)
        running.stdin.write(line + "\n")
    running.stdin.flush()


def heard(running: subprocess.Popen[str]) -> dict[str, Any]:
    assert running.stdout is not None
    message: dict[str, Any] = json.loads(running.stdout.readline())
    return message


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_a_session_over_the_demo(tmp_path: Path, mode: str) -> None:
    told: list[str | None] = []

    async def note(progress: float, total: float | None, message: str | None) -> None:
        told.append(message)

    async def session() -> None:
        async with Client(started(tmp_path), mode=mode) as client:
            assert client.server_info is not None
            assert client.server_info.name == "lacuna"
            assert "demo corpus" in (client.instructions or "")
            result = await client.call_tool(
                "ask", {"question": "How high is Carrow Fell?"}, progress_callback=note
            )
            answer = values_of(result)
            assert (answer["answer"]["value"], answer["answer"]["unit"]) == (684, "metres")
            assert "684 metres" in answer["sources"][0]["quote"]
            assert "[1]" in text_of(result)
            assert len((await client.list_resources()).resources) > 50

    run(session())
    assert any("Carrow Fell" in (word or "") for word in told)


def test_several_corpora_are_one_library(tmp_path: Path) -> None:
    notes = notes_in(tmp_path)
    other = tmp_path / "other"
    other.mkdir()
    (other / "Tern.md").write_text("# Tern\n\nThe tern is a bird.\n", encoding="utf-8")

    async def titles() -> set[str]:
        options = ("--corpus", notes, "--corpus", other)
        async with Client(started(tmp_path, *options)) as client:
            assert "notes and other" in (client.instructions or "")
            listed = values_of(await client.call_tool("list_documents", {}))
            return {one["title"] for one in listed["documents"]}

    assert {"Tern", "Marrow", "Plan (2023)"} <= run(titles())


def test_changed_files_are_read_again(tmp_path: Path) -> None:
    notes = notes_in(tmp_path)

    async def finds_it() -> bool:
        async with Client(started(tmp_path, "--corpus", notes, "--watch")) as client:
            assert "Nothing" in text_of(await client.call_tool("search", {"query": "zeppelin"}))
            (notes / "New.md").write_text("# New\n\nA zeppelin came.\n", encoding="utf-8")
            while True:
                found = values_of(await client.call_tool("search", {"query": "zeppelin"}))
                if found["passages"]:
                    return True

    assert run(finds_it())


def test_nothing_but_the_protocol_comes_out(tmp_path: Path) -> None:
    with process(tmp_path, "--corpus", notes_in(tmp_path)) as running:
        say(running, "no json", "[1, 2]", '{"jsonrpc": "2.0"}', "\x00", HELLO)
        out, _ = running.communicate(timeout=60)
    messages = [json.loads(line) for line in out.splitlines()]
    assert all(message["jsonrpc"] == "2.0" for message in messages)
    assert [message["result"]["serverInfo"]["name"] for message in messages if "result" in message]
    assert running.returncode == 0


def test_a_client_that_goes_away_in_the_middle_ends_it(tmp_path: Path) -> None:
    asking = {"name": "ask", "arguments": {"question": "Who founded the Bank of Selmory?"}}
    with process(tmp_path) as running:
        say(running, HELLO)
        assert heard(running)["id"] == 1
        say(running, {"jsonrpc": "2.0", "method": "notifications/initialized"})
        for number in range(2, 12):
            say(running, {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": asking})
        assert running.stdout is not None
        running.stdout.close()
        assert running.stdin is not None
        running.stdin.close()
        assert running.wait(60) == 0
    assert "Traceback" not in (tmp_path / "errors.txt").read_text()


@pytest.mark.parametrize(("sent", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)])
def test_a_signal_ends_it_though_nothing_was_said(
    tmp_path: Path, sent: signal.Signals, code: int
) -> None:
    with process(tmp_path) as running:
        say(running, HELLO)
        assert heard(running)["id"] == 1
        running.send_signal(sent)
        assert running.wait(30) == code
    assert "Traceback" not in (tmp_path / "errors.txt").read_text()


def test_a_corpus_that_is_not_there_ends_it_before_it_speaks(tmp_path: Path) -> None:
    with process(tmp_path, "--corpus", tmp_path / "nowhere") as running:
        out, _ = running.communicate(timeout=60)
    assert (running.returncode, out) == (2, "")
    assert "There is no file or folder" in (tmp_path / "errors.txt").read_text()
