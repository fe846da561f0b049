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
import pytest
from served import environment, served

NOTE = "# Heron\n\nThe heron is a bird that eats fish.\n"


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "Heron.md").write_text(NOTE)
    return folder


def test_a_folder_of_notes_from_the_shell(notes: Path, tmp_path: Path) -> None:
    with served(tmp_path, "--corpus", notes) as server:
        with httpx.Client(base_url=server.address, timeout=60) as browser:
            assert browser.get("/").status_code == 401
            opened = browser.get(f"/?token={server.token}", follow_redirects=True)
            assert "<title>Lacuna</title>" in opened.text
            question = {"question": "What does the heron eat?"}
            assert browser.post("/api/v1/ask", json=question).json()["context"] == "Heron"
            sent = [("files", ("Tern.md", NOTE))]
            assert browser.post("/api/v1/corpora/upload", files=sent).status_code == 200
        assert list(tmp_path.glob("lacuna-uploads-*/open/*"))
        assert server.stop(signal.SIGINT) in (0, 130)
    assert not list(tmp_path.glob("lacuna-uploads-*"))  # uploads go with the server


def test_a_second_person_gets_nothing(notes: Path, tmp_path: Path) -> None:
    with served(tmp_path, "--corpus", notes) as server:
        for path in ("", "docs", "static/js/main.js", "static/icon.svg", "api/v1/server"):
            got = httpx.get(f"{server.address}/{path}")
            assert got.status_code == 401
            assert "Heron" not in got.text
            assert server.token not in got.text
        folder = {"path": str(notes)}
        assert httpx.post(f"{server.address}/api/v1/corpora/folder", json=folder).status_code == 401


def test_a_token_that_a_file_keeps(notes: Path, tmp_path: Path) -> None:
    tokens = []
    for _ in range(2):
        with served(tmp_path, "--corpus", notes, "--token-file", tmp_path / "token") as server:
            tokens.append(server.token)
            assert httpx.get(f"{server.address}/api/v1/server", headers=server.known).is_success
    assert tokens[0] == tokens[1] == (tmp_path / "token").read_text().strip()


def test_a_token_that_the_environment_holds(
    notes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lacuna: Any
) -> None:
    monkeypatch.setenv("LACUNA_TOKEN", "the-token-of-a-cluster and-one-for-somebody")
    with served(tmp_path, "--corpus", notes) as server:
        assert server.token == "", "what it prints is a log there"
        assert httpx.get(f"{server.address}/api/v1/server").status_code == 401
        for token in ("the-token-of-a-cluster", "and-one-for-somebody"):
            known = {"Authorization": f"Bearer {token}"}
            assert httpx.get(f"{server.address}/api/v1/server", headers=known).is_success
    monkeypatch.setenv("LACUNA_TOKEN", "short")
    ran = lacuna("serve", "--port", "0")
    assert (ran.code, "LACUNA_TOKEN" in ran.err, "short" in ran.err) == (2, True, False)


def test_who_comes_through_a_proxy_is_not_told_where_files_lie(notes: Path, tmp_path: Path) -> None:
    with served(tmp_path, "--corpus", notes, "--allow-host", "notes.example") as server:
        headers = {**server.known, "host": "notes.example"}
        got = httpx.get(f"{server.address}/api/v1/server", headers=headers)
        assert got.json()["folders"] == []


def test_no_token_says_what_it_means(notes: Path, tmp_path: Path) -> None:
    with served(tmp_path, "--corpus", notes, "--no-token") as server:
        assert server.token == ""
        assert httpx.get(f"{server.address}/api/v1/server").is_success
        server.stop()
        assert "Every user of this machine can read what is open" in server.errors()


def test_what_others_can_reach_still_has_its_names(notes: Path, tmp_path: Path) -> None:
    options = ("--corpus", notes, "--host", "0.0.0.0", "--allow-host", "notes.example")
    with served(tmp_path, *options) as server:
        address = f"{server.address}/api/v1/server"
        for host, status in {"notes.example": 200, "evil.example": 421, "127.0.0.1": 200}.items():
            assert httpx.get(address, headers={**server.known, "host": host}).status_code == status
        assert httpx.get(address).status_code == 401
        server.stop()
        assert "with the same token" in server.errors()


def test_a_port_that_is_taken(lacuna: Any) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        ran = lacuna("serve", "--port", str(taken.getsockname()[1]))
    assert ran.code == 2
    assert "--port" in ran.err


def test_a_host_that_is_not_ours(lacuna: Any) -> None:
    ran = lacuna("serve", "--host", "192.0.2.1", "--port", "0")
    assert ran.code == 2
    assert "cannot listen on 192.0.2.1" in ran.err


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--no-token", "--token-file", "x"), "not both"),
        (("--token-file", "/nowhere/token"), "--token-file"),
        (("--allow-host", "http://x"), "without http://"),
        (("--allow-folder", "/nowhere"), "nowhere"),
    ],
)
def test_what_cannot_be_meant(lacuna: Any, options: tuple[str, ...], told: str) -> None:
    ran = lacuna("serve", "--port", "0", *options)
    assert ran.code == 2
    assert told in re.sub(r"\s*[│╭╮╰╯]\s*", " ", ran.err)


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("LACUNA_LOG", "xml", "plain or json"),
        ("LACUNA_WORKERS", "9", "a whole number from 1 to 8"),
        ("LACUNA_DRAIN", "long", "a number of seconds"),
        ("LACUNA_METRICS_OPEN", "perhaps", "true or false"),
        ("LACUNA_THREADS", "0", "a whole number of at least 1"),
        ("LACUNA_KEEP_IN", "redis://x/0", "lacuna data feedback"),
        ("LACUNA_KEEP_IN", "mysql://me:s3cret@x/0", "postgresql://"),
    ],
)
def test_a_variable_that_cannot_be_meant(
    lacuna: Any, monkeypatch: pytest.MonkeyPatch, name: str, value: str, told: str
) -> None:
    monkeypatch.setenv(name, value)
    feedback = ("--feedback", "f.jsonl") if "redis" in value else ()
    ran = lacuna("serve", "--port", "0", *feedback)
    assert ran.code == 2
    assert told in " ".join(ran.err.split())
    assert "s3cret" not in ran.err


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
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment()
    )
    assert ran.stdout.strip() == "[]", ran.stderr
