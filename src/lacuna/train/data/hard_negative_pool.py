"""Quotes of other questions that are close in words to a question and do not answer it."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from random import Random

from lacuna.train.data.iirc_answers import find
from lacuna.train.data.similar import Similar

CLOSE = 40
"""Quotes that count as close; those of a fitting length are taken from them."""
FITTING = 5
SAME = 0.6
"""Two quotes that share more of their words may say the same."""


@dataclass(frozen=True)
class QuotedText:
    """A quote of a linked article; ``whole`` where its question came with the whole passage."""

    text: str
    title: str
    whole: bool

    @cached_property
    def words(self) -> frozenset[str]:
        return frozenset(re.findall(r"\w+", self.text.casefold()))

    @cached_property
    def names(self) -> frozenset[str]:
        """Words that are written large, but for the first."""
        return frozenset(re.findall(r"(?<=\s)[A-Z]\w{3,}", self.text))


class HardNegativePool:
    """Finds near misses for the questions of one file.

    Titles are known only where the whole passage is. A question takes near misses of its own
    sort, so that a title's presence tells nothing.
    """

    def __init__(
        self, quotes: Iterable[QuotedText], questions: Sequence[str], random: Random
    ) -> None:
        self._random = random
        self._names = [set(re.findall(r"(?<=\s)[A-Z]\w{3,}", text)) for text in questions]
        self._quotes: dict[bool, list[QuotedText]] = {True: [], False: []}
        for quote in dict.fromkeys(quotes):
            self._quotes[quote.whole].append(quote)
        self._close = {
            whole: Similar([quote.text for quote in quotes]).best(questions, CLOSE)
            for whole, quotes in self._quotes.items()
        }

    def near(
        self, number: int, whole: bool, link: QuotedText | None, avoid: Sequence[str], count: int
    ) -> list[QuotedText]:
        """As many near misses for a question, unlike its own quote and one another."""
        quotes = self._quotes[whole]
        close = [quotes[index] for index in self._close[whole][number]]
        chosen: list[QuotedText] = []
        unlike = [link] if link else []
        while len(chosen) < count and quotes:
            length = len(self._random.choice(quotes).text)
            fit = [quote for quote in close if is_miss(quote, unlike, avoid)]
            # Those that speak of the same people and places are the hardest to tell apart.
            fit = [quote for quote in fit if quote.names & self._names[number]] or fit
            if not fit:  # any quote, rather than a missing one that would tell something
                some = self._random.sample(quotes, min(FITTING * 4, len(quotes)))
                fit = [quote for quote in some if is_miss(quote, unlike, avoid)]
            if not fit:
                break
            fit.sort(key=lambda quote: abs(math.log((1 + len(quote.text)) / (1 + length))))
            chosen.append(self._random.choice(fit[:FITTING]))
            unlike.append(chosen[-1])
        return chosen


def is_miss(quote: QuotedText, unlike: Iterable[QuotedText], avoid: Sequence[str]) -> bool:
    """Whether a quote is unlike some others and holds none of the texts to avoid."""
    if any(_alike(quote, other) for other in unlike):
        return False
    return not any(find(text, quote.text) for text in avoid)


def _alike(one: QuotedText, other: QuotedText) -> bool:
    fewer = min(len(one.words), len(other.words))
    return len(one.words & other.words) > SAME * fewer
