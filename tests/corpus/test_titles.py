from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from lacuna.corpus.store import Redirect, Store
from lacuna.corpus.titles import closest, did_you_mean, folded, is_valid, plain, search_titles
from lacuna.types import Document


@given(st.text())
def test_case_underscores_and_surrounding_space_do_not_matter(title: str) -> None:
    assert folded(f" {title.replace(' ', '_')} ") == folded(title)


def test_plain_undoes_url_quoting_and_keeps_case() -> None:
    assert plain("Caf%C3%A9_au__lait") == "Café au lait"


def test_the_same_case_wins_then_a_capital_then_the_first() -> None:
    assert closest("jet", ["JET", "Jet", "jet"]) == 2
    assert closest("jet", ["JET", "Jet"]) == 1
    assert closest("jEt", ["JET", "Jet"]) == 0


def test_suggestions_come_best_first_and_nonsense_gets_none() -> None:
    titles = ["Ferry", "Fairy", "Submarine"]
    assert did_you_mean("Fery", titles)[0] == "Ferry"
    assert did_you_mean("qqqqqqqq", titles) == []


def test_empty_titles_and_half_surrogates_are_not_valid() -> None:
    assert not any(map(is_valid, ["", "  ", "a\ud800"]))
    assert is_valid("é")


def test_composed_and_decomposed_letters_are_the_same() -> None:
    assert folded("Cafe\u0301") == folded("Caf\u00e9")


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
