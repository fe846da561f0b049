"""Odd paths and odd words as arguments of every verb: an exit code, and never a traceback."""

from __future__ import annotations

import gzip
import io
import os
import random
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from lacuna.cli.app import COMMANDS, OWN
from lacuna.plugins import entry_points

LEFT_OUT = ("serve", "mcp", "train", "export", "fetch")
"""Verbs that wait for someone, or need torch or a network."""
CHANGED_BY_TUNING = ("small", "gapqa")
WORDS = (
    "", " ", "-", "--", ".", "..", "~", "\x1b[2J", "\x7f", "\udc80", "\udcff\udcfe", "null",
    "0", "-1", "1e999", "nan", "٣", "'", '"', "%s", "{}", "${HOME}", "*", "[", "(?", "a" * 300,
    "x/" * 2100, "é", "e\u0301", "\u202e", "\ufeff", "\U0010ffff", "small", "llm:", "reader:",
    "llm:\udc80", "gapqa", "abstain", "iirc", "squad", "hotpotqa", "quac", "drop", "openbookqa",
    "real", "full", "bm25", "hybrid", "hotpotqa:x", "Ada Quill", "When?", "A|B", "|", "||||",
)  # fmt: skip
CONTENTS = (
    b"", b"\n", b"\x00", b"{}", b"[]", b"null", b"{", b"[" * 20_000, b'{"a":' * 20_000, b'""',
    b"1" * 5000, b"-", b"\xff\xfe", b"\xef\xbb\xbf{}", b"\x1f\x8b", b"\x1f\x8b\x08\x00" * 9,
    b'{"version": "\\u0000", "data": []}', b'{"data": {}}', b'{"data": [[]]}', b'[null]',
    b'{"\\u0000": {"passage": "x", "qa_pairs": []}}', b'[{"_id": 1}]', b"a\tb\tc\td\te\n",
    b'/a/x\t/r/IsA\t/c/en/a\t/c/en/b\t' + b'{"a":' * 20_000, b'{"answer": {}, "sp": {}}',
    b'{"answer": [], "sp": 1}', b'{"\\ud800": "x"}', b"id,answer\n1,A\n", b"PK\x03\x04",
    b"SQLite format 3\x00", b"[1" + b"0" * 5000 + b"]",
    b'{"qid": 1}\n', b'{"qid": ["a"], "best_span_str": [null]}\n', b"%PDF-1.7", b"<html><title>",
    b'{"title": "\\u0000", "text": 1}\n', b'{"a": 1e999}', b'{"a": NaN}',
)  # fmt: skip
OPTIONS = ("--json", "--resume", "--trace", "--list", "--skipped", "--missing",
           "--all-words")  # fmt: skip
VALUED = ("--corpus", "--in", "--out", "--to", "--setting", "--system",
          "--model", "--retriever", "--knowledge", "--context", "--choices", "--fact", "--format",
          "--min-confidence", "--alternatives", "-k",
          "--per-question", "--na-prob", "--confidence", "--max-error", "--curated", "--lists",
          "--count", "--set", "--links", "--only")  # fmt: skip
NUMBERED = ("--count", "-k")


class Corner:
    """A folder with everything that a path can wrongly lead to."""

    def __init__(self, home: Path, examples: Path, corpus: Path) -> None:
        self.home = home
        self._made = 0
        loop, gone, locked = home / "loop", home / "gone", home / "locked"
        loop.symlink_to(loop)
        gone.symlink_to(home / "nowhere")
        locked.mkdir()
        (locked / "x").write_text("x")
        locked.chmod(0)
        os.mkfifo(home / "pipe")
        broken = home / "broken"
        broken.mkdir()
        (broken / "documents.sqlite").write_bytes(b"no database")
        (home / "folder").mkdir()
        odd = Path(os.fsdecode(bytes(home) + b"/odd\xff\xfename"))
        odd.mkdir()
        (odd / "n.md").write_text("# Ada Quill\n\nShe built the Marrow in 1931.\n")
        (odd / os.fsdecode(b"\xff.txt")).write_text("A boat of 1931.")
        self.paths = [loop, gone, locked, broken, odd, corpus, home / "folder", locked / "x",
                      examples / "notes", broken / "documents.sqlite", gone / "deeper",
                      examples / "iirc.json" / "x", Path("/dev/null"), Path("/proc/self/mem"),
                      Path("/proc/self/fdinfo"), *examples.glob("*.*")]  # fmt: skip

    def argument(self, rng: random.Random) -> str:
        """A path to something odd, a word, or a new file with odd content."""
        kind = rng.random()
        if kind < 0.4:
            return str(rng.choice(self.paths))
        if kind < 0.6:
            return rng.choice(WORDS)
        self._made += 1
        ending = rng.choice((".json", ".jsonl", ".txt", ".tsv", ".csv", ".md", ".gz", "", ".zip"))
        file = self.home / f"{self._made}{ending}"
        content = rng.choice(CONTENTS)
        file.write_bytes(gzip.compress(content) if ending == ".gz" else content)
        return str(file)


@pytest.fixture
def corner(tmp_path: Path, examples: Path, lacuna: Any, monkeypatch: pytest.MonkeyPatch) -> Corner:
    home = tmp_path / "here"
    home.mkdir()
    monkeypatch.chdir(home)
    monkeypatch.delenv("LACUNA_LLM_URL", raising=False)
    corpus = tmp_path / "corpus"
    assert lacuna("index", examples / "notes", "--out", corpus).code == 0
    # A copy: some commands that make sense write there.
    return Corner(home, shutil.copytree(examples, tmp_path / "examples"), corpus)


def commands() -> list[tuple[str, ...]]:
    offered = [tuple(point.name.split(".")) for point in entry_points(group=COMMANDS)]
    return [command for command in (*OWN, *offered) if command[-1] not in LEFT_OUT]


def call(rng: random.Random, corner: Corner) -> list[str]:
    """A verb with some arguments and options, few of which make sense."""
    command = list(rng.choice(commands()))
    command += [corner.argument(rng) for _ in range(rng.randrange(4))]
    for _ in range(rng.randrange(4)):
        if rng.random() < 0.3:
            command.append(rng.choice(OPTIONS))
            continue
        option = rng.choice(VALUED)
        if option in ("--out", "--per-question", "--confidence"):
            value = rng.choice((str(corner.home / "out"), corner.argument(rng)))
        else:
            value = rng.choice(("1", "0.5")) if option in NUMBERED else corner.argument(rng)
        if command[0] == "tune" and value in CHANGED_BY_TUNING:
            continue
        command += [option, value]
    return command


def assert_no_traceback(run: Callable[..., Any], command: list[str]) -> None:
    # What is odd about a file name cannot be in an argument of a real process, so it goes too.
    arguments = [argument.replace("\x00", "") for argument in command]
    try:
        ran = run(*arguments)
    except Exception as error:
        raise AssertionError(f"lacuna {arguments!r} raised {error!r}") from error
    assert ran.code in (0, 1, 2), (arguments, ran)
    assert "Traceback" not in ran.err


def test_odd_arguments_never_give_a_traceback(
    lacuna: Any, corner: Corner, rounds: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    for rng in rounds():
        for _ in range(20):
            typed = "\n".join(rng.choice(WORDS) for _ in range(3))
            monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(os.fsencode(typed))))
            assert_no_traceback(lacuna, call(rng, corner))
