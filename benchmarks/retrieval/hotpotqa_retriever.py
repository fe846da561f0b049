"""HotpotQA's retriever beside algorithm 2 with dictionaries: the same hits, and how much faster?"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from benchmarks.baselines.hotpotqa_retriever import PlainHotpotRetriever
from benchmarks.registry import command
from benchmarks.retrieval.abstracts import FULL_WIKI, abstracts, question_texts
from lacuna.corpus.graph import cached_arrays
from lacuna.retrieve.hotpotqa import GramIndex, build_index


def main(arguments: Sequence[str]) -> None:
    """Ask the same questions of both, turn by turn."""
    parser = command("hotpotqa-retriever", __doc__)
    parser.add_argument("--limit", type=int, default=100, help="how many questions")
    queries = question_texts(FULL_WIKI, parser.parse_args(arguments).limit)
    texts = [document.text for document in abstracts()]
    start = time.perf_counter()
    plain = PlainHotpotRetriever(texts)
    plain_build = time.perf_counter() - start
    with tempfile.TemporaryDirectory() as folder:
        start = time.perf_counter()
        arrays = cached_arrays(
            Path(folder), "hotpot", 1, lambda scratch: build_index(texts, scratch)
        )
        ours_build = time.perf_counter() - start
        ours = GramIndex(arrays)
        spent = {"plain": 0.0, "ours": 0.0}
        same = 0
        for query in queries:
            start = time.perf_counter()
            hits = ours.search(query, 10)
            middle = time.perf_counter()
            expected = plain.search(query, 10)
            spent["ours"] += middle - start
            spent["plain"] += time.perf_counter() - middle
            same += hits == expected
    print(f"{len(texts):,} paragraphs, {len(queries)} questions, identical results for {same}\n")
    print("| | build, s | ms a question |\n|---|---:|---:|")
    for name, build in (("plain", plain_build), ("ours", ours_build)):
        shown = {"plain": "Python dictionaries", "ours": "lacuna.retrieve.hotpotqa"}[name]
        print(f"| {shown} | {build:.1f} | {1000 * spent[name] / len(queries):.2f} |")
    print(f"\nratio a question: {spent['plain'] / spent['ours']:.0f}")
