"""Documents at hand, cut into windows, with the words of each: a cheap first ranking of them."""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import log
from threading import Lock

from lacuna.corpus.store import Store
from lacuna.corpus.text_index import Analyzer
from lacuna.retrieve.windows import Window, windows, with_sentences
from lacuna.types import Document

REMEMBERED = 4_000_000
"""Characters of the documents that are kept ready, those used last."""
K1, B = 0.9, 0.4


@dataclass(frozen=True, slots=True)
class IndexedDocument:
    """A document, its windows, and how often each window has which word."""

    document: Document
    windows: tuple[Window, ...]
    counts: tuple[Counter[str], ...]


class WindowIndex:
    """The documents of a store, ready to be ranked; several threads may share one."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._analyzer = Analyzer()
        self._kept: OrderedDict[str, IndexedDocument] = OrderedDict()
        self._held = 0
        self._generation = store.generation
        self._lock = Lock()

    def terms(self, text: str) -> list[str]:
        """The words of a text as they are compared: lower case, stems, no stop words."""
        return list(dict.fromkeys(self._analyzer.terms(text)))

    def document(self, title: str) -> IndexedDocument:
        """A document of the store by its exact title."""
        generation = self._store.generation
        with self._lock:
            if generation != self._generation:
                self._kept.clear()
                self._held, self._generation = 0, generation
            if (known := self._kept.get(title)) is not None:
                self._kept.move_to_end(title)
                return known
        made = self.cut(self._store.document(title))
        with self._lock:
            if title not in self._kept:
                self._kept[title] = made
                self._held += len(made.document.text)
                while self._held > REMEMBERED and len(self._kept) > 1:
                    _, old = self._kept.popitem(last=False)
                    self._held -= len(old.document.text)
        return made

    def cut(self, document: Document) -> IndexedDocument:
        """Any document, cut into windows; headings count as words of what stands under them."""
        document = with_sentences(document)
        cut = windows(document)
        counts = tuple(
            Counter(
                self._analyzer.terms(
                    " ".join((*window.section[1:], document.text[window.start : window.end]))
                )
            )
            for window in cut
        )
        return IndexedDocument(document, cut, counts)


def word_scores(terms: Sequence[str], shelved: Iterable[IndexedDocument]) -> list[list[float]]:
    """BM25 of every window of the documents; a word is worth what it tells these windows apart."""
    shelved = list(shelved)
    counts = [count for one in shelved for count in one.counts]
    lengths = [count.total() for count in counts]
    average = max(1.0, sum(lengths) / max(1, len(lengths)))
    worth = {term: _idf(len(counts), sum(term in count for count in counts)) for term in terms}
    scores = iter(
        sum(
            worth[term] * count[term] * (K1 + 1) / (count[term] + K1 * (1 - B + B * size / average))
            for term in terms
            if term in count
        )
        for count, size in zip(counts, lengths, strict=True)
    )
    return [[next(scores) for _ in one.windows] for one in shelved]


def _idf(number: int, having: int) -> float:
    return log(1 + (number - having + 0.5) / (having + 0.5))
