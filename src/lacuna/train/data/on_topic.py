"""Quotes about what a question speaks of that still do not answer it.

Such are the quotes of other questions about the same passage, the other sentences of a quote, and
the openings of articles whose titles a question or its passage mentions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from random import Random

from lacuna.corpus.formats.sentences import sentence_spans
from lacuna.datasets import get_dataset
from lacuna.train.data.gold_pieces import opening_title
from lacuna.train.data.hard_negative_pool import QuotedText
from lacuna.train.data.yes_no.other_values import NAME, NO_NAME
from lacuna.types import Document, Span

LONGEST = 3
"""Sentences of an opening that are quoted at most."""
ALIKE = 60
"""Two passages that begin with as many equal characters are the same one."""


@lru_cache(maxsize=1)
def openings_by_title(path: Path) -> Mapping[str, Document]:
    """The paragraphs of a file by their titles in small letters; none where there is no file."""
    if not path.exists():
        return {}
    with get_dataset("hotpotqa").open(path, skip_bad=True) as reader:
        documents = (block.document for item in reader for block in item.blocks)
        return {one.title.casefold(): one for one in documents if one and one.sentences}


def names_in(text: str) -> dict[str, None]:
    """The names in a text, in its order."""
    found = (match.group().removesuffix("'s").rstrip(".'’") for match in NAME.finditer(text))
    return {name: None for name in found if len(name) > 3 and not NO_NAME.match(name)}


def quote_title(text: str) -> str:
    """The name that a quote is about, where it begins with it; else "".

    >>> quote_title("Ada Quill (born 1950) is a poet."), quote_title("The school is old.")
    ('Ada Quill', '')
    """
    title = opening_title(text)
    return title if NAME.fullmatch(title) and not NO_NAME.match(title) else ""


class Passages:
    """The quotes that belong to each passage."""

    def __init__(self, quotes: Iterable[tuple[str, QuotedText]]) -> None:
        self._quotes: dict[str, dict[QuotedText, None]] = {}
        for own, quote in quotes:
            self._quotes.setdefault(_start(own), {})[quote] = None

    def of(self, own: str) -> list[QuotedText]:
        """Quotes of articles that the same passage links to."""
        return list(self._quotes.get(_start(own), ()))


def _start(own: str) -> str:
    return "".join(own.casefold().split())[:ALIKE]


def opening_quotes(
    titles: Iterable[str], openings: Mapping[str, Document], whole: bool, random: Random
) -> Iterator[QuotedText]:
    """The first sentences of the articles with these titles."""
    for title in titles:
        if (found := openings.get(title.casefold())) is not None:
            count = min(random.randint(1, LONGEST), len(found.sentences))
            text = found.text[: found.sentences[count - 1].end].strip()
            if len(text) > len(title) + 10:
                yield QuotedText(text, title, whole)


def other_sentences(quote: QuotedText, answer: str) -> QuotedText | None:
    """What is left of a quote without the one sentence that holds the answer."""
    text = quote.text
    sentences = [text[s:e].strip() for s, e in sentence_spans(text, [Span(0, len(text))])]
    rest = [sentence for sentence in sentences if answer not in sentence]
    if len(rest) != len(sentences) - 1 or not rest:
        return None
    return QuotedText(" ".join(rest), quote.title, quote.whole)
