"""The windows of documents with the words of each: a cheap first ranking of them."""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from threading import Lock

from lacuna.corpus.store import Store
from lacuna.corpus.text_index import Analyzer
from lacuna.retrieve.bm25_score import Bm25Weights, idf, term_weight
from lacuna.retrieve.windows import Window, windows, with_sentences
from lacuna.types import Document

CACHED = 4_000_000
"""Characters of the documents that stay in memory, those used last."""
WEIGHTS = Bm25Weights()


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
        self._cached: OrderedDict[str, IndexedDocument] = OrderedDict()
        self._cached_size = 0
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
                self._cached.clear()
                self._cached_size, self._generation = 0, generation
            if (cached := self._cached.get(title)) is not None:
                self._cached.move_to_end(title)
                return cached
        indexed = self.cut(self._store.document(title))
        with self._lock:
            if title not in self._cached:
                self._cached[title] = indexed
                self._cached_size += len(indexed.document.text)
                while self._cached_size > CACHED and len(self._cached) > 1:
                    _, old = self._cached.popitem(last=False)
                    self._cached_size -= len(old.document.text)
        return indexed

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


def word_scores(terms: Sequence[str], documents: Iterable[IndexedDocument]) -> list[list[float]]:
    """BM25 of every window of the documents; idf counts these windows alone."""
    documents = list(documents)
    counts = [count for document in documents for count in document.counts]
    lengths = [count.total() for count in counts]
    average = max(1.0, sum(lengths) / max(1, len(lengths)))
    rarity = {term: idf(len(counts), sum(term in count for count in counts)) for term in terms}
    scores = iter(
        sum(
            term_weight(count[term], length, average, WEIGHTS, idf=rarity[term])
            for term in terms
            if term in count
        )
        for count, length in zip(counts, lengths, strict=True)
    )
    return [[next(scores) for _ in document.windows] for document in documents]
