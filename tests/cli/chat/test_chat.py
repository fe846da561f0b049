"""``lacuna chat``: lines in, answers and commands out."""

from __future__ import annotations

import io
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture
def say(lacuna: Any, pipeline: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    def say(*lines: str | bytes, options: tuple[str, ...] = ()) -> Any:
        raw = b"".join(
            (line if isinstance(line, bytes) else line.encode()) + b"\n" for line in lines
        )
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(raw), encoding="utf-8"))
        return lacuna("chat", *options)

    return say


def test_one_question_a_line(say: Any, pipeline: Any) -> None:
    ran = say("Who built the Marrow?", "", "  When did Ada Quill leave?  ")
    assert ran.code == 0
    first, second, end = ran.out.split("\n\n")
    assert first.startswith("question: Who built the Marrow?\nanswer: none\n")
    assert second.startswith("question: When did Ada Quill leave?\n")
    assert end == ""
    assert "--corpus DIR" in ran.err


def test_a_talk_about_one_document(say: Any, pipeline: Any) -> None:
    ran = say("How old was she then?", options=("--in", "agnes penhale"))
    assert "answer: 34 years" in ran.out
    assert pipeline.asked[0].question == "How old was Agnes Penhale then?"


def test_commands(say: Any, pipeline: Any) -> None:
    ran = say("/why", "/in Maren Askew", "How old was she?", "/why", "/new", "Who left?", "/help")
    assert (ran.code, ran.err.count("Error")) == (0, 0)
    assert "understood as: How old was Maren Askew?" in ran.out
    assert [asked.title for asked in pipeline.asked] == ["Maren Askew", None]
    assert "/in TITLE" in ran.out


def test_quit_ends_it(say: Any, pipeline: Any) -> None:
    assert say("/quit", "Who was there?").code == 0
    assert pipeline.asked == ()


def test_a_line_that_cannot_be_asked_does_not_end_it(say: Any, pipeline: Any) -> None:
    ran = say("/in Carow Fell", "/in", "/nope \x1b", "Who was at Osk?")
    assert ran.code == 1, "some lines were left out"
    assert "Did you mean 'Carrow Fell'?" in ran.err
    assert "Say which document" in ran.err
    assert "'/nope \\x1b' is no command" in ran.err
    assert len(pipeline.asked) == 1


def test_bytes_and_controls(say: Any, pipeline: Any) -> None:
    ran = say(b"Who \xff\x1b[31m was it?", "誰がそれを建てましたか")
    assert ran.code == 0
    assert "\x1b" not in ran.out
    assert "question: 誰がそれを建てましたか" in ran.out


def test_a_title_that_is_not_there_is_refused_at_once(say: Any) -> None:
    ran = say("Who?", options=("--in", "Carow Fell"))
    assert ran.code == 2
    assert "Did you mean 'Carrow Fell'?" in ran.err


def test_watched_notes_are_read_again(
    lacuna: Any, pipeline: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "Kiwi.txt").write_text("The kiwi is a bird.")
    monkeypatch.setattr("lacuna.pipeline.open_corpus.SECONDS", 0.01)

    def lines() -> Iterator[str]:
        (tmp_path / "Moa.txt").write_text("The moa is extinct.")
        store = pipeline.stores[-1]
        until = time.monotonic() + 30
        while "Moa" not in store and time.monotonic() < until:
            time.sleep(0.01)
        yield "/in Moa"

    monkeypatch.setattr("lacuna.cli.chat.TypedLines.__iter__", lambda self: lines())
    assert lacuna("chat", "--corpus", tmp_path, "--watch").code == 0
