"""Commands at the prompt of ``lacuna chat``, and dialogs that are kept and resumed."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest
from refusing import refused

from lacuna.cli.chat import (
    DialogKeeper,
    dialog_as_markdown,
    dialogs_folder,
    kept_dialogs,
    open_dialog,
)
from lacuna.pipeline.dialog.saved_dialog import SavedDialog, read_dialog
from lacuna.pipeline.result import Quote, Result
from lacuna.places import Place
from lacuna.types import Answer, DialogActs, Evidence, FollowUp, Prediction, Role, Span


class Typed(io.TextIOWrapper):
    """Lines that look as if they were typed."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def typed(lacuna: Any, pipeline: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setenv("LACUNA_DIALOGS", str(tmp_path / "dialogs"))

    def typed(*lines: str, options: tuple[str, ...] = ()) -> Any:
        raw = "".join(f"{line}\n" for line in lines).encode()
        monkeypatch.setattr(sys, "stdin", Typed(io.BytesIO(raw), encoding="utf-8"))
        return lacuna("chat", *options)

    return typed


def test_help_names_every_command(typed: Any) -> None:
    for word in ("/help", "help", "?"):
        out = typed(word).out
        assert all(name in out for name in ("/sources", "/why", "/save FILE", "/corpus", "/quit"))


def test_an_unknown_command_is_told_the_nearest(typed: Any) -> None:
    ran = typed("/sorces", "/corpus now")
    assert "Did you mean /sources?" in ran.err
    assert "/corpus takes nothing after it" in ran.err
    assert ran.code == 0, "at a terminal one simply goes on"


def test_sources_history_corpus_and_documents(typed: Any) -> None:
    ran = typed(
        "/sources", "/in Maren Askew", "How old?", "/sources", "/history", "/corpus", "/show Osk"
    )
    assert "Nothing was asked yet." in ran.err
    assert "1. Ada Quill › Ships" in ran.out
    assert "1. How old?  34 years" in ran.out
    assert "75 documents" in ran.out
    assert "\nOsk\n" in ran.out or "Osk\n\n" in ran.out


def test_save(typed: Any, tmp_path: Path) -> None:
    page, lines, taken = tmp_path / "d.md", tmp_path / "d.jsonl", tmp_path / "taken.md"
    taken.write_text("mine")
    ran = typed("/save x.md", "/in Maren Askew", "How *old*?", f"/save {page}", f"/save {page}",
                f"/save {lines}", f"/save {taken}", "/save")  # fmt: skip
    assert "Ask something first." in ran.err
    assert "Say where to" in ran.err
    assert f"{taken} is there already" in ran.err
    assert taken.read_text() == "mine"
    assert "## How \\*old\\*?\n\n**34 years** (88 % sure)" in page.read_text()
    assert "\x1b" not in page.read_text()
    assert open_dialog(lines).results[0].answer.text == "34 years"


def test_a_dialog_is_kept_and_resumed(
    typed: Any, pipeline: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    typed("/in Maren Askew", "How old?")
    (path,) = kept_dialogs()
    assert path.parent.stat().st_mode & 0o777 == 0o700, "it tells what was asked"
    monkeypatch.setenv("LACUNA_CORPUS", "/nowhere")  # it is asked of what it began with
    ran = typed("And she?", "/history", options=("--resume", "last"))
    monkeypatch.delenv("LACUNA_CORPUS")
    assert "1 question was asked before." in ran.err
    assert "1. How old?  34 years" in ran.out
    assert pipeline.asked[-1].title == "Maren Askew"
    assert "This dialog began with" not in ran.err
    assert [result.question for result in open_dialog(path).results] == ["How old?", "And she?"]
    assert "How old?" in typed("/dialogs").out
    assert typed("/resume 1", "/history", options=("--no-save",)).out.count("And she?") == 1


def test_what_was_saved_is_read_as_it_was() -> None:
    place = Place("guide/setup.md", 12, fragment="tools")
    evidence = Evidence("Setup", 3, 9, Role.ANSWER, 0.5)
    answer = Answer.number(12, "", evidence, unit="years", expression="1931 - 1919")
    prediction = Prediction(answer, acts=DialogActs(None, FollowUp.MAYBE), confidence=0.75)
    quote = Quote("Setup", ("Setup", "Tools"), "In 12 years.", 0, 12, (Span(3, 9),), place=place)
    result = Result("How long?", None, prediction, (quote,), (), probable=True, read_as="How?")
    kept = SavedDialog("now", ("notes",), "Setup", (result,))
    assert read_dialog(list(kept.lines()), "it") == kept


def test_what_is_not_to_be_kept(typed: Any, lacuna: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    typed("Who?", options=("--no-save",))
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"Who?\n")))
    lacuna("chat")
    assert kept_dialogs() == [], "and nothing of a pipe"


def test_a_damaged_file_is_told_and_stops_nothing(typed: Any) -> None:
    typed("/in Maren Askew", "How old?", "How tall?")
    (path,) = kept_dialogs()
    whole = path.read_text()
    path.write_text(whole[:-40])
    ran = typed("And now?", options=("--resume", "last"))
    assert "line 3 is damaged and was left out" in ran.err
    assert path.read_text() == whole[:-40], "what could not be read stays as it is"
    assert len(kept_dialogs()) == 2
    (dialogs_folder() / "bad.jsonl").write_bytes(b"\xff\x00[")
    ran = typed("/dialogs")
    assert "bad.jsonl is no saved dialog" in ran.err
    assert "How old?" in ran.out
    refused(typed(options=("--resume", "bad")), "is no saved dialog")
    refused(typed(options=("--resume", "9")), "There is no dialog 9")
    refused(typed(options=("--resume", "nope")), "There is no dialog or file")
    assert "34 years" in typed(options=("How old?", "--in", "Maren Askew")).out, "a first question"


def test_any_damaged_line_is_left_out(tmp_path: Path, typed: Any) -> None:
    typed("/in Maren Askew", "How old?")
    (path,) = kept_dialogs()
    head, turn = path.read_text().splitlines()
    values = json.loads(turn)
    for key in values:
        for wrong in (None, 3, [], {}, "x", [3], {"kind": "span"}):
            path.write_text(f"{head}\n{json.dumps({**values, key: wrong})}\n")
            dialog = open_dialog(path)
            assert len(dialog.results) + len(dialog.damage) == 1
            dialog_as_markdown(dialog)
            assert list(dialog.lines())


def test_two_terminals_lose_nothing(typed: Any) -> None:
    typed("/in Maren Askew", "How old?")
    (path,) = kept_dialogs()
    first, second = DialogKeeper(path), DialogKeeper(path)
    dialog = open_dialog(path)
    first.write(SavedDialog(dialog.begun, (), None, dialog.results * 2))
    second.write(SavedDialog(dialog.begun, (), None, dialog.results * 3))
    assert sorted(len(open_dialog(kept).results) for kept in kept_dialogs()) == [2, 3]
