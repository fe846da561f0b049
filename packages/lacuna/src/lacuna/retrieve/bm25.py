"""BM25 over the passages of a store: their titles, their headings and their words."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple, overload

import numpy as np
import numpy.typing as npt

from lacuna.corpus.store import FIELDS, Averages, PassageRows, PassageView, Store, WantedPassages
from lacuna.corpus.text_index import SECTION_MARK, Analyzer
from lacuna.errors import LacunaError
from lacuna.retrieve.registry import Hit, Snippet
from lacuna.types import Span

QUESTION_WORDS = frozenset(
    """
    what which who whom whose when where why how do does did can could may might should would
    has have had am were been being any some so than from about
    I i my me we our you your he she his her its
    """.split()  # noqa: SIM905 - a list of quoted words would fill a page
)
"""Words that say how something is asked; the index has no "is", "was", "the" and the like."""
ENDINGS = frozenset({"s", "t", "m", "d", "ll", "re", "ve"})
"""The terms that the index makes of the end of "Voss's" and "don't"."""
APOSTROPHES = ("'", "’")


def query_terms(query: str, analyzer: Analyzer) -> list[str]:
    """The terms of a query in order; all of them where it has nothing but question words.

    A capital tells a name from a question word, but not where the question begins.

    >>> query_terms("How old was the ferry's captain in May?", Analyzer())
    ['old', 'ferri', 'captain', 'may']
    """
    return list(_telling(query, analyzer)) or analyzer.terms(query)


def _telling(query: str, analyzer: Analyzer) -> Iterator[str]:
    begins = len(query) - len(query.lstrip())
    for token in analyzer.tokens(query):
        word = query[token.start : token.end]
        if token.start <= begins:
            word = word.lower()
        ending = query[: token.start].endswith(APOSTROPHES) and word in ENDINGS
        if word not in QUESTION_WORDS and not ending:
            yield token.term


# BM25, for every search that ranks by words:
#
#     idf(t) * tf * (k1 + 1) / (tf + k1 * (1 - b + b * length / average length))
#
# ``idf`` and ``term_weight`` take numbers or arrays: the windows of a few documents are scored one
# by one, the sentences of a knowledge base all at once when it is built.
#
# The passages of a corpus, which have several fields, are scored by ``passage_score``.


Floats = npt.NDArray[np.float64]
Counts = npt.NDArray[Any]


@dataclass(frozen=True, slots=True)
class Bm25Weights:
    """The constants of BM25."""

    k1: float = 0.9
    b: float = 0.4


@overload
def idf(texts: int, holding: int) -> float: ...


@overload
def idf(texts: int, holding: Counts) -> Floats: ...


def idf(texts: int, holding: int | Counts) -> float | Floats:
    """The inverse document frequency of a term.

    ``holding`` may be larger than ``texts`` where it still counts texts that were removed.

    >>> round(idf(10, 1), 3), round(idf(10, 10), 3)
    (1.992, 0.047)
    """
    if isinstance(holding, np.ndarray):
        rarity: Floats = np.log1p((np.maximum(texts - holding, 0) + 0.5) / (holding + 0.5))
        return rarity
    return math.log1p((max(texts - holding, 0) + 0.5) / (holding + 0.5))


@overload
def term_weight(
    tf: float, length: float, average: float, weights: Bm25Weights, *, idf: float = 1.0
) -> float: ...


@overload
def term_weight(
    tf: Counts,
    length: Counts,
    average: float | Floats,
    weights: Bm25Weights,
    *,
    idf: float | Floats = 1.0,
) -> Floats: ...


def term_weight(
    tf: float | Counts,
    length: float | Counts,
    average: float | Floats,
    weights: Bm25Weights,
    *,
    idf: float | Floats = 1.0,
) -> float | Floats:
    """The share of a term, ``tf`` times in a text of that length, in the text's score.

    >>> round(term_weight(2, 10, 10.0, Bm25Weights(k1=1.0, b=0.5)), 3)
    1.333
    """
    norm = weights.k1 * (1 - weights.b + weights.b * length / average)
    return idf * tf * (weights.k1 + 1) / (tf + norm)


# How well passages answer a query: BM25F, and a bonus for words that stand together.
#
# A passage has three fields: the title of its document, the headings above it, its own text. The
# count of a term in each is divided by how long the field is beside the average, weighed, and
# added up; that sum takes the place of the count in BM25, so a word that the title has says little
# more in the text, and the other way round. A term has one idf, which counts the passages that
# have it in any field:
#
#     tf = sum over fields of weight * count / (1 - b + b * length / average length)
#     score = sum over terms of idf * tf * (k1 + 1) / (tf + k1)
#
# Two words that are neighbours in the query and stand in a field the same way ("version 4.6.1")
# are a term too, as in the sequential dependence model, with the lower idf of the two and a small
# weight. The passage that begins a document, which most often says what the document is about,
# counts more.
#
# tantivy has k1 = 1.2, b = 0.75 and one field built in, and rounds the lengths of passages; so it
# is asked for more candidates than wanted, and these are scored here, exactly.


Integers = npt.NDArray[np.int64]

PAIR = 0.3
"""The weight of two words that stand next to each other as they do in the query."""
BEGINNING = 0.1
"""The share by which the score of a document's first passage is raised."""


@dataclass(frozen=True, slots=True)
class PassageWeights:
    """The constants of BM25F: k1, b, and how much each field counts."""

    k1: float = 0.9
    b: float = 0.4
    fields: tuple[float, float, float] = (2.0, 1.0, 1.0)


@dataclass(frozen=True, slots=True)
class WeighedQuery:
    """The different terms of a query by their numbers, the idf of each, and which are neighbours.

    ``pairs`` name two terms by their places in ``terms``.
    """

    terms: Sequence[int]
    idf: Floats
    pairs: Sequence[tuple[int, int]] = ()


def passage_scores(
    query: WeighedQuery,
    passages: PassageRows,
    average: Averages,
    weights: PassageWeights,
) -> Floats:
    """The scores of some passages; ``average`` are the lengths of the fields in the corpus."""
    sizes = np.array([len(blob) for blob in passages.blobs], np.int64)
    sizes //= passages.number.itemsize
    above = np.array((passages.title_terms, passages.heading_terms), np.int64)
    lengths = np.stack((*above, sizes - above.sum(axis=0)), axis=1)  # passages x fields
    all_terms = np.frombuffer(b"".join(passages.blobs), passages.number)
    numbers = np.array(query.terms, passages.number)
    order = np.argsort(numbers)
    numbers = numbers[order]
    found = np.minimum(np.searchsorted(numbers, all_terms), len(numbers) - 1)
    which = np.where(numbers[found] == all_terms, order[found], -1)
    places = np.flatnonzero(which >= 0)
    # The field that each matching term stands in: fields end where the lengths add up to.
    ends = np.cumsum(lengths.ravel())
    field = np.searchsorted(ends, places, side="right")
    score = _terms_score(query, which[places], field, lengths, average, weights)
    if len(query.pairs):
        score += _pairs_score(query, which, places, field, ends, weights.k1)
    raised: Floats = score * (1 + BEGINNING * np.array(passages.begins))
    return raised


def _terms_score(
    query: WeighedQuery,
    term: Integers,
    field: Integers,
    lengths: Integers,
    average: Averages,
    weights: PassageWeights,
) -> Floats:
    terms = len(query.terms)
    counts = np.bincount(field * terms + term, minlength=lengths.size * terms)
    relative = lengths / np.maximum(np.array(average), 1e-9)
    norm = np.maximum(1 - weights.b + weights.b * relative, 1e-9)
    share = np.array(weights.fields) / norm  # what one more of a term adds
    tf = np.einsum("pft,pf->pt", counts.reshape(*lengths.shape, terms), share)
    return _saturated(tf, weights.k1) @ query.idf


def _pairs_score(
    query: WeighedQuery,
    which: Integers,
    places: Integers,
    field: Integers,
    ends: Integers,
    k1: float,
) -> Floats:
    terms = len(query.terms)
    pair_of = np.full((terms, terms), -1)
    for number, (first, second) in enumerate(query.pairs):
        pair_of[first, second] = number
    inside = places + 1 < ends[field]  # the next term is in the same field
    places, field = places[inside], field[inside]
    after = which[places + 1]
    pair = np.where(after >= 0, pair_of[which[places], after], -1)
    cell = (field // len(FIELDS)) * len(query.pairs) + pair
    size = len(ends) // len(FIELDS) * len(query.pairs)
    counts = np.bincount(cell[pair >= 0], minlength=size).astype(np.float64)
    rarity = query.idf[np.array(query.pairs)].min(axis=1)
    score: Floats = PAIR * (_saturated(counts.reshape(-1, len(query.pairs)), k1) @ rarity)
    return score


def _saturated(tf: Floats, k1: float) -> Floats:
    # A term that is missing weighs nothing, even where k1 is 0 and the formula has no value.
    return np.divide(tf * (k1 + 1), tf + k1, out=np.zeros_like(tf), where=tf > 0)


WIDTH = 240


def make_snippet(
    text: str, passage: Span, terms: Collection[str], analyzer: Analyzer, width: int = WIDTH
) -> Snippet:
    """The part of the passage with most of the terms in it, the first if several do."""
    tokens = analyzer.tokens(text[passage.start : passage.end])
    wanted = [token for token in tokens if token.term in terms]
    inside: Counter[str] = Counter()
    best, first, best_first = 0, 0, 0
    for last, token in enumerate(wanted):
        inside[token.term] += 1
        while token.end - wanted[first].start > width and first < last:
            inside[wanted[first].term] -= 1
            first += 1
        if (distinct := sum(count > 0 for count in inside.values())) > best:
            best, best_first = distinct, first
    start = passage.start + (wanted[best_first].start if wanted else 0)
    start, end = _whole_words(text, passage, start, width)
    marks = (Span(passage.start + token.start, passage.start + token.end) for token in wanted)
    return Snippet(
        text[start:end],
        start,
        end,
        tuple(mark for mark in marks if start <= mark.start and mark.end <= end),
    )


def _whole_words(text: str, passage: Span, start: int, width: int) -> tuple[int, int]:
    """Some words before the first mark too, and no word cut in two at either end."""
    start = max(passage.start, min(start - width // 6, passage.end - width))
    end = min(start + width, passage.end)
    if start > passage.start:
        space = text.find(" ", start, end)
        start = space + 1 if space >= 0 else start
    if end < passage.end:
        space = text.rfind(" ", start, end)
        end = space if space > start else end
    return start, end


QUOTED = re.compile(r'"([^"]*)"')
POOL_TIMES = 2
POOL_MORE = 80
"""Candidates scored beyond the hits wanted (benchmarks/results/retrieval.md: what that misses)."""


class QueryTerms(NamedTuple):
    """The different terms of a query, as words and as they are scored."""

    terms: list[str]
    weighed: WeighedQuery


class Bm25Retriever:
    """Searches titles, headings and passages.

    >>> from lacuna.corpus.open import open_store
    >>> Bm25Retriever(open_store()).search("When was Gannery Light automated?", k=1)[0].title
    'Gannery Light'
    """

    def __init__(
        self,
        store: Store,
        *,
        k1: float = 0.9,
        b: float = 0.4,
        title_weight: float = 2.0,
        heading_weight: float = 1.0,
    ) -> None:
        if k1 < 0 or not 0 <= b <= 1 or min(title_weight, heading_weight) < 0:
            raise LacunaError("BM25 needs k1 of 0 or more, b from 0 to 1, field weights from 0.")
        self._store = store
        self._weights = PassageWeights(k1, b, (title_weight, heading_weight, 1.0))
        self._analyzer = Analyzer()
        self._passages = store.passages()

    def search(
        self,
        query: str,
        k: int = 10,
        *,
        all_words: bool = False,
        phrases: Sequence[str] = (),
        documents: Collection[str] = (),
        section: Sequence[str] = (),
        snippets: bool = False,
    ) -> list[Hit]:
        """The ``k`` best passages; equal scores stand in the order they were added.

        Words that only ask ("how many") are not looked for. ``all_words`` (those too) and
        ``phrases`` must be in the title, the headings or the passage; ``documents`` and
        ``section`` (its headings, outermost first) say where to look.
        """
        in_order = self._analyzer.terms(query) if all_words else query_terms(query, self._analyzer)
        in_order += self._analyzer.terms(" ".join(phrases))
        terms = list(dict.fromkeys(in_order))
        if not terms or k < 1:
            return []
        titles = [self._store.resolve(title) for title in documents]
        wanted = WantedPassages(
            terms,
            all_words,
            phrases,
            [title for title in titles if title is not None] if documents else None,
            section,
        )
        with self._passages.reading() as view:
            candidates = view.candidates(wanted, POOL_TIMES * min(k, view.count) + POOL_MORE)
            if not candidates.ids:
                return []
            weighed = _weighed(view, in_order)
            return self._ranked(view, weighed, candidates, k, snippets)

    @property
    def behind(self) -> int:
        """The number of documents that the index does not know, or no longer has reason to know."""
        return self._store.behind

    def _ranked(
        self,
        view: PassageView,
        query: QueryTerms,
        candidates: PassageRows,
        k: int,
        snippets: bool,
    ) -> list[Hit]:
        scores = self._scores(query, candidates, view)
        best = np.argsort(-scores, kind="stable")[:k]
        places = view.places([candidates.ids[place] for place in best])
        hits = []
        for place in best:
            title, start, end, section = places[candidates.ids[place]]
            path = tuple(section.split(SECTION_MARK)) if section else ()
            snippet = None
            if snippets:
                text = self._store.document(title).text
                snippet = make_snippet(text, Span(start, end), query.terms, self._analyzer)
            hits.append(Hit(title, float(scores[place]), start, end, path, snippet))
        return hits

    def _scores(self, query: QueryTerms, candidates: PassageRows, view: PassageView) -> Floats:
        """The scores of passages; a search that builds on this one may score them otherwise."""
        return passage_scores(query.weighed, candidates, view.average, self._weights)


def _weighed(view: PassageView, in_order: list[str]) -> QueryTerms:
    """The terms of a query with what the corpus knows of them."""
    terms = list(dict.fromkeys(in_order))
    place = {term: number for number, term in enumerate(terms)}
    pairs = dict.fromkeys(pairwise(in_order))
    return QueryTerms(
        terms,
        WeighedQuery(
            view.numbers(terms),
            np.array([idf(view.count, count) for count in view.having(terms)]),
            [(place[first], place[second]) for first, second in pairs],
        ),
    )


def split_phrases(query: str) -> tuple[str, list[str]]:
    """The loose words of a query, and its "quoted phrases"; a lone quote is no phrase.

    >>> split_phrases('who taught "pilots school"')
    ('who taught  ', ['pilots school'])
    """
    phrases = [phrase for phrase in QUOTED.findall(query) if phrase.strip()]
    return QUOTED.sub(" ", query), phrases
