from __future__ import annotations

from pathlib import Path

from lacuna.corpus.found import Redirect
from lacuna.corpus.store import Store
from lacuna.corpus.title_search import search_titles
from lacuna.types import Document


def make(folder: Path) -> Store:
    titles = ("Port Ellery", "Ellery", "Ellery Light", "Bellery", "Stony Tarn", "100% Wool")
    store = Store.create(folder)
    with store.writer() as writer:
        writer.add([*(Document(title, "Text.") for title in titles), Redirect("ADA", "Stony Tarn")])
    return store


def test_the_same_first_then_beginnings_then_words(tmp_path: Path) -> None:
    with make(tmp_path / "c") as store:
        expected = ["Ellery", "Ellery Light", "Port Ellery", "Bellery"]
        assert search_titles(store, "ellery", 10) == expected
        assert search_titles(store, "  ELLERY ", 2) == expected[:2]


def test_nothing_typed_gives_the_first(tmp_path: Path) -> None:
    with make(tmp_path / "c") as store:
        assert search_titles(store, " ", 2) == ["Port Ellery", "Ellery"]


def test_typing_mistakes_and_other_names(tmp_path: Path) -> None:
    with make(tmp_path / "c") as store:
        assert search_titles(store, "stoney tarn", 5) == ["Stony Tarn"]
        assert search_titles(store, "ada", 5)[0] == "Stony Tarn"
        assert search_titles(store, "qqqqqqqq", 5) == []


def test_signs_mean_themselves(tmp_path: Path) -> None:
    with make(tmp_path / "c") as store:
        assert search_titles(store, "%", 5) == ["100% Wool"]
        assert search_titles(store, "\ud800", 5) == []
