"""Windows of documents: a few sentences each, short enough to be ranked one by one."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from threading import Lock

from lacuna.corpus.page_builder import sentence_spans
from lacuna.corpus.passages import Excerpt, SectionFinder, headings_above, split_long
from lacuna.corpus.store import Store
from lacuna.corpus.text_index import Analyzer
from lacuna.retrieve.bm25 import Bm25Weights, idf, term_weight
from lacuna.retrieve.registry import Hit
from lacuna.text import INDEX_STOP_WORDS
from lacuna.types import Document, Link, Span

SIZE = 420
"""Characters of a window; about 90 tokens."""
ENOUGH = 200
"""A window of so many characters is not joined with the next paragraph."""
LONGEST = 1200
"""A sentence of more characters (most often a table) is split."""


@dataclass(frozen=True, slots=True)
class Window:
    """A span of the document of that title, and the headings above it."""

    title: str
    start: int
    end: int
    section: tuple[str, ...] = ()


def with_sentences(document: Document) -> Document:
    """The document itself; one without sentences gets those that its text is split into."""
    if document.sentences or not document.text.strip():
        return document
    paragraphs = document.paragraphs or (Span(0, len(document.text)),)
    return replace(document, sentences=sentence_spans(document.text, paragraphs))


def windows(document: Document) -> tuple[Window, ...]:
    """All windows in the order of the text; none crosses a heading.

    Sentences of one paragraph stay together as far as they fit; short neighbouring paragraphs
    and list items are joined.
    """
    cut: list[Window] = []
    finder = SectionFinder(document)
    section: tuple[str, ...] = ()
    start = end = -1
    for sentence in _sentences(document):
        at = finder.at(sentence.start)
        here = at.path if at else ()
        if start >= 0:
            whole = sentence.end - start > SIZE
            apart = "\n" in document.text[end : sentence.start] and end - start >= ENOUGH
            if whole or apart or here != section:
                cut.append(Window(document.title, start, end, section))
                start = -1
        if start < 0:
            start, section = sentence.start, here
        end = sentence.end
    if start >= 0:
        cut.append(Window(document.title, start, end, section))
    return tuple(cut)


def _sentences(document: Document) -> Iterator[Span]:
    for sentence in sorted(document.sentences):
        yield from split_long(document.text, sentence, LONGEST, trailing_space=False)


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

    def excerpt(self, title: str, spans: Iterable[tuple[int, int]]) -> Excerpt:
        """These spans of a document of the store."""
        return Excerpt.of(self.document(title).document, spans)

    def scored(self, text: str, titles: Iterable[str]) -> list[tuple[IndexedDocument, list[float]]]:
        """The documents with the BM25 of their windows for the words of a text."""
        documents = [self.document(title) for title in titles]
        return list(zip(documents, word_scores(self.terms(text), documents), strict=True))

    def most_alike(self, text: str, hits: Iterable[Hit]) -> list[Window]:
        """For each passage that a search found, the window of it with most words of the text."""
        best: dict[Window, None] = {}
        for hit in hits:
            ((indexed, scores),) = self.scored(text, [hit.title])
            inside = [
                (score, -number)
                for number, (window, score) in enumerate(zip(indexed.windows, scores, strict=True))
                if window.start < hit.end and hit.start < window.end
            ]
            if inside:
                best[indexed.windows[-max(inside)[1]]] = None
        return list(best)

    def around(self, hits: Iterable[Hit], size: int) -> list[Window]:
        """For each passage that a search found, what stands around it, if it is new."""
        taken: dict[str, list[Window]] = {}
        found = []
        for hit in hits:
            document = self.document(hit.title).document
            span = around(document, hit.start, hit.end, size)
            before = taken.setdefault(hit.title, [])
            if any(_shared(span, window) > (span.end - span.start) / 2 for window in before):
                continue
            found.append(Window(hit.title, *span, headings_above(document, hit.start)))
            before.append(found[-1])
        return found

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


def _shared(span: Span, window: Window) -> int:
    return min(span.end, window.end) - max(span.start, window.start)


def word_scores(terms: Sequence[str], documents: Iterable[IndexedDocument]) -> list[list[float]]:
    """BM25 of every window of the documents; idf counts these windows alone."""
    documents = list(documents)
    counts = [count for document in documents for count in document.counts]
    lengths = [count.total() for count in counts]
    average = max(1.0, sum(lengths) / max(1, len(lengths)))
    rarity = {term: idf(len(counts), sum(term in count for count in counts)) for term in terms}
    scores = iter(
        [
            sum(
                term_weight(count[term], length, average, WEIGHTS, idf=rarity[term])
                for term in terms
                if term in count
            )
            for count, length in zip(counts, lengths, strict=True)
        ]
    )
    return [[next(scores) for _ in document.windows] for document in documents]


NAME_PART = re.compile(r"\w[\w'’.&-]*\w|\w")
"""A word of a name, which may have signs inside: O'Hara, AT&T, St.-Denis."""
LONGEST_MENTION = 7
"""Words of a title that is looked for."""
MOST_WORDS = 400
"""Of a text; what stands behind is not looked through."""

Known = Callable[[Iterable[str]], Mapping[str, str]]
"""From ways to write titles to the titles that the corpus has for them."""


def mentions(text: str, known: Known, *, capitals: bool = True) -> tuple[Link, ...]:
    """Links to the documents that the text names, the longest names first taken.

    With ``capitals`` a name begins with a capital letter or a digit, and is more than the first
    word of a sentence. A question is typed as it comes, so there any words may be a title.
    """
    words = [match.span() for match in NAME_PART.finditer(text)][:MOST_WORDS]
    candidates: dict[tuple[int, int], str] = {}
    for first, (start, _) in enumerate(words):
        if capitals and not (text[start].isupper() or text[start].isdigit()):
            continue
        for last in range(first, min(first + LONGEST_MENTION, len(words))):
            end = words[last][1]
            name = text[start:end]
            if "\n" in name:
                break
            if name.casefold() in INDEX_STOP_WORDS or (name.isdigit() and not capitals):
                continue
            candidates[start, end] = name
    titles = known(set(candidates.values()))
    taken: list[Link] = []
    longest_first = sorted(candidates.items(), key=lambda item: item[0][0] - item[0][1])
    for (start, end), name in longest_first:
        title = titles.get(name)
        if title is not None and all(end <= link.start or link.end <= start for link in taken):
            taken.append(Link(start, end, title))
    return tuple(sorted(taken, key=lambda link: link.start))


def with_mentions(document: Document, known: Known) -> Document:
    """A document that has no links gets some to what it names."""
    if document.links:
        return document
    return replace(document, links=mentions(document.text, known))


def headed(title: str, section: Sequence[str]) -> str:
    """A title with the headings that a window stands under, of many the innermost.

    >>> headed("Manual", ("Manual", "Sails", "Reefing", "In a gale"))
    'Manual › Reefing › In a gale'
    """
    below = [heading for heading in section if heading != title]
    return " › ".join((title, *below[-2:]))


AROUND_SIZE = 800
"""Characters that are read around a hit; about 180 tokens."""


def around(document: Document, start: int, end: int, size: int = AROUND_SIZE) -> Span:
    """About ``size`` characters with the hit in their middle, in whole sentences of the document.

    At an edge of the document they reach further to the other side. The sentences of the hit are
    there in any case, but never more than twice ``size`` characters, however long they are.
    """
    length = len(document.text)
    begin = min(start - (size - (end - start)) // 2, length - size, start)
    begin = max(begin, 0)
    stop = min(max(begin + size, end), length)
    sentences = with_sentences(document).sentences
    # A sentence belongs to it if its middle does, or if the hit touches it.
    first = min(
        bisect_left(sentences, begin, key=_middle), bisect_right(sentences, start, key=_end)
    )
    last = max(bisect_right(sentences, stop, key=_middle), bisect_left(sentences, end, key=_start))
    if sentences[first:last]:
        begin, stop = sentences[first].start, sentences[last - 1].end
    if stop - begin > 2 * size:
        middle = (start + end) // 2
        begin = max(begin, min(middle - size, stop - 2 * size))
        stop = begin + 2 * size
    return Span(begin, stop)


def _start(sentence: Span) -> int:
    return sentence.start


def _middle(sentence: Span) -> int:
    return (sentence.start + sentence.end) // 2


def _end(sentence: Span) -> int:
    return sentence.end
