"""What is asked and read stays on the machine: seen from outside, where native code cannot hide."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from urllib.request import Request, urlopen

import pytest
from served import PRINTED
from watched import LACUNA, Watch, watch

from lacuna.models.model_folder import SHIPPED, WEIGHTS

pytestmark = pytest.mark.skipif(
    not (SHIPPED / "small" / WEIGHTS).is_file(), reason="the small model is not in this checkout"
)
REACHING = """
import socket
with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sent:
    try:
        sent.connect(("203.0.113.9", 9))
    except OSError:
        pass
"""


def test_commands_reach_nothing_and_leave_nothing(tmp_path: Path, examples: Path) -> None:
    notes, gold = examples / "notes", examples / "squad.json"
    with watch(tmp_path) as watched:
        for arguments in (
            ("index", notes, "--out", tmp_path / "corpus"),
            ("search", "school", "--corpus", tmp_path / "corpus"),
            ("ask", "Where did Ada Quill teach?", "--corpus", notes),
            ("evaluate", "squad", gold),
            ("score", "squad", gold, examples / "squad_predictions.json"),
            ("info",),
        ):
            watched.run(*arguments)
    cache = watched.home / ".cache" / "lacuna"
    assert cache.stat().st_mode & 0o777 == 0o700, "what documents say is for their owner alone"


def test_a_server_reaches_nothing_and_leaves_nothing(tmp_path: Path, examples: Path) -> None:
    with watch(tmp_path) as watched:
        serve = (*LACUNA, "serve", "--port", "0", "--no-token", "--corpus", examples / "notes")
        with subprocess.Popen(
            watched.under(serve), env=watched.environment, stdout=subprocess.PIPE, text=True
        ) as server:
            assert server.stdout is not None
            try:
                printed = PRINTED.search(server.stdout.readline())
                assert printed is not None
                body = json.dumps({"question": "Where did Ada Quill teach?"}).encode()
                json_type = {"content-type": "application/json"}
                asked = Request(f"{printed[1].rstrip('/')}/api/v1/ask", body, json_type)
                with urlopen(asked, timeout=60) as answer:
                    assert json.load(answer)["answer"]["text"]
            finally:
                server.terminate()


def test_an_agent_s_server_reaches_nothing_and_leaves_nothing(
    tmp_path: Path, examples: Path
) -> None:
    pytest.importorskip("mcp")
    hello = {
        "jsonrpc": "2.0", "id": 1, "method": "initialize",
        "params": {"protocolVersion": "2025-06-18", "capabilities": {},
                   "clientInfo": {"name": "test", "version": "1"}},
    }  # fmt: skip
    ready = {"jsonrpc": "2.0", "method": "notifications/initialized"}
    call = {
        "jsonrpc": "2.0", "id": 2, "method": "tools/call",
        "params": {"name": "ask", "arguments": {"question": "Where did Ada Quill teach?"}},
    }  # fmt: skip
    with (
        watch(tmp_path) as watched,
        subprocess.Popen(
            watched.under((*LACUNA, "mcp", "--corpus", examples / "notes")),
            env=watched.environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        ) as server,
    ):
        assert server.stdin is not None
        assert server.stdout is not None
        try:
            for message in (hello, ready, call):
                server.stdin.write(json.dumps(message) + "\n")
            server.stdin.flush()
            lines = iter(server.stdout.readline, "")
            answer = next(line for line in lines if json.loads(line).get("id") == 2)
            assert "result" in json.loads(answer), answer
        finally:
            server.stdin.close()


def test_the_watch_sees_what_native_code_and_children_do(tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    watched = Watch(tmp_path / "home", tmp_path / "calls")
    child = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {REACHING!r}])"
    watched.run(command=(sys.executable, "-c", child))
    assert watched.reached() == {"203.0.113.9"}
    (watched.home / ".cache" / "maker").mkdir(parents=True)
    (watched.home / ".cache" / "maker" / "deviceid").touch()
    assert watched.left() == [".cache/maker/deviceid"]


def test_no_part_of_it_reports_to_its_maker(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("ORT_DISABLE_TELEMETRY", "RAY_USAGE_STATS_ENABLED", "HF_HUB_DISABLE_TELEMETRY"):
        monkeypatch.delenv(name)
    shown = subprocess.run(
        [sys.executable, "-c", "import lacuna, os; print(dict(os.environ))"],
        capture_output=True, text=True, check=True, env=dict(os.environ),
    ).stdout  # fmt: skip
    assert "'ORT_DISABLE_TELEMETRY': '1'" in shown
    assert "'RAY_USAGE_STATS_ENABLED': '0'" in shown
    assert "'HF_HUB_DISABLE_TELEMETRY': '1'" in shown
