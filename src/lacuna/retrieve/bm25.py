"""BM25 over the passages of a store: their titles, their headings and their text."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from lacuna.corpus.passage_index import PassageRows, PassageView, WantedPassages
from lacuna.corpus.store import Store
from lacuna.corpus.text_index import SECTION_MARK, Analyzer
from lacuna.errors import LacunaError
from lacuna.retrieve.bm25_score import idf
from lacuna.retrieve.passage_score import Floats, PassageWeights, WeighedQuery, passage_scores
from lacuna.retrieve.protocol import Hit
from lacuna.retrieve.query_terms import query_terms
from lacuna.retrieve.snippets import make_snippet
from lacuna.types import Span

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
        """How many documents the index does not know, or no longer has reason to know."""
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
