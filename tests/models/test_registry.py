from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.metadata import EntryPoint
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from lacuna import plugins
from lacuna.errors import LacunaError
from lacuna.models.model_folder import CONFIG
from lacuna.models.reader.reader import ModelReader
from lacuna.models.registry import open_reader
from lacuna.types import Answer, Prediction, Question


class Parrot:
    """Answers with the name of its model."""

    def __init__(self, model: str, *, threads: int | None) -> None:
        self.model, self.threads = model, threads

    def read(self, questions: Sequence[Question], **_: Any) -> list[Prediction]:
        return [Prediction(Answer.span(self.model)) for _ in questions]


def mute(model: str, *, threads: int | None) -> object:
    return object()


@pytest.fixture(autouse=True)
def offered(monkeypatch: pytest.MonkeyPatch) -> None:
    """A package that offers readers: sound, broken, and under the name of the shipped model."""
    package = ModuleType("offered")
    vars(package).update(Parrot=Parrot, mute=mute)
    monkeypatch.setitem(sys.modules, "offered", package)
    names = {"parrot": "Parrot", "mute": "mute", "small": "Parrot", "broken": "gone"}
    points = tuple(
        EntryPoint(name, f"offered:{value}", "lacuna.readers") for name, value in names.items()
    )
    monkeypatch.setattr(plugins, "entry_points", lambda group: points)


def test_a_plugin_gets_its_argument_and_the_threads() -> None:
    reader = open_reader("parrot:green:7b", threads=3)
    assert isinstance(reader, Parrot)
    assert (reader.model, reader.threads) == ("green:7b", 3)
    assert reader.read([Question("1", "Who?")]) == [Prediction(Answer.span("green:7b"))]
    plain = open_reader("parrot")
    assert isinstance(plain, Parrot)
    assert (plain.model, plain.threads) == ("", None)


def test_a_shipped_name_comes_first(small: Path) -> None:
    assert isinstance(open_reader("small", threads=1), ModelReader)
    assert isinstance(open_reader(small), ModelReader)


def test_a_folder_comes_after_a_plugin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("parrot").mkdir()
    assert isinstance(open_reader("parrot"), Parrot)
    for folder in ("./parrot", Path("parrot")):
        with pytest.raises(LacunaError, match=f"no {CONFIG}"):
            open_reader(folder)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("parot:green", r"no model 'parot:green'\. Did you mean parrot\? Give one of small, "),
        ("smal", r"Did you mean small\?"),
        ("xyzzy", r"no model 'xyzzy'\. Give one of small, llm, broken, mute, parrot"),
        ("mute", "has no method `read`"),
        ("broken", "could not be loaded"),
        ("gapqa", "not a reader"),
    ],
)
def test_names_that_lead_to_no_reader(name: str, words: str) -> None:
    with pytest.raises(LacunaError, match=words):
        open_reader(name)
