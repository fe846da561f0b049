"""What BM25 misses by scoring only a pool of candidates.

tantivy proposes the candidates by its own scores; the hits of the usual pool are compared with
those of a pool fifty times as large.
"""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.registry import command
from benchmarks.retrieval.abstracts import DEV, question_texts, store_of_abstracts
from lacuna.retrieve import bm25
from lacuna.retrieve.registry import search_many

LARGE_POOL = 5_000
K = 10


def main(arguments: Sequence[str]) -> None:
    """Print how many of the ten best hits are the same."""
    parser = command("bm25-pool", __doc__)
    parser.add_argument("--limit", type=int, default=200, help="how many dev questions")
    texts = question_texts(DEV, parser.parse_args(arguments).limit)
    with store_of_abstracts() as store:
        retriever = bm25.Bm25Retriever(store)
        usual = search_many(retriever, texts, K)
        bm25.POOL_MORE = LARGE_POOL
        exact = search_many(retriever, texts, K)
    pairs = list(zip(usual, exact, strict=True))
    same = sum(hits == expected for hits, expected in pairs)
    shared = sum(
        len({hit.title for hit in hits} & {hit.title for hit in expected})
        for hits, expected in pairs
    )
    total = sum(map(len, exact))
    print(f"The ten best are the same, in the same order, for {same} of {len(texts)} questions;")
    print(f"{shared} of the {total} hits ({100 * shared / total:.2f} %) are the same.")
