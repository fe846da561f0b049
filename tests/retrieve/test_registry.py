"""Retrievers by name, those of other packages too."""

from __future__ import annotations

from pathlib import Path

import pytest
from offered_plugins import offer_plugins

from lacuna.corpus.store import Store
from lacuna.errors import LacunaError
from lacuna.plugins import PluginGroup
from lacuna.retrieve.bm25 import Bm25Retriever
from lacuna.retrieve.hotpotqa import HotpotRetriever
from lacuna.retrieve.hybrid import HybridRetriever
from lacuna.retrieve.registry import Hit, Retriever, open_retriever, retriever_names, search_many
from lacuna.types import Document


class FirstDocuments:
    """Finds the first documents of a store, whatever the query."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def search(self, query: str, k: int = 10) -> list[Hit]:
        return [Hit(document.title, 1.0, 0, 1) for document in self._store][:k]


NOT_CALLABLE = "something else"


@pytest.fixture
def store(tmp_path: Path) -> Store:
    store = Store.create(tmp_path / "corpus")
    with store.writer() as writer:
        writer.add([Document("Ferry", "It sails."), Document("Harbour", "The ferry lies there.")])
    return store


@pytest.fixture
def offered(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    return offer_plugins(monkeypatch, PluginGroup.RETRIEVERS, first=f"{__name__}:FirstDocuments")


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("bm25", Bm25Retriever),
        ("hybrid", HybridRetriever),
        ("hotpotqa", HotpotRetriever),
        ("hotpot", HotpotRetriever),
    ],
)
def test_those_that_come_along(store: Store, name: str, kind: type[Retriever]) -> None:
    retriever = open_retriever(name, store)
    assert isinstance(retriever, kind)
    assert retriever.search("sails", 1)[0].title == "Ferry"


def test_a_plugin_needs_no_more_than_search(store: Store, offered: dict[str, str]) -> None:
    assert retriever_names() == ("bm25", "hybrid", "hotpotqa", "first")
    retriever = open_retriever("first", store)
    assert [hit.title for hit in retriever.search("anything", 1)] == ["Ferry"]
    for threads in (1, 2):
        hits = search_many(retriever, ["a", "b"], 2, threads=threads)
        assert [[hit.title for hit in some] for some in hits] == [["Ferry", "Harbour"]] * 2


def test_unknown_names_and_plugins_that_are_no_retrievers(
    store: Store, offered: dict[str, str]
) -> None:
    with pytest.raises(LacunaError, match=r"no retriever 'frist'. Did you mean first\? .*bm25"):
        open_retriever("frist", store)
    offered["first"] = f"{__name__}:NOT_CALLABLE"
    with pytest.raises(LacunaError, match="gives no retriever"):
        open_retriever("first", store)
    offered["first"] = "builtins:len"
    with pytest.raises(LacunaError, match="gives no retriever"):
        open_retriever("first", store)
