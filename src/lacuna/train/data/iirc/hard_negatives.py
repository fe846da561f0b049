"""Hard negatives: quotes that look as if they answered a question, and do not.

Some are on topic: the quotes of other questions about the same paragraph, the other sentences of a
quote, and the openings of articles that a question or its paragraph mentions. The others are quotes
of any question that are similar in words.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from random import Random

from lacuna.datasets import get_dataset
from lacuna.train.data.text_search import SimilarTexts, find_text, sentences_of
from lacuna.types import Document

CANDIDATES = 40
"""The most similar quotes, from which those of a fitting length are drawn."""
FITTING = 5
SAME = 0.6
"""Two quotes that share more of their words may say the same."""
LONGEST = 3
"""Sentences of an opening that are quoted at most."""
SAME_START = 60
"""Two quotes that begin with as many equal characters are from the same paragraph."""


@dataclass(frozen=True)
class QuotedText:
    """A quote of a linked article; ``whole`` where its question came with the whole paragraph."""

    text: str
    title: str
    whole: bool

    @cached_property
    def words(self) -> frozenset[str]:
        return frozenset(re.findall(r"\w+", self.text.casefold()))

    @cached_property
    def names(self) -> frozenset[str]:
        """Capitalised words, except the first."""
        return frozenset(_capitalised(self.text))


class HardNegativePool:
    """Finds hard negatives for the questions of one file.

    Titles are known only where the whole paragraph is. A question of either sort gets hard
    negatives of its own sort, so that a title gives nothing away.
    """

    def __init__(
        self, quotes: Iterable[QuotedText], questions: Sequence[str], random: Random
    ) -> None:
        self._random = random
        self._names = [set(_capitalised(text)) for text in questions]
        self._quotes: dict[bool, list[QuotedText]] = {True: [], False: []}
        for quote in dict.fromkeys(quotes):
            self._quotes[quote.whole].append(quote)
        self._similar = {
            whole: SimilarTexts([quote.text for quote in quotes]).best(questions, CANDIDATES)
            for whole, quotes in self._quotes.items()
        }

    def draw(
        self, number: int, whole: bool, gold: QuotedText | None, avoid: Sequence[str], count: int
    ) -> list[QuotedText]:
        """So many hard negatives for a question, unlike its gold quote and one another."""
        quotes = self._quotes[whole]
        similar = [quotes[index] for index in self._similar[whole][number]]
        chosen: list[QuotedText] = []
        unlike = [gold] if gold else []
        while len(chosen) < count and quotes:
            length = len(self._random.choice(quotes).text)
            fit = [quote for quote in similar if is_negative(quote, unlike, avoid)]
            # Those that mention the same people and places are the hardest.
            fit = [quote for quote in fit if quote.names & self._names[number]] or fit
            if not fit:  # any quote: a missing one would give something away
                sample = self._random.sample(quotes, min(FITTING * 4, len(quotes)))
                fit = [quote for quote in sample if is_negative(quote, unlike, avoid)]
            if not fit:
                break
            fit.sort(key=lambda quote: abs(math.log((1 + len(quote.text)) / (1 + length))))
            chosen.append(self._random.choice(fit[:FITTING]))
            unlike.append(chosen[-1])
        return chosen


def is_negative(quote: QuotedText, unlike: Iterable[QuotedText], avoid: Sequence[str]) -> bool:
    """Whether a quote differs from some others and contains none of the texts to avoid."""
    if any(_alike(quote, other) for other in unlike):
        return False
    return not any(find_text(text, quote.text) for text in avoid)


def _alike(quote: QuotedText, other: QuotedText) -> bool:
    fewer = min(len(quote.words), len(other.words))
    return len(quote.words & other.words) > SAME * fewer


def _capitalised(text: str) -> list[str]:
    return re.findall(r"(?<=\s)[A-Z]\w{3,}", text)


class QuotesByParagraph:
    """The quotes that belong to each paragraph, by the sentences that a question has of it."""

    def __init__(self, quotes: Iterable[tuple[str, QuotedText]]) -> None:
        self._quotes: dict[str, dict[QuotedText, None]] = {}
        for own, quote in quotes:
            self._quotes.setdefault(_start(own), {})[quote] = None

    def of(self, own: str) -> list[QuotedText]:
        """Quotes of articles that the same paragraph links to."""
        return list(self._quotes.get(_start(own), ()))


def _start(own: str) -> str:
    return "".join(own.casefold().split())[:SAME_START]


@lru_cache(maxsize=1)
def openings_by_title(path: Path) -> Mapping[str, Document]:
    """The paragraphs of a file by their titles in lower case."""
    with get_dataset("hotpotqa").open(path, skip_bad=True) as reader:
        documents = (block.document for item in reader for block in item.blocks)
        return {
            document.title.casefold(): document
            for document in documents
            if document and document.sentences
        }


def opening_quotes(
    titles: Iterable[str], openings: Mapping[str, Document], whole: bool, random: Random
) -> Iterator[QuotedText]:
    """The first sentences of the articles with these titles."""
    for title in titles:
        if (opening := openings.get(title.casefold())) is not None:
            count = min(random.randint(1, LONGEST), len(opening.sentences))
            text = opening.text[: opening.sentences[count - 1].end].strip()
            if len(text) > len(title) + 10:
                yield QuotedText(text, title, whole)


def other_sentences(quote: QuotedText, answer: str) -> QuotedText | None:
    """A quote without the one sentence that contains the answer; None if there is no such one."""
    text = quote.text
    sentences = [text[start:end].strip() for start, end in sentences_of(text)]
    rest = [sentence for sentence in sentences if answer not in sentence]
    if len(rest) != len(sentences) - 1 or not rest:
        return None
    return QuotedText(" ".join(rest), quote.title, quote.whole)
