import pytest

from lacuna.corpus.text_index import Analyzer
from lacuna.retrieve.bm25 import query_terms


@pytest.mark.parametrize(
    ("query", "terms"),
    [
        ("Who wrote the paper?", ["wrote", "paper"]),
        ("  How many ferries can I see?", ["mani", "ferri", "see"]),
        ("the company's values, and Voss’s", ["compani", "valu", "voss"]),
        ("I don't know vitamin D", ["don", "know", "vitamin", "d"]),
        ("What did the WHO say in May?", ["who", "say", "may"]),
        ("what can you do", ["what", "can", "you", "do"]),
        ("the", []),
        ("", []),
    ],
)
def test_words_that_only_ask_are_left_out(query: str, terms: list[str]) -> None:
    assert query_terms(query, Analyzer()) == terms
