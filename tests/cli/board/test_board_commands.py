"""``lacuna board`` from the first command to the last, with a real server in between."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

HUMAN = {
    "dataset": "iirc",
    "setting": "oracle-context",
    "questions": 7,
    "measures": {"em": 0.8, "f1": 0.9},
    "people": 3,
    "made": "2026-11-01",
}


@pytest.fixture
def board(lacuna: Any, tmp_path: Path, examples: Path) -> Path:
    folder = tmp_path / "board"
    assert lacuna("board", "init", folder, "--title", "Islands").code == 0
    added = lacuna("board", "add", folder, "iirc", examples / "iirc.json")
    assert added.out == "iirc-oracle-context\n"
    assert "few questions" in added.err
    (tmp_path / "human.json").write_text(json.dumps(HUMAN))
    assert lacuna("board", "human", folder, tmp_path / "human.json").code == 0
    (tmp_path / "key").write_text(lacuna("board", "team", folder, "Us").out)
    return folder


@pytest.fixture
def address(board: Path) -> Iterator[str]:
    command = [sys.executable, "-m", "lacuna", "board", "serve", str(board), "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        yield server.stdout.readline().split()[-1]
        server.send_signal(signal.SIGINT)
        server.wait(30)


def test_from_the_first_to_the_last(
    lacuna: Any, board: Path, address: str, tmp_path: Path, examples: Path
) -> None:
    key = ["--table", "iirc-oracle-context", "--key-file", tmp_path / "key"]
    good, out = examples / "iirc_predictions.json", tmp_path / "out"
    sent = lacuna("board", "submit", address, good, *key, "--name", "By hand")
    assert sent.code == 0, sent.err
    assert "0.5957" in sent.out
    card = tmp_path / "card.toml"
    card.write_text('description = "It is made by hand."\ncode = "https://example.org"\n')
    more = ("--name", "Private", "--private", "--about", card)
    again = lacuna("board", "submit", address, good, *key, *more)
    assert "only your team sees it" in again.err
    card.write_text('descriptoin = "x"')
    wrong = lacuna("board", "submit", address, good, *key, *more)
    assert (wrong.code, "Did you mean description?" in wrong.err) == (2, True)
    (tmp_path / "bad.json").write_text('{"q_1": "27", "zzz": "x"}')
    bad = lacuna("board", "submit", address, tmp_path / "bad.json", *key, "--name", "Bad")
    assert (bad.code, bad.out) == (2, "")
    assert "refused" in bad.err
    assert "unknown ids: 'zzz'" in bad.err
    assert lacuna("board", "serve", board, "--port", "0").code == 2, "one server at a time"

    assert lacuna("board", "export", board, out).code == 0
    checked = lacuna("board", "verify", out, "--board", board)
    assert checked.code == 0, checked.err
    assert "entries scored again" in checked.out
    head = json.loads((out / "board.json").read_text())["head"]
    assert lacuna("board", "verify", out, "--head", head).code == 0
    (out / "entries" / "1" / "entry.json").write_text("{}")
    wrong = lacuna("board", "verify", out)
    assert wrong.code == 2
    assert "entries/1/entry.json is not as it was written" in wrong.err
    assert lacuna("board", "withdraw", board, "1", "--reason", "a test").code == 0
    assert lacuna("board", "withdraw", board, "99", "--reason", "a test").code == 2


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["add", "{board}", "squad", "nowhere.json"], "There is no file nowhere.json"),
        (["add", "nowhere", "iirc", "x.json"], "nowhere is no board"),
        (["init", "{board}"], "is there already"),
        (["team", "{board}", "Us"], "There is a team 'Us' already"),
        (["team", "{board}", "Them", "--new-key"], "There is no team 'Them'"),
        (["human", "{board}", "{board}/board.toml"], "not valid JSON"),
        (["export", "{board}", "{board}/out"], "lies in"),
        (["verify", "{board}"], "no SHA256SUMS"),
        (["submit", "ftp://x", "p", "--table", "t", "--name", "n", "--key-file", "k"], "no addr"),
        (["submit", "http://127.0.0.1:9", "p", "--table", "t", "--name", "n", "--key-file", "k"],
         "key cannot be read from k"),
    ],
)  # fmt: skip
def test_bad_input_is_told(lacuna: Any, board: Path, arguments: list[str], words: str) -> None:
    ran = lacuna("board", *(argument.replace("{board}", str(board)) for argument in arguments))
    assert ran.code == 2
    assert words in ran.err, ran.err
    assert ran.err.count("\n") == 1


@pytest.mark.parametrize(
    "line", ["a_week = 0", 'a_week = "3"', "weeks = 3", "a_week =", "title = 5", "seconds = true"]
)
def test_settings_that_are_wrong_are_told(lacuna: Any, board: Path, line: str) -> None:
    file = board / "board.toml"
    kept = [one for one in file.read_text().splitlines() if not one.startswith(line.split(" ")[0])]
    file.write_text("\n".join([*kept, line]))
    ran = lacuna("board", "team", board, "Others")
    assert ran.code == 2
    assert str(file) in ran.err


def test_a_title_of_any_characters_is_kept(lacuna: Any, tmp_path: Path) -> None:
    board = tmp_path / "odd"
    assert lacuna("board", "init", board, "--title", 'a\x7fb "c" \\').code == 0
    assert lacuna("board", "team", board, "Others").code == 0


def test_nobody_else_on_the_machine_can_look_into_it(board: Path) -> None:
    if os.name == "posix":
        assert board.stat().st_mode & 0o077 == 0


def test_an_address_where_nothing_is(lacuna: Any, tmp_path: Path, examples: Path) -> None:
    (tmp_path / "key").write_text("k" * 20)
    good = examples / "iirc_predictions.json"
    about = ["--table", "t", "--name", "n", "--key-file", tmp_path / "key"]
    ran = lacuna("board", "submit", "http://127.0.0.1:9", good, *about)
    assert ran.code == 2
    assert "cannot be reached" in ran.err
