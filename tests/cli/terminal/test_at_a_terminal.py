"""What a person sees at a real terminal: a spinner, whole words, and Ctrl-C that stops."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from pseudo_terminal import CTRL_C, CTRL_D, PseudoTerminal

LACUNA = "import sys; from lacuna.cli import main; main(sys.argv[1:])"
SLOW = """
import os, sys, time
from lacuna.pipeline import open_corpus as opening
from lacuna.pipeline.result import Result
from lacuna.pipeline.result import Candidate, Stage, Step
from lacuna.types import Answer, Prediction

class Slow:
    def __init__(self, store, reader, *, retriever, config):
        self.store, self.reader, self.config = store, reader, config

    def ask(self, query, *, on_step=None):
        where = (Candidate("Osk", 1.0, True),)
        on_step(Step(Stage.START, 0, "Found.", where, 1.0))
        on_step(Step(Stage.FIND, 1, "Found.", where, 1.0))
        while query.question == "For ever?":
            with open(os.environ["WORKED"], "a") as out:
                out.write(".")
            time.sleep(0.02)
        time.sleep(0.3)
        found = Prediction(Answer.span("soon"), confidence=0.9)
        return Result(query.question, None, found, (), (), measured=True)

opening.Pipeline = Slow
opening.open_reader = lambda *_, **__: None
from lacuna.cli import main
main(sys.argv[1:])
"""
WORDS = [
    "lorem",
    "ipsum",
    "dolor",
    "sit",
    "amet",
    "consectetur",
    "adipiscing",
    "elit",
    "sed",
    "do",
    "eiusmod",
    "tempor",
]


def environment(tmp_path: Path) -> dict[str, str]:
    return {
        "WORKED": str(tmp_path / "worked"),
        "LACUNA_CONFIG": str(tmp_path / "config.toml"),
        "LACUNA_DIALOGS": str(tmp_path / "dialogs"),
    }


def interrupt_typing(terminal: PseudoTerminal, typed: str) -> None:
    """Ctrl-C with half a line; its echo shows that the line editor is listening."""
    terminal.type(typed)
    terminal.wait_for(f"> {typed}")
    terminal.interrupt()


def test_ask_turns_while_it_works(tmp_path: Path) -> None:
    terminal = PseudoTerminal(SLOW, "ask", "When?", env=environment(tmp_path))
    assert terminal.wait() == 0
    assert "loading the model …" in terminal.shown
    assert "reading …" in terminal.shown, "what comes after finding"
    assert terminal.shown.rstrip().endswith("soon   90 % sure")


def test_a_pipe_gets_no_spinner(tmp_path: Path) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", SLOW, "ask", "When?"],
        env={**os.environ, **environment(tmp_path)}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert ran.stdout == "answer: soon\nconfidence: 0.90\n"
    assert ran.stderr == "Note: This asks the demo corpus; --corpus DIR asks your own notes.\n"


def test_ctrl_c_stops_the_question_and_a_second_one_leaves(tmp_path: Path) -> None:
    terminal = PseudoTerminal(SLOW, "chat", env=environment(tmp_path))
    terminal.wait_for("> ")
    terminal.type("For ever?\n")
    terminal.wait_for("reading …")
    terminal.type(CTRL_C)
    terminal.wait_for("The question was stopped")
    terminal.wait_for("> ", times=2)
    worked = (tmp_path / "worked").read_text()
    terminal.type("Now?\n")
    terminal.wait_for("soon")
    terminal.wait_for("> ", times=3)
    assert (tmp_path / "worked").read_text() == worked, "nothing goes on behind one's back"
    interrupt_typing(terminal, "half")
    terminal.wait_for("Note: Ctrl-C once more leaves.")
    interrupt_typing(terminal, "more")
    assert terminal.wait() == 130
    (kept,) = (tmp_path / "dialogs").glob("*.jsonl")
    assert "Now?" in kept.read_text()
    assert "For ever?" not in kept.read_text()


def test_what_was_typed_since_takes_the_warning_back(tmp_path: Path) -> None:
    terminal = PseudoTerminal(SLOW, "chat", env=environment(tmp_path))
    terminal.wait_for("> ")
    interrupt_typing(terminal, "one")
    terminal.wait_for("once more leaves", times=1)
    terminal.wait_for("> ", times=2)
    terminal.type("/corpus\n")
    terminal.wait_for("75 documents")
    terminal.wait_for("> ", times=3)
    interrupt_typing(terminal, "two")
    terminal.wait_for("once more leaves", times=2)
    terminal.wait_for("> ", times=4)
    terminal.type(CTRL_D)
    assert terminal.wait() == 0


def fits_in(shown: str, columns: int, words: set[str]) -> None:
    lines = shown.splitlines()
    assert max(map(len, lines)) <= columns
    cut = {word.strip("“”…:.,") for line in lines for word in line.split()}
    assert {word for word in cut if word.isalpha() and word in words} >= words, "no word is cut"


def test_documents_hits_and_steps_break_between_words(tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "Osk.md").write_text(f"# Osk\n\n{' '.join(WORDS * 9)}.\n")
    for columns in (80, 40):
        for verb in (
            ("corpus", "show", notes, "Osk"),
            ("search", "consectetur", "--corpus", notes),
        ):
            terminal = PseudoTerminal(LACUNA, *verb, columns=columns, env=environment(tmp_path))
            assert terminal.wait() == 0
            fits_in(terminal.shown, columns, set(WORDS[4:8]))
            parts = {word.strip(".,…") for word in terminal.shown.split()}
            pieces = {word[:size] for word in WORDS for size in range(3, len(word))} - set(WORDS)
            assert not parts & pieces


def test_a_narrow_table_leaves_no_column_out(tmp_path: Path) -> None:
    notes = tmp_path / "notes of a rather long name"
    notes.mkdir()
    (notes / "Osk.md").write_text("# Osk\n\nA town, see [[Another place far away]].\n")
    (notes / "bad.md").write_bytes(b"\xff")
    terminal = PseudoTerminal(
        LACUNA,
        "corpus",
        "info",
        notes,
        "--skipped",
        "--missing",
        columns=60,
        env=environment(tmp_path),
    )
    assert terminal.wait() == 0
    assert max(map(len, terminal.shown.splitlines())) <= 60
    for word in ("resolved", "missing", "outside", "UTF-8", "Another"):
        assert word in terminal.shown
