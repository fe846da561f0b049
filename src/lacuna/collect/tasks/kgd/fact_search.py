"""Facts that may bear on a question: the core fact, and those that share most with the question."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable

from lacuna.datasets.openbookqa import right_choice
from lacuna.retrieve.bm25_score import Bm25Weights, idf, term_weight
from lacuna.text import content_stems, sameness_key
from lacuna.types import Question

WEIGHTS = Bm25Weights()


class FactSearch:
    """A book of facts, searched by the stems of their words.

    >>> book = FactSearch(["iron rusts", "bees carry pollen"])
    >>> book.search("What rusts in the rain?", 5)
    ['iron rusts']
    """

    def __init__(self, facts: Iterable[str]) -> None:
        self._facts = list({sameness_key(fact): fact for fact in facts}.values())
        stems = [Counter(content_stems(fact)) for fact in self._facts]
        self._lengths = [counts.total() for counts in stems]
        self._average = sum(self._lengths) / len(stems) if stems else 1.0
        self._holding: dict[str, list[tuple[int, int]]] = defaultdict(list)
        for number, counts in enumerate(stems):
            for stem, count in counts.items():
                self._holding[stem].append((number, count))

    def search(self, query: str, k: int) -> list[str]:
        """The best facts by BM25, the best first; none that shares nothing with the query."""
        scores: dict[int, float] = defaultdict(float)
        for stem in dict.fromkeys(content_stems(query)):
            holding = self._holding.get(stem, ())
            rarity = idf(len(self._facts), len(holding))
            for number, count in holding:
                length = self._lengths[number]
                scores[number] += term_weight(count, length, self._average, WEIGHTS, idf=rarity)
        ranked = sorted(scores, key=lambda number: (-scores[number], number))
        return [self._facts[number] for number in ranked[:k]]


def candidate_facts(question: Question, book: FactSearch, k: int) -> list[str]:
    """The core fact and what the book has beside it, as far as they leave a gap."""
    found = ([question.fact] if question.fact else []) + book.search(question.text, 4 * k)
    different = {sameness_key(fact): fact for fact in reversed(found)}
    facts = sorted(different.values(), key=found.index)
    return [fact for fact in facts if leaves_gap(fact, question)][:k]


def leaves_gap(fact: str, question: Question) -> bool:
    """Whether a fact does not give the answer away (appendix A).

    It shares no word with the right choice, or words with several of the choices.
    """
    said = set(content_stems(fact))
    sharing = [
        number
        for number, choice in enumerate(question.choices)
        if not said.isdisjoint(content_stems(choice.text))
    ]
    return sharing != [right_choice(question)]
