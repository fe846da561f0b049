import math
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lacuna.corpus.passages import SectionFinder, passages
from lacuna.corpus.store import Store
from lacuna.corpus.text_index import Analyzer
from lacuna.errors import LacunaError
from lacuna.retrieve.bm25 import BEGINNING, PAIR, Bm25Retriever, make_snippet, split_phrases
from lacuna.retrieve.registry import search_many
from lacuna.types import Document, Section, Span

FERRY = "The red ferry sails at dawn. Its captain sleeps."
EARLY = (
    "Early history of the port. Boats rest. " + "Nets dry, and gulls wait on the long wall. " * 2
)
HARBOUR = EARLY + "Modern ferries came; the ferry is red no more."
DOCUMENTS = [
    Document("Ferry", FERRY),
    Document(
        "Harbour",
        HARBOUR,
        paragraphs=(Span(0, len(EARLY) - 1), Span(len(EARLY), len(HARBOUR))),
        sections=(
            Section(("History",), 0, len(HARBOUR)),
            Section(("History", "Modern times"), len(EARLY), len(HARBOUR)),
        ),
    ),
    Document("Captain", "Someone in command of a vessel."),
]


@pytest.fixture
def store(tmp_path: Path) -> Store:
    store = Store.create(tmp_path / "store")
    with store.writer() as writer:
        writer.add(DOCUMENTS)
    return store


def by_hand(
    store: Store, query: str, k1: float, b: float, weights: tuple[float, float, float]
) -> dict[str, float]:
    """The score of every passage, straight from the formula."""
    analyzer = Analyzer()
    entries: list[tuple[str, list[list[str]]]] = []
    for document in store:
        sections = SectionFinder(document)
        for start, end in passages(document):
            found = sections.at(end - 1)
            headings = " ".join(found.path if found else ())
            texts = (document.title, headings, document.text[start:end])
            entries.append((f"{document.title} {start}", [analyzer.terms(text) for text in texts]))
    average = [sum(len(entry[1][field]) for entry in entries) / len(entries) for field in range(3)]
    terms = analyzer.terms(query)
    df = {
        term: sum(any(term in field for field in fields) for _, fields in entries) for term in terms
    }
    idf = {term: math.log(1 + (len(entries) - df[term] + 0.5) / (df[term] + 0.5)) for term in terms}
    scores: dict[str, float] = {}
    for name, fields in entries:
        score = 0.0
        for term in set(terms):
            tf = sum(
                weight * field.count(term) / (1 - b + b * len(field) / mean)
                for field, weight, mean in zip(fields, weights, average, strict=True)
                if term in field
            )
            score += idf[term] * tf * (k1 + 1) / (tf + k1) if tf else 0.0
        for pair in set(pairwise(terms)):
            count = sum(list(pairwise(field)).count(pair) for field in fields)
            part = count * (k1 + 1) / (count + k1) if count else 0.0
            score += PAIR * min(idf[term] for term in pair) * part
        scores[name] = score * (1 + BEGINNING * name.endswith(" 0"))
    return scores


@pytest.mark.parametrize(
    ("k1", "b", "title_weight", "heading_weight"),
    [(0.9, 0.4, 1.0, 1.0), (1.2, 0.75, 0.3, 2.0), (0.0, 0.0, 2.0, 0.0), (3, 1, 0, 0.5)],
)
def test_scores_are_those_of_the_formula(
    store: Store, k1: float, b: float, title_weight: float, heading_weight: float
) -> None:
    query = "captain of a red red ferry in the early history of the port"
    expected = by_hand(store, query, k1, b, (title_weight, heading_weight, 1.0))
    search = Bm25Retriever(
        store, k1=k1, b=b, title_weight=title_weight, heading_weight=heading_weight
    )
    hits = search.search(query)
    assert len(hits) == len(expected) == 4
    assert {f"{hit.title} {hit.start}": hit.score for hit in hits} == pytest.approx(expected)
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)


def test_headings_are_searched(store: Store) -> None:
    (hit, *_) = Bm25Retriever(store).search("modern times")
    assert (hit.title, hit.section) == ("Harbour", ("History", "Modern times"))


def test_words_next_to_each_other_as_in_the_query_count_more(store: Store) -> None:
    with store.writer() as writer:
        writer.add([Document("One", "zinc and iron lamp"), Document("Two", "iron and zinc lamp")])
    assert titles(store, "zinc iron")[0] == "One"
    assert titles(store, "iron zinc")[0] == "Two"


def test_question_words_are_not_looked_for_unless_all_words_are(store: Store) -> None:
    with store.writer() as writer:
        writer.add([Document("How", "how many did you see when and where")])
    assert titles(store, "how does someone command") == ["Captain"]
    assert titles(store, "how did you see", all_words=True) == ["How"]


def test_a_hit_says_which_passage_and_section(store: Store) -> None:
    (hit, *_) = Bm25Retriever(store).search("modern ferries")
    assert (hit.title, hit.section) == ("Harbour", ("History", "Modern times"))
    assert HARBOUR[hit.start : hit.end].strip().startswith("Modern")


def titles(store: Store, query: str, **how: object) -> list[str]:
    return [hit.title for hit in Bm25Retriever(store).search(query, **how)]  # type: ignore[arg-type]


def test_all_words_must_be_there_when_asked(store: Store) -> None:
    assert set(titles(store, "captain command")) == {"Captain", "Ferry"}
    assert titles(store, "captain command", all_words=True) == ["Captain"]


def test_phrases_must_be_there_stop_words_leave_gaps(store: Store) -> None:
    assert titles(store, "", phrases=["red ferry"]) == ["Ferry"]
    assert titles(store, "sails", phrases=["command of a vessel"]) == ["Captain"]
    assert titles(store, "", phrases=["command vessel"]) == []
    assert titles(store, "", phrases=["captain someone"]) == []  # title and text are apart


def test_filters_by_document_and_section(store: Store) -> None:
    assert titles(store, "ferry", documents=["harbour"]) == ["Harbour"]
    assert titles(store, "ferry", documents=["no such"]) == []
    assert titles(store, "ferry port", section=["history", "modern TIMES"]) == ["Harbour"]
    assert titles(store, "ferry port", section=["History"]) == ["Harbour", "Harbour"]
    assert titles(store, "ferry", section=["Modern times"]) == []


def test_snippets_point_into_the_document(store: Store) -> None:
    hits = Bm25Retriever(store).search("red ferry", snippets=True)
    assert {hit.title for hit in hits} == {"Ferry", "Harbour"}
    for hit in hits:
        text = store.document(hit.title).text
        assert hit.snippet is not None
        assert text[hit.snippet.start : hit.snippet.end] == hit.snippet.text
        marked = {text[start:end].lower() for start, end in hit.snippet.marks}
        assert {"red", "ferry"} <= marked


@given(
    st.lists(st.sampled_from(["ferry", "red", "und", "straße", "naïve"]), max_size=60),
    st.integers(10, 80),
)
def test_snippets_keep_to_the_passage_and_the_width(words: list[str], width: int) -> None:
    text = " ".join(words)
    passage = Span(len(text) // 3, len(text))
    snippet = make_snippet(text, passage, {"red"}, Analyzer(), width)
    assert passage.start <= snippet.start <= snippet.end <= passage.end
    assert snippet.end - snippet.start <= width
    assert all(text[start:end] == "red" for start, end in snippet.marks)


def test_batches_give_what_single_searches_give(store: Store) -> None:
    search = Bm25Retriever(store)
    queries = ["red ferry", "captain", "", "the"] * 5
    single = [search.search(query, 2) for query in queries]
    assert search_many(search, queries, 2) == single
    assert search_many(search, queries, 2, threads=2) == single


def test_later_adds_are_found_without_reopening(store: Store) -> None:
    search = Bm25Retriever(store)
    with store.writer() as writer:
        writer.add([Document("Ferry", "Now about zebras.")])
    assert [hit.title for hit in search.search("zebra")] == ["Ferry"]
    assert not search.search("dawn")


def test_broken_text_is_searchable(store: Store) -> None:
    with store.writer() as writer:
        writer.add([Document("Odd", "okapi \ud800 here", links=())])
    (hit,) = Bm25Retriever(store).search("okapi \udfff", snippets=True)
    assert hit.snippet is not None
    assert hit.snippet.text == "okapi \ud800 here"


@pytest.mark.parametrize(
    "wrong", [{"k1": -1.0}, {"b": 1.5}, {"title_weight": -1.0}, {"heading_weight": -1.0}]
)
def test_impossible_parameters_are_refused(store: Store, wrong: dict[str, float]) -> None:
    with pytest.raises(LacunaError, match="k1"):
        Bm25Retriever(store, **wrong)


@pytest.mark.parametrize(
    ("query", "words", "phrases"),
    [
        ("old ferry", ["old", "ferry"], []),
        ('"old ferry" harbour', ["harbour"], ["old ferry"]),
        ('"a b" c "d"', ["c"], ["a b", "d"]),
        ('the 12" gun', ["the", '12"', "gun"], []),
        ('"" x', ["x"], []),
    ],
)
def test_phrases_are_what_stands_in_quotes(
    query: str, words: list[str], phrases: list[str]
) -> None:
    loose, found = split_phrases(query)
    assert (loose.split(), found) == (words, phrases)
