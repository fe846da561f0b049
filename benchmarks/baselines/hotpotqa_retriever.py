"""HotpotQA's retriever as one would write it down from appendix C, with dictionaries.

The yardstick for ``lacuna.retrieve.hotpotqa``: the same results in the same order are asked of it.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable
from itertools import pairwise


def grams_of(text: str) -> list[str]:
    """Words, then pairs of neighbours."""
    words = re.findall(r"\w+", text.lower())
    return words + [f"{first} {second}" for first, second in pairwise(words)]


class PlainHotpotRetriever:
    """An inverted index in a dictionary: gram to paragraph to how often."""

    def __init__(self, texts: Iterable[str], most_candidates: int = 5000) -> None:
        self.most_candidates = most_candidates
        self.index: dict[str, dict[int, int]] = {}
        self.count = 0
        for number, text in enumerate(texts):
            self.count += 1
            for gram, times in Counter(grams_of(text)).items():
                self.index.setdefault(gram, {})[number] = times

    def candidates(self, query: str) -> set[int]:
        """Algorithm 2, line by line."""
        question_grams = dict.fromkeys(grams_of(query))
        candidates: set[int] = set()
        number_of_candidates = math.inf
        threshold = 0
        while number_of_candidates > self.most_candidates:
            threshold += 1
            overlap: dict[int, int] = {}
            for gram in question_grams:
                for number in self.index.get(gram, ()):
                    if number not in overlap:
                        overlap[number] = 1
                    else:
                        overlap[number] += 1
            candidates = {number for number, shared in overlap.items() if shared >= threshold}
            number_of_candidates = len(candidates)
        return candidates

    def search(self, query: str, k: int = 10) -> list[tuple[int, float]]:
        """Bigram TF-IDF over the candidates; equal scores in the order of the paragraphs."""
        scores = dict.fromkeys(self.candidates(query), 0.0)
        for gram, times in Counter(grams_of(query)).items():
            holding = self.index.get(gram, {})
            if not holding:
                continue
            idf = max(0.0, math.log((self.count - len(holding) + 0.5) / (len(holding) + 0.5)))
            question_weight = math.log(1 + times) * idf
            for number in scores:
                if number in holding:
                    scores[number] += question_weight * (math.log(1 + holding[number]) * idf)
        ranked = sorted(scores.items(), key=lambda item: (-item[1], item[0]))
        return ranked[:k]
