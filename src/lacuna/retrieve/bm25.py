"""BM25 over the passages of a store: their titles, their headings and their text."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import tantivy
from tantivy import Occur, Query

from lacuna.corpus import database, text_index
from lacuna.corpus.store import Store
from lacuna.corpus.text_index import SECTION_MARK, TEXT, Analyzer, schema, section_keys
from lacuna.errors import LacunaError
from lacuna.retrieve.bm25_score import idf
from lacuna.retrieve.passage_score import (
    FIELDS,
    Floats,
    PassageWeights,
    ScoredPassages,
    WeighedQuery,
    passage_scores,
)
from lacuna.retrieve.protocol import Hit
from lacuna.retrieve.query_terms import query_terms
from lacuna.retrieve.snippets import make_snippet
from lacuna.types import Span

QUOTED = re.compile(r'"([^"]*)"')
POOL_TIMES = 2
POOL_MORE = 80
"""Candidates scored beyond the hits wanted (benchmarks/results/retrieval.md: what that misses)."""


@dataclass(frozen=True, slots=True)
class _View:
    """The index as it was at one generation of the store."""

    generation: int
    searcher: tantivy.Searcher
    passages: int
    average: tuple[float, float, float]


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
        _catch_up(store)
        self._index = text_index.SearchIndex(store.folder)
        self._current = self._new_view()

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
        view = self._view()
        in_order = self._analyzer.terms(query) if all_words else query_terms(query, self._analyzer)
        in_order += self._analyzer.terms(" ".join(phrases))
        terms = list(dict.fromkeys(in_order))
        if not terms or k < 1:
            return []
        wanted = Query.boolean_query(
            [(Occur.Must if all_words else Occur.Should, self._term(term)) for term in terms]
        )
        needed = (*map(self._phrase, phrases), *self._place(documents, section))
        if needed:  # else the plain query, which tantivy answers fastest
            silent = [(Occur.Must, Query.const_score_query(other, 0.0)) for other in needed]
            wanted = Query.boolean_query([(Occur.Must, wanted), *silent])
        pool = POOL_TIMES * min(k, view.passages) + POOL_MORE
        with self._index.telling_damage():
            candidates = view.searcher.search(wanted, pool, count=False).hits
            addresses = [address for _, address in candidates]
            passages = view.searcher.fast_field_values("passage", addresses)
        with database.transaction(self._store.database, "DEFERRED"):  # while others may write
            return self._ranked(view, self._weighed(view, in_order), passages, k, snippets)

    @property
    def behind(self) -> int:
        """How many documents the index does not know, or no longer has reason to know."""
        return self._store.behind

    def _weighed(self, view: _View, in_order: list[str]) -> QueryTerms:
        """The terms of a query with what the corpus knows of them."""
        terms = list(dict.fromkeys(in_order))
        place = {term: number for number, term in enumerate(terms)}
        pairs = dict.fromkeys(pairwise(in_order))
        with self._index.telling_damage():
            having = [view.searcher.doc_freq(TEXT, each) for each in terms]
        return QueryTerms(
            terms,
            WeighedQuery(
                self._numbers(terms),
                np.array([idf(view.passages, count) for count in having]),
                [(place[first], place[second]) for first, second in pairs],
            ),
        )

    def _ranked(
        self, view: _View, query: QueryTerms, passages: Sequence[object], k: int, snippets: bool
    ) -> list[Hit]:
        # Passages that the index still has and the database no longer does drop out here.
        rows = self._store.database.execute(
            "SELECT id, start = 0, title_terms, heading_terms, terms FROM passages "
            "WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id",
            (json.dumps(passages),),
        ).fetchall()
        if not rows:
            return []
        ids, begins, title_terms, heading_terms, blobs = zip(*rows, strict=True)
        candidates = ScoredPassages(blobs, title_terms, heading_terms, begins)
        scores = self._scores(query, candidates, view.average)
        best = np.argsort(-scores, kind="stable")[:k]
        places = self._places([ids[place] for place in best])
        hits = []
        for place in best:
            title, start, end, section = places[ids[place]]
            path = tuple(section.split(SECTION_MARK)) if section else ()
            snippet = None
            if snippets:
                text = self._store.document(title).text
                snippet = make_snippet(text, Span(start, end), query.terms, self._analyzer)
            hits.append(Hit(title, float(scores[place]), start, end, path, snippet))
        return hits

    def _scores(
        self, query: QueryTerms, candidates: ScoredPassages, average: tuple[float, float, float]
    ) -> Floats:
        """The scores of passages; a search that builds on this one may score them otherwise."""
        return passage_scores(query.weighed, candidates, average, self._weights)

    def _places(self, passages: list[int]) -> dict[int, tuple[str, int, int, str]]:
        rows = self._store.database.execute(
            'SELECT passages.id, title, start, "end", section FROM passages '
            "JOIN documents ON documents.id = document "
            "WHERE passages.id IN (SELECT value FROM json_each(?))",
            (json.dumps(passages),),
        )
        return {row[0]: row[1:] for row in rows}

    def _numbers(self, terms: list[str]) -> list[int]:
        rows = self._store.database.execute(
            "SELECT term, id FROM terms WHERE term IN (SELECT value FROM json_each(?))",
            (json.dumps(terms),),
        )
        known = dict(rows.fetchall())
        return [known.get(term, 0) for term in terms]  # no term has the number 0

    def _term(self, term: str) -> Query:
        return Query.term_query(schema(), TEXT, term)

    def _phrase(self, phrase: str) -> Query:
        tokens = self._analyzer.tokens(phrase)
        if not tokens:
            return Query.all_query()  # stop words alone: every passage may have them
        if len(tokens) == 1:
            return self._term(tokens[0].term)
        # Stop words are not in the index, but the gaps that they leave are.
        words = [(token.position - tokens[0].position, token.term) for token in tokens]
        return Query.phrase_query(schema(), TEXT, list(words))

    def _place(self, documents: Collection[str], section: Sequence[str]) -> Iterable[Query]:
        if documents:
            titles = [self._store.resolve(title) for title in documents]
            rows = self._store.database.execute(
                "SELECT id FROM documents WHERE title IN (SELECT value FROM json_each(?))",
                (json.dumps(titles),),
            ).fetchall()
            yield Query.term_set_query(schema(), "document", [row[0] for row in rows])
        if section:
            yield Query.term_query(schema(), "section", section_keys(section)[-1])

    def _view(self) -> _View:
        if self._current.generation != self._store.generation:
            self._current = self._new_view()
        return self._current

    def _new_view(self) -> _View:
        count = self._store.count
        searcher = self._index.newest()
        passages = count("passages")
        title, heading, body = (count(f"{field}_terms") / max(passages, 1) for field in FIELDS)
        average = (title, heading, body)
        return _View(self._store.generation, searcher, passages, average)


def _catch_up(store: Store) -> None:
    """Finish what a killed writer left.

    A live writer will do so itself, and on a full disk or a read-only one it must wait: search
    still finds all the rest, and ``behind`` says how much is missing.
    """
    if store.behind or not text_index.is_there(store.folder):
        with suppress(LacunaError), store.writer():
            pass


def split_phrases(query: str) -> tuple[str, list[str]]:
    """The loose words of a query, and its "quoted phrases"; a lone quote is no phrase.

    >>> split_phrases('who taught "pilots school"')
    ('who taught  ', ['pilots school'])
    """
    phrases = [phrase for phrase in QUOTED.findall(query) if phrase.strip()]
    return QUOTED.sub(" ", query), phrases
