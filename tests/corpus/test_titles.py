from hypothesis import given
from hypothesis import strategies as st

from lacuna.corpus.titles import closest, did_you_mean, folded, is_valid, plain


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
