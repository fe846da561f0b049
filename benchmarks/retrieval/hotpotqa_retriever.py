"""HotpotQA's retriever against a dictionary version of algorithm 2: same results, how much faster?

LACUNA_DATA=… python benchmarks/hotpot_speed.py
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

from abstracts import abstracts, questions
from plain_hotpot import PlainHotpot

from lacuna.corpus.arrays import cached_arrays
from lacuna.retrieve.hotpotqa import GramIndex
from lacuna.retrieve.hotpotqa_index import build_index

HOW_MANY = 100


def main() -> None:
    """Ask the same questions of both, turn by turn."""
    texts = [document.text for document in abstracts()]
    asked = [question.text for question in questions("dev_fullwiki.json.gz")][:HOW_MANY]
    start = time.perf_counter()
    plain = PlainHotpot(texts)
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
        for question in asked:
            start = time.perf_counter()
            found = ours.search(question, 10)
            middle = time.perf_counter()
            expected = plain.search(question, 10)
            spent["ours"] += middle - start
            spent["plain"] += time.perf_counter() - middle
            same += found == expected
    print(f"{len(texts):,} paragraphs, {len(asked)} questions, identical results for {same}\n")
    print("| | build, s | ms a question |\n|---|---:|---:|")
    for name, build in (("plain", plain_build), ("ours", ours_build)):
        shown = {"plain": "Python dictionaries", "ours": "lacuna.retrieve.hotpotqa"}[name]
        print(f"| {shown} | {build:.1f} | {1000 * spent[name] / len(asked):.2f} |")
    print(f"\nratio a question: {spent['plain'] / spent['ours']:.0f}")


if __name__ == "__main__":
    main()
