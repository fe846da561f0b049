"""From the command to a running server."""

from __future__ import annotations

import re
import signal
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx

NOTE = "# Heron\n\nThe heron is a bird that eats fish.\n"


def test_a_folder_of_notes_from_the_shell(tmp_path: Path) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "Heron.md").write_text(NOTE)
    command = [sys.executable, "-m", "lacuna", "serve", "--port", "0", "--threads", "1"]
    with subprocess.Popen(
        [*command, "--corpus", str(tmp_path / "notes")],
        stdout=subprocess.PIPE,
        text=True,
        env={**_environment(), "LACUNA_CACHE": str(tmp_path / "cache"), "TMPDIR": str(tmp_path)},
    ) as server:
        assert server.stdout is not None
        address = re.search(r"http://127\.0\.0\.1:\d+/", server.stdout.readline())
        assert address
        try:
            assert "<title>Lacuna</title>" in httpx.get(address[0]).text
            question = {"question": "What does the heron eat?"}
            got = httpx.post(f"{address[0]}api/ask", json=question, timeout=60).json()
            assert got["context"] == "Heron"
            sent = [("files", ("Tern.md", NOTE))]
            assert httpx.post(f"{address[0]}api/corpora/upload", files=sent).status_code == 200
            assert list(tmp_path.glob("lacuna-uploads-*/*"))
        finally:
            server.send_signal(signal.SIGINT)
        assert server.wait(30) in (0, 130)
    assert not list(tmp_path.glob("lacuna-uploads-*"))  # uploads go with the server


def test_a_port_that_is_taken(lacuna: Any) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        ran = lacuna("serve", "--port", str(taken.getsockname()[1]))
    assert ran.code == 2
    assert "--port" in ran.err


def test_a_host_that_is_not_ours(lacuna: Any) -> None:
    ran = lacuna("serve", "--host", "192.0.2.1", "--port", "0")
    assert ran.code == 2
    assert "cannot listen on 192.0.2.1" in ran.err


def test_a_corpus_that_is_not_there(lacuna: Any, tmp_path: Path) -> None:
    ran = lacuna("serve", "--port", "0", "--corpus", tmp_path / "nowhere")
    assert ran.code == 2
    assert "nowhere" in ran.err


def test_knowledge_that_is_not_there(lacuna: Any, tmp_path: Path) -> None:
    ran = lacuna("serve", "--port", "0", "--knowledge", tmp_path / "nowhere")
    assert ran.code == 2
    assert "nowhere" in ran.err
    assert "lacuna knowledge" in ran.err


def test_starting_loads_no_web_server() -> None:
    code = (
        "import sys; from lacuna.cli.app import make_app; make_app(['--help']); "
        "print([name for name in ('fastapi', 'uvicorn', 'pydantic') if name in sys.modules])"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=_environment()
    )
    assert ran.stdout.strip() == "[]", ran.stderr


def _environment() -> dict[str, str]:
    import os

    import lacuna

    return {**os.environ, "PYTHONPATH": str(Path(lacuna.__file__).parent.parent)}
