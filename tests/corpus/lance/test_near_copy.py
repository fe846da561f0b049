"""A process that searches often has the passages on its own disk."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from equal_stores import QUERIES, hits

from lacuna import demo
from lacuna.corpus.open import open_store
from lacuna.corpus.refresh import refresh_source
from lacuna.corpus.store import new_store_at, store_at
from lacuna.retrieve.bm25 import Bm25Retriever
from lacuna.retrieve.hybrid import HybridRetriever
from lacuna.types import Document
from lacuna_scale.lance import search as near_copy
from lacuna_scale.lance.store import LanceStore


def search_often(store: LanceStore) -> None:
    """Until the copy is there."""
    began = time.monotonic()
    while store.snapshot.entries.near is None:
        Bm25Retriever(store).search("ferry")
        assert time.monotonic() - began < 60, "no copy was made"
        time.sleep(0.01)


@pytest.mark.usefixtures("machine")
def test_a_copy_finds_the_same(bucket_address: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(near_copy, "AFTER", 1)
    with new_store_at(bucket_address) as store, store.writer() as writer:
        refresh_source(writer, demo.ARTICLES)
    with store_at(bucket_address) as store, open_store() as in_folder:
        assert isinstance(store, LanceStore)
        search_often(store)
        assert list(store.derived.glob("passages-*"))
        for query in QUERIES:
            for retriever in (Bm25Retriever, HybridRetriever):
                assert hits(retriever(store), query) == hits(retriever(in_folder), query)


@pytest.mark.usefixtures("machine")
def test_a_newer_generation_has_a_copy_of_its_own(
    disk_address: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(near_copy, "AFTER", 1)
    with new_store_at(disk_address) as store:
        assert isinstance(store, LanceStore)
        with store.writer() as writer:
            writer.add([Document("One", "The old ferry."), Document("Two", "The ferry of today.")])
        search_often(store)
        with store.writer() as writer:
            writer.add([Document("One", "A new ferry.")])
        search_often(store)
        found = Bm25Retriever(store).search("ferry")
        texts = [store.document(hit.title).text[hit.start : hit.end] for hit in found]
        assert sorted(texts) == ["A new ferry.", "The ferry of today."]
