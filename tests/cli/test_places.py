"""Where a quote or a hit stands in its file, as it is printed."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from lacuna.cli.answers import linked
from lacuna.places import Place

NOTE = "The kiwi is a bird.\n\nIt cannot fly.\n\nThe kiwi sleeps by day.\n"


@pytest.fixture
def notes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LACUNA_CACHE", str(tmp_path / "cache"))
    folder = tmp_path / "notes"
    (folder / "birds").mkdir(parents=True)
    (folder / "birds" / "Kiwi.txt").write_text(NOTE)
    return folder


def on_a_terminal(place: Place) -> str:
    out = io.StringIO()
    Console(file=out, force_terminal=True, color_system="standard", width=80).print(linked(place))
    return out.getvalue()


def test_a_terminal_gets_a_link() -> None:
    shown = on_a_terminal(Place("a.md", 3, url="file:///notes/a.md"))
    assert "\x1b]8;" in shown
    assert "file:///notes/a.md" in shown
    assert "a.md:3" in shown


@pytest.mark.parametrize(
    "url", ["", "javascript:alert(1)", "https://a/\x1b]8;;evil", "file:///\x07"]
)
def test_what_no_terminal_should_open_is_plain(url: str) -> None:
    assert on_a_terminal(Place("a\x1b[2J.md", 3, url=url)) == "a�[2J.md:3\n"


def test_search(lacuna: Any, notes: Path) -> None:
    (hit,) = json.loads(lacuna("search", "sleeps", "--corpus", notes, "--json").out)["hits"]
    place = hit["place"]
    assert (place["file"], place["text"]) == ("birds/Kiwi.txt", "birds/Kiwi.txt:5")
    assert (place["line"], place["url"]) == (5, (notes / "birds" / "Kiwi.txt").as_uri())
    assert "birds/Kiwi.txt:5" in lacuna("search", "sleeps", "--corpus", notes).out


def test_a_document(lacuna: Any, notes: Path) -> None:
    shown = json.loads(lacuna("corpus", "show", notes, "Kiwi", "--json").out)
    assert shown["place"]["text"] == "birds/Kiwi.txt:1"
    assert shown["origin"]["file"] == "birds/Kiwi.txt"


def test_an_answer(lacuna: Any, notes: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = ["ask", "When does the kiwi sleep?", "--corpus", notes]
    lines = lacuna(*asked).out.splitlines()
    (evidence,) = [number for number, line in enumerate(lines) if line.startswith("evidence: ")]
    assert lines[evidence + 1] == "source: birds/Kiwi.txt:5"
    (quote,) = json.loads(lacuna(*asked, "--json").out)["quotes"]
    assert quote["place"]["line"] == 5
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setenv("TERM", "dumb")
    assert "— Kiwi  birds/Kiwi.txt:5" in lacuna(*asked).out
