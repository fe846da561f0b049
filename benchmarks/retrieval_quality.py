"""How well both retrievers find HotpotQA's gold paragraphs among the abstracts.

LACUNA_DATA=… python benchmarks/retrieval_quality.py
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

from abstracts import abstracts, questions

from lacuna.corpus.store import Store
from lacuna.metrics.retrieval import score_retrieval
from lacuna.retrieve import bm25
from lacuna.retrieve.bm25 import Bm25Retriever
from lacuna.retrieve.hotpotqa import MOST_CANDIDATES, HotpotRetriever
from lacuna.retrieve.protocol import Retriever, search_many

BM25_DEPTH = 1000
POOL_ASKED = 200
FILES = {"full wiki": "dev_fullwiki.json.gz", "dev": "dev.json.gz"}


def main() -> None:
    """Print the table, and how often BM25's pool of candidates is too small."""
    with tempfile.TemporaryDirectory() as folder:
        store = Store.create(Path(folder) / "store")
        with store.writer() as writer:
            writer.add(abstracts())
        retrievers: dict[str, tuple[Retriever, int]] = {
            "BM25": (Bm25Retriever(store), BM25_DEPTH),
            "HotpotQA's": (HotpotRetriever(store), MOST_CANDIDATES),
        }
        print("| questions | retriever | hits@2 | hits@10 | MAP | mean rank |")
        print("|---|---|---:|---:|---:|---:|")
        for name, file in FILES.items():
            asked = questions(file)
            texts = [question.text for question in asked]
            for shown, (retriever, depth) in retrievers.items():
                found = search_many(retriever, texts, depth)
                ranked = ([hit.title for hit in hits] for hits in found)
                pairs = zip(ranked, (question.gold for question in asked), strict=True)
                scores = score_retrieval(pairs, candidates=depth)
                print(
                    f"| {name} ({len(asked):,}) | {shown} | {100 * scores['hits@2']:.2f} | "
                    f"{100 * scores['hits@10']:.2f} | {100 * scores['map']:.2f} | "
                    f"{scores['mean_rank']:.2f} |",
                    flush=True,
                )
        print_pool(store, [question.text for question in questions(FILES["dev"])[:POOL_ASKED]])


def print_pool(store: Store, texts: Sequence[str]) -> None:
    """Compare the ten best of the usual pool with those of fifty times as many candidates."""
    retriever = Bm25Retriever(store)
    usual = search_many(retriever, texts, 10)
    bm25.POOL_MORE = 5_000
    whole = search_many(retriever, texts, 10)
    same = sum(one == other for one, other in zip(usual, whole, strict=True))
    kept = sum(
        len({hit.title for hit in one} & {hit.title for hit in other})
        for one, other in zip(usual, whole, strict=True)
    )
    every = sum(map(len, whole))
    print(f"\nThe ten best are the same, in the same order, for {same} of {len(texts)} questions;")
    print(f"{kept} of the {every} hits ({100 * kept / every:.2f} %) are the same.")


if __name__ == "__main__":
    main()
