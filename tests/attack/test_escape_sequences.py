"""Documents, file names and arguments that give orders to a terminal, through all that prints."""

from __future__ import annotations

import io
import json
import random
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from lacuna.cli import main

ORDERS = (
    "\x1b]0;owned\x07",  # the title of the window
    "\x1b[2J\x1b[H",  # an empty screen
    "\x1b[31mEVIL",  # a colour
    "\x9b31mEVIL",  # the same in one character
    "\x1b]8;;http://evil.example\x1b\\link\x1b]8;;\x1b\\",  # a link that is another
    "\x1bP+q544e\x1b\\",  # what makes some terminals answer on standard input
    "\x9d52;c;ZXZpbA==\x9c",  # the clipboard
    "\x07\x08\x08\x08",
    "over\rwritten",
    "\u202egnp.exe\u202c",  # the reading direction
    "\u2066left\u2069",
    "\x00\x7f\x85",
)
OWN = re.compile(
    r"\x1b\[[0-9;]*m"  # colours
    r"|\x1b\]8;(?:id=[0-9.-]+)?;(?:https?|file|obsidian)://[^\x1b\x07]*\x1b\\"  # links
    r"|\x1b\]8;;\x1b\\"
    r"|\x1b\[\?25[lh]|\x1b\[2K|\x1b\[1A|\r"  # a progress bar
)
OBEYED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


class Terminal(io.StringIO):
    """What rich takes for a terminal."""

    encoding = "utf-8"

    def isatty(self) -> bool:
        return True

    def fileno(self) -> int:
        return 1


class Runner:
    """Runs verbs into a pipe and onto a terminal, and looks at all that is written."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self._patch = patch

    def __call__(self, *arguments: str | Path, given: str = "", skip_bad: bool = False) -> None:
        for kind in (io.StringIO, Terminal):
            with self._patch.context() as patch:
                patch.setenv("LACUNA_SKIP_BAD", str(skip_bad))
                out, err = kind(), kind()
                patch.setattr(sys, "stdout", out)
                patch.setattr(sys, "stderr", err)
                patch.setattr(sys, "stdin", io.StringIO(given))
                patch.setenv("TERM", "xterm-256color")
                with pytest.raises(SystemExit) as stop:
                    main([str(argument) for argument in arguments])
            assert stop.value.code in (None, 0, 1, 2), arguments
            for written in (out.getvalue(), err.getvalue()):
                assert "\x1b[31mEVIL" not in written, (arguments, written)
                assert "evil.example\x1b" not in written, (arguments, written)
                left = OWN.sub("", written) if kind is Terminal else written
                found = OBEYED.search(left)
                assert not found, (arguments, left[max(0, found.start() - 40) :][:80])


def with_orders(rng: random.Random, text: str) -> str:
    """Some of the orders between the words."""
    words = text.split(" ")
    for _ in range(3):
        words.insert(rng.randrange(len(words) + 1), rng.choice(ORDERS))
    return " ".join(words)


def write_documents(rng: random.Random, folder: Path) -> list[str]:
    """Linked notes full of orders, some that cannot be read; their titles."""
    folder.mkdir()
    titles = [with_orders(rng, name) for name in ("Ada Quill", "Port Ellery", "Stony Tarn")]
    for number, title in enumerate(titles):
        links = " ".join(f"[[n{other}]] [[{with_orders(rng, 'gone')}]]" for other in range(3))
        text = with_orders(rng, "Ada Quill built the boat Marrow in 1931 at Port Ellery .")
        heading = with_orders(rng, "Ships of hers")
        head = json.dumps(title)
        body = f"---\ntitle: {head}\n---\n\n{text} {links}\n\n## {heading}\n\n{text}\n"
        (folder / f"n{number}.md").write_text(body, "utf-8")
    (folder / "plain.txt").write_text(with_orders(rng, "A boat of 1931 ."), "utf-8")
    name = rng.choice([order for order in ORDERS if "/" not in order and "\x00" not in order])
    (folder / f"bad{name}.pdf").write_bytes(b"%PDF-1.4 not one")
    (folder / f"bad{name}.html").write_text(f"<title>{name}</title><p>{name} {name}", "utf-8")
    return titles


def test_no_verb_passes_orders_on(
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
    rounds: Any,
    examples: Path,
) -> None:
    run = Runner(monkeypatch)
    for rng in rounds():
        home = tmp_path_factory.mktemp("orders")
        notes, corpus = home / "notes", home / "corpus"
        titles = write_documents(rng, notes)
        run("index", notes, "--out", corpus)
        for more in ((), ("--json",)):
            run("corpus", "info", corpus, "--skipped", "--missing", *more)
            run("search", "boat 1931 Marrow", "--corpus", corpus, *more)
            for title in titles:
                run("corpus", "show", corpus, title, *more)
                run("corpus", "links", corpus, title, *more)
            run("corpus", "path", corpus, titles[0], titles[2], *more)
        run("search", "boat", "--corpus", corpus, "--retriever", "hotpotqa")
        run("corpus", "seeds", corpus, "--links", "1")
        run("corpus", "sections", corpus, "--set", "fewest_in_links=0")
        run("corpus", "pairs", corpus, "--count", "2")
        wrong_names(run, rng, home, examples)


def wrong_names(run: Runner, rng: random.Random, home: Path, examples: Path) -> None:
    """Names that lead nowhere are repeated in errors."""
    name = with_orders(rng, "name").replace("\x00", "")
    run("corpus", "show", name)
    run("search", "--corpus", name, "x")
    run("search", name)
    run("index", name, "--out", home / "other")
    run("data", "check", name, name)
    run("data", "check", "squad", name)
    run("score", "iirc", examples / "iirc.json", name)
    run("predict", "squad", examples / "squad.json", "--system", name, "-o", home / "p")
    run("knowledge", name, "--out", home / "base")
    run("evaluate", "iirc", "--setting", name)
    run("ask", "Who?", "--corpus", name)
    run(name)
    run("ask", "Who?", name)
    odd = home / "odd.json"
    item = {"_id": name, "question": name, "context": [], "type": name, "level": name}
    odd.write_text(json.dumps([item]), "utf-8")
    run("data", "check", "hotpotqa", odd)
    odd.write_text(json.dumps([{**item, "context": name}]), "utf-8")
    run("data", "check", "hotpotqa", odd, skip_bad=True)
    predictions = home / "pred.json"
    predictions.write_text(json.dumps({name: name}), "utf-8")
    run("score", "iirc", examples / "iirc.json", predictions)


def test_answers_pass_no_orders_on(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch, rounds: Any
) -> None:
    run = Runner(monkeypatch)
    for rng in rounds():
        home = tmp_path_factory.mktemp("orders")
        titles = write_documents(rng, home / "notes")
        question = with_orders(rng, "When was the Marrow built?")
        typed = question.replace("\n", " ").replace("\r", " ")
        corpus = ("--corpus", home / "notes")
        run("ask", question.replace("\x00", ""), *corpus, "--trace", "--alternatives", "5")
        run("ask", "When was it built?", *corpus, "--in", titles[0], "--json")
        run("ask", "Who?", "--context", home / "notes" / "plain.txt")
        run("chat", *corpus, given=f"{typed}\n/why\n/in {titles[1]}\nWhen?\n/{typed}\n")
