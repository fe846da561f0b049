"""Passages that say it in other words come before those that only share words."""

from __future__ import annotations

from pathlib import Path

import pytest

from lacuna.corpus.store import Store
from lacuna.retrieve import hybrid
from lacuna.retrieve.bm25 import Bm25Retriever
from lacuna.retrieve.hybrid import HybridRetriever
from lacuna.retrieve.registry import search_many
from lacuna.types import Document

MANUAL = [
    Document(
        "Cleaning up", "To remove a directory with all its files, add the option to the command."
    ),
    Document("Songs", "The command of a folder song: to delete is to sing. Songs, songs, songs."),
    Document("Harbour", "The ferry leaves the harbour at noon."),
]
QUESTION = "Which command can delete a folder?"


@pytest.fixture
def store(tmp_path: Path) -> Store:
    store = Store.create(tmp_path / "corpus")
    with store.writer() as writer:
        writer.add(MANUAL)
    return store


def test_other_words_raise_a_passage(store: Store) -> None:
    by_words = {hit.title: hit.score for hit in Bm25Retriever(store).search(QUESTION)}
    both = {hit.title: hit.score for hit in HybridRetriever(store).search(QUESTION)}
    assert set(by_words) == set(both) == {"Cleaning up", "Songs"}
    plain = by_words["Cleaning up"] / by_words["Songs"]
    assert both["Cleaning up"] / both["Songs"] > plain + 0.1


def test_hits_are_those_of_bm25_best_first(store: Store) -> None:
    hits = HybridRetriever(store).search(QUESTION, 10)
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    places = {(hit.title, hit.start, hit.end) for hit in Bm25Retriever(store).search(QUESTION, 10)}
    assert {(hit.title, hit.start, hit.end) for hit in hits} == places
    assert HybridRetriever(store).search(QUESTION, 1) == hits[:1]


@pytest.mark.parametrize("query", ["", "of the", "zyzzyva \udfff", "?"])
def test_queries_that_find_nothing(store: Store, query: str) -> None:
    assert HybridRetriever(store).search(query) == []
    assert HybridRetriever(store).search(QUESTION, 0) == []


def test_what_is_not_ranked_again_follows(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hybrid, "PROPOSED", 1)
    first, second = HybridRetriever(store).search(QUESTION)
    words = Bm25Retriever(store).search(QUESTION)
    assert [first.title, second.title] == [hit.title for hit in words]
    assert first.score > second.score


def test_what_is_added_later_is_found_and_ranked(store: Store) -> None:
    retriever = HybridRetriever(store)
    retriever.search(QUESTION)
    with store.writer() as writer:
        writer.add([Document("Deleting", "This command will delete a folder.")])
    assert retriever.search(QUESTION, 1)[0].title == "Deleting"


def test_threads_share_one(store: Store) -> None:
    queries = [QUESTION, "When does the ferry leave?", "songs"] * 10
    alone = search_many(HybridRetriever(store), queries)
    assert search_many(HybridRetriever(store), queries, threads=4) == alone
