"""What is asked and read stays on the machine."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from lacuna.models.model_folder import SHIPPED, WEIGHTS

WATCHED = """
import sys

def watch(event, arguments):
    if event in ("socket.connect", "socket.getaddrinfo", "socket.sendto", "urllib.Request"):
        sys.stderr.write(f"REACHED OUT: {event} {arguments}")
        sys.stderr.flush()
        import os
        os._exit(99)

sys.addaudithook(watch)
from lacuna.cli import main
main(sys.argv[1:])
"""


def run(cache: Path, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", WATCHED, *map(str, arguments)]
    environment = {**os.environ, "LACUNA_CACHE": str(cache)}
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


def test_nothing_reaches_out(tmp_path: Path, examples: Path) -> None:
    if not (SHIPPED / "small" / WEIGHTS).is_file():
        pytest.skip("the small model is not in this checkout")
    notes, cache = examples / "notes", tmp_path / "cache"
    gold = examples / "squad.json"
    for command in (
        ("index", notes, "--out", tmp_path / "corpus"),
        ("search", tmp_path / "corpus", "school"),
        ("ask", "Where did Ada Quill teach?", "--corpus", notes),
        ("evaluate", "squad", gold),
        ("score", "squad", gold, examples / "squad_predictions.json"),
        ("info",),
    ):
        ran = run(cache, *command)
        assert ran.returncode == 0, (command, ran.stderr)
    assert cache.stat().st_mode & 0o777 == 0o700, "what documents say is for their owner alone"


def test_the_watch_sees_what_reaches_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LACUNA_LLM_URL", "http://127.0.0.1:9/v1")
    ran = run(tmp_path, "ask", "Who?", "--reader", "llm:any")
    assert (ran.returncode, "REACHED OUT" in ran.stderr) == (99, True)
