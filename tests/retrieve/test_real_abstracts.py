"""Both retrievers on some thousand real paragraphs, where the data is at hand."""

import os
from itertools import islice
from pathlib import Path

import pytest

from lacuna.corpus.store import Store
from lacuna.datasets import get_dataset
from lacuna.retrieve.bm25 import Bm25Retriever
from lacuna.retrieve.hotpotqa import HotpotRetriever
from lacuna.retrieve.registry import Retriever, search_many
from lacuna.types import Document

DATA = os.environ.get("LACUNA_DATA")
pytestmark = pytest.mark.skipif(not DATA, reason="LACUNA_DATA does not name the data folder")


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    store = Store.create(tmp_path_factory.mktemp("real") / "store")
    with (
        get_dataset("hotpotqa").open(
            Path(DATA or "") / "hotpotqa/abstracts_pool.jsonl.gz"
        ) as reader,
        store.writer() as writer,
    ):
        found = (item.blocks[0].document for item in islice(reader, 2000))
        writer.add(document for document in found if document is not None)
    return store


@pytest.mark.parametrize("kind", [Bm25Retriever, HotpotRetriever])
def test_a_sentence_finds_the_paragraph_it_is_from(
    store: Store, kind: type[Bm25Retriever] | type[HotpotRetriever]
) -> None:
    retriever: Retriever = kind(store)
    asked: list[Document] = [document for document in store if len(document.text) > 300][::40]
    found = search_many(retriever, [document.text[:200] for document in asked], 1, threads=2)
    right = sum(
        bool(hits) and hits[0].title == document.title
        for document, hits in zip(asked, found, strict=True)
    )
    assert len(asked) >= 20
    assert right >= 0.95 * len(asked)
