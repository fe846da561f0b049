"""The passages of an embedded store: tantivy proposes, the database knows their terms."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

from tantivy import Occur, Query

from lacuna.corpus import database, text_index
from lacuna.corpus.passage_index import (
    FIELDS,
    PassageIndex,
    PassagePlace,
    PassageRows,
    PassageView,
    WantedPassages,
)
from lacuna.corpus.text_index import TEXT, Analyzer, SearchIndex, schema, section_keys
from lacuna.errors import LacunaError

if TYPE_CHECKING:
    from lacuna.corpus.embedded_store import EmbeddedStore


NONE: tuple[tuple[Any, ...], ...] = ((), (), (), (), ())


class EmbeddedIndex(PassageIndex):
    """Looks again when it sees a new generation."""

    def __init__(self, store: EmbeddedStore) -> None:
        self._store = store
        _catch_up(store)
        self._index = SearchIndex(store.folder)
        self._current = self._new_view()

    @contextmanager
    def reading(self) -> Iterator[PassageView]:
        """The newest state; the database stands still as well."""
        if self._current.generation != self._store.generation:
            self._current = self._new_view()
        view = self._current
        with database.transaction(self._store.database, "DEFERRED"):
            yield view

    def _new_view(self) -> EmbeddedView:
        return EmbeddedView(self._store, self._index)


class EmbeddedView(PassageView):
    """The text index at one generation."""

    def __init__(self, store: EmbeddedStore, index: SearchIndex) -> None:
        self._store = store
        self._index = index
        self._analyzer = Analyzer()
        # Before and after: a writer may merge in between.
        self._has_deleted = index.has_deleted()
        self._searcher = index.newest()
        self._has_deleted |= index.has_deleted()
        self.count = store.count("passages")
        title, heading, body = (
            store.count(f"{field}_terms") / max(self.count, 1) for field in FIELDS
        )
        self.average = (title, heading, body)
        self.generation = store.generation

    def having(self, terms: Sequence[str]) -> list[int]:
        """As tantivy counts them; what is gone is in its numbers, but not in what it finds."""
        with self._index.telling_damage():
            if not self._has_deleted:
                return [self._searcher.doc_freq(TEXT, each) for each in terms]
            found: Iterable[Any] = (self._searcher.search(_term(each), 1) for each in terms)
            return [each.count for each in found]  # tantivy's types do not know of it

    def candidates(self, wanted: WantedPassages, most: int) -> PassageRows:
        """Passages that the index still has and the database no longer does drop out here."""
        query = Query.boolean_query(
            [
                (Occur.Must if wanted.all_words else Occur.Should, _term(term))
                for term in wanted.terms
            ]
        )
        needed = (*map(self._phrase, wanted.phrases), *self._place(wanted))
        if needed:  # else the plain query, which tantivy answers fastest
            silent = [(Occur.Must, Query.const_score_query(other, 0.0)) for other in needed]
            query = Query.boolean_query([(Occur.Must, query), *silent])
        with self._index.telling_damage():
            hits = self._searcher.search(query, most, count=False).hits
            found = self._searcher.fast_field_values("passage", [address for _, address in hits])
        rows = self._store.database.execute(
            "SELECT id, terms, title_terms, heading_terms, start = 0 FROM passages "
            "WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id",
            (json.dumps(found),),
        ).fetchall()
        ids, blobs, title_terms, heading_terms, begins = zip(*rows, strict=True) if rows else NONE
        return PassageRows(ids, blobs, title_terms, heading_terms, begins)

    def places(self, passages: Sequence[int]) -> dict[int, PassagePlace]:
        """From the database."""
        rows = self._store.database.execute(
            'SELECT passages.id, title, start, "end", section FROM passages '
            "JOIN documents ON documents.id = document "
            "WHERE passages.id IN (SELECT value FROM json_each(?))",
            (json.dumps(passages),),
        )
        return {row[0]: PassagePlace(*row[1:]) for row in rows}

    def numbers(self, terms: Sequence[str]) -> list[int]:
        """No term has the number 0."""
        rows = self._store.database.execute(
            "SELECT term, id FROM terms WHERE term IN (SELECT value FROM json_each(?))",
            (json.dumps(terms),),
        )
        known = dict(rows.fetchall())
        return [known.get(term, 0) for term in terms]

    def terms(self, numbers: Sequence[int]) -> list[tuple[int, str]]:
        """From the database."""
        return self._store.database.execute(
            "SELECT id, term FROM terms WHERE id IN (SELECT value FROM json_each(?))",
            (json.dumps(numbers),),
        ).fetchall()

    def _phrase(self, phrase: str) -> Query:
        tokens = self._analyzer.tokens(phrase)
        if not tokens:
            return Query.all_query()  # stop words alone: every passage may have them
        if len(tokens) == 1:
            return _term(tokens[0].term)
        # Stop words are not in the index, but the gaps that they leave are.
        words = [(token.position - tokens[0].position, token.term) for token in tokens]
        return Query.phrase_query(schema(), TEXT, list(words))

    def _place(self, wanted: WantedPassages) -> Iterable[Query]:
        if wanted.documents is not None:
            rows = self._store.database.execute(
                "SELECT id FROM documents WHERE title IN (SELECT value FROM json_each(?))",
                (json.dumps(wanted.documents),),
            ).fetchall()
            yield Query.term_set_query(schema(), "document", [row[0] for row in rows])
        if wanted.section:
            yield Query.term_query(schema(), "section", section_keys(wanted.section)[-1])


def _term(term: str) -> Query:
    return Query.term_query(schema(), TEXT, term)


def _catch_up(store: EmbeddedStore) -> None:
    """Finish what a killed writer left.

    A live writer will do so itself, and on a full disk or a read-only one it must wait: search
    still finds all the rest, and ``behind`` says how much is missing.
    """
    if store.behind or not text_index.is_there(store.folder):
        with suppress(LacunaError), store.writer():
            pass
