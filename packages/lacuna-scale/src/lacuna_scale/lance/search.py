"""The passages of a store at an address: Lance's text index proposes, and has the words."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np
from lance.query import FullTextOperator, MatchQuery

from lacuna.corpus.graph import Arrays, cached_arrays
from lacuna.corpus.store import (
    FIELDS,
    PassageIndex,
    PassagePlace,
    PassageRows,
    PassageView,
    WantedPassages,
)
from lacuna.corpus.text_index import (
    SECTION_MARK,
    Analyzer,
    Token,
    heading_text,
    searched,
    section_keys,
)
from lacuna.errors import LacunaError
from lacuna_scale.lance.snapshot import Snapshot
from lacuna_scale.lance.tables import (
    PASSAGES,
    TERM_NUMBER,
    PassageEntry,
    TermNumbers,
    any_of,
    quoted,
    telling_failures,
    unpack_entry,
)

if TYPE_CHECKING:
    from lacuna_scale.lance.store import LanceStore


AFTER = 100
"""Searches of one generation, after which a process makes a copy: asking once is not worth it."""
LARGEST = 2_000_000
"""Passages, with half a kilobyte of disk and of memory each, or less; of a larger corpus all is
fetched as it is needed."""
THREAD = "near-copy"


class NearCopy:
    """Passages by Lance's numbers of their rows."""

    def __init__(self, arrays: Arrays) -> None:
        self._rows, self._places = arrays["rows"], arrays["places"]
        self._starts, self._written = arrays["starts"], arrays["written"]

    def of(self, rows: Sequence[int]) -> list[PassageEntry]:
        """The passages in some rows."""
        places = self._places[np.searchsorted(self._rows, np.array(rows, np.uint64))]
        starts, ends = self._starts[places].tolist(), self._starts[places + 1].tolist()
        written = self._written
        return [
            unpack_entry(written[start:end].tobytes())
            for start, end in zip(starts, ends, strict=True)
        ]


def copy_near(store: LanceStore, at: Snapshot) -> None:
    """Begin to copy, where that is worth it and nobody has begun."""
    if at.entries.is_asked_often(AFTER) and at.state.counts["passages"] <= LARGEST:
        threading.Thread(target=_copy, args=(store, at), name=THREAD).start()


def _copy(store: LanceStore, at: Snapshot) -> None:
    # A full disk or a store that fails: passages are fetched as before.
    with suppress(LacunaError, OSError):
        with telling_failures(at.address):
            table = at.table(PASSAGES)
            for index in table.list_indices():
                if index["fields"] == ["words"]:
                    table.prewarm_index(index["name"])
        arrays = cached_arrays(
            store.derived,
            PASSAGES,
            at.state.generation,
            lambda _: _read(at),
            state=at.state.token,
        )
        at.entries.near = NearCopy(arrays)


def _read(at: Snapshot) -> Arrays:
    rows, sizes, written = [], [], []
    with telling_failures(at.address):
        batches = at.table(PASSAGES).to_batches(columns=["entry"], with_row_id=True)
        for batch in batches:
            if not threading.main_thread().is_alive():
                raise LacunaError("The program ends.")
            entries = batch["entry"]
            _, offsets, data = entries.buffers()
            ends = np.frombuffer(offsets, np.int64)[entries.offset :][: len(entries) + 1]
            rows.append(batch["_rowid"].to_numpy())
            sizes.append(np.diff(ends))
            written.append(np.frombuffer(data, np.uint8)[ends[0] : ends[-1]])
    every = np.concatenate(rows)
    places = np.argsort(every)
    return {
        "rows": every[places],
        "places": places,
        "starts": np.concatenate(([0], np.cumsum(np.concatenate(sizes)))),
        "written": np.concatenate(written),
    }


# What a first answer needs of a store far away, asked for while models are still loading.
#
# Every table and index has some small parts that are read before anything can be looked up in it,
# one after the other. One passage is searched for and one document is read; whoever comes
# meanwhile does not wait for that, and what fails here is told to those who really ask.


def warm_up(store: LanceStore, index: LanceIndex) -> None:
    """Begin; once for each generation that is searched."""
    if store.state.is_published and store.snapshot.begin_warming():
        pool = ThreadPoolExecutor(2, "warming")
        pool.submit(_search_once, store, index)
        pool.submit(_read_once, store)
        pool.shutdown(wait=False)


def _search_once(store: LanceStore, index: LanceIndex) -> None:
    with suppress(LacunaError), store.reading():
        frequencies = store.snapshot.frequencies
        frequencies.read()
        index.view().candidates(WantedPassages([frequencies.some_term()]), 1)


def _read_once(store: LanceStore) -> None:
    with suppress(LacunaError), store.reading():
        title = next(store.titles(), None)
        if title is not None:
            store.document(title)


PHRASE_POOL = 1000
"""Passages with all words of a phrase that are looked through at first; then four times as many."""


class LanceIndex(PassageIndex):
    """Follows the store from generation to generation."""

    def __init__(self, store: LanceStore) -> None:
        self._store = store
        self._numbers = TermNumbers()
        self._analyzer = Analyzer()
        warm_up(store, self)

    @contextmanager
    def reading(self) -> Iterator[PassageView]:
        """Read what is published now."""
        _ = self._store.generation
        with self._store.reading():
            copy_near(self._store, self._store.snapshot)
            yield self.view()

    def view(self) -> LanceView:
        """The generation that the store is at."""
        return LanceView(self._store.snapshot, self._numbers, self._analyzer)


class LanceView(PassageView):
    """The passages of one generation, for one search."""

    def __init__(self, at: Snapshot, numbers: TermNumbers, analyzer: Analyzer) -> None:
        self._at = at
        self._numbers = numbers
        self._analyzer = analyzer
        self._found: list[int] = []
        self._places: dict[int, PassagePlace] = {}
        counts = at.state.counts
        self.count = counts["passages"]
        title, heading, body = (counts[f"{field}_terms"] / max(self.count, 1) for field in FIELDS)
        self.average = (title, heading, body)

    def having(self, terms: Sequence[str]) -> list[int]:
        """From the table of terms."""
        return self._at.frequencies.of(terms)

    def candidates(self, wanted: WantedPassages, most: int) -> PassageRows:
        """Lance scores with k1 = 1.2, b = 0.75 and one field, as tantivy does."""
        if not self.count:
            return PassageRows((), (), (), (), ())
        chosen = self._chosen(wanted)
        phrases = [tokens for tokens in map(self._analyzer.tokens, wanted.phrases) if tokens]
        if not phrases:
            rows = self._search(wanted.terms, wanted.all_words, chosen, most)
        else:
            rows = self._with_phrases(wanted, phrases, chosen, most)
        rows.sort()  # by their numbers
        self._places = {
            row.id: PassagePlace(row.title, row.start, row.end, row.section) for row in rows
        }
        return PassageRows(
            [row.id for row in rows],
            [row.terms for row in rows],
            [row.title_terms for row in rows],
            [row.heading_terms for row in rows],
            [row.start == 0 for row in rows],
            TERM_NUMBER,
        )

    def places(self, passages: Sequence[int]) -> dict[int, PassagePlace]:
        """Found together with the passages."""
        return {passage: self._places[passage] for passage in passages}

    def numbers(self, terms: Sequence[str]) -> list[int]:
        """The numbers that the terms have everywhere."""
        return self._numbers.of(terms)

    def terms(self, numbers: Sequence[int]) -> list[tuple[int, str]]:
        """From the words of what was just found."""
        texts = self._at.entries.column("words", self._found)
        words = list(set(chain.from_iterable(text.split() for text in texts)))
        wanted = set(numbers)
        of_words = zip(self._numbers.of(words), words, strict=True)
        return [found for found in of_words if found[0] in wanted]

    def _search(
        self, terms: Sequence[str], all_words: bool, chosen: str | None, most: int
    ) -> list[PassageEntry]:
        operator = FullTextOperator.AND if all_words else FullTextOperator.OR
        with telling_failures(self._at.address):
            found = self._at.table(PASSAGES).to_table(
                columns=["_score"],
                with_row_id=True,
                full_text_query=MatchQuery(" ".join(terms), "words", operator=operator),
                filter=chosen,
                prefilter=chosen is not None,
                limit=most,
            )
        rows = found["_rowid"].to_pylist()
        self._found = sorted(rows)
        return self._at.entries.of(rows)

    def _chosen(self, wanted: WantedPassages) -> str | None:
        conditions = []
        if wanted.documents is not None:
            found = (self._at.resolve(title) for title in wanted.documents)
            numbers = [document[0] for document in found if document is not None]
            conditions.append(any_of("document", numbers))
        if wanted.section:
            key = quoted(section_keys(wanted.section)[-1])
            conditions.append(f"array_has(sections, {key})")
        return " AND ".join(conditions) or None

    def _with_phrases(
        self,
        wanted: WantedPassages,
        phrases: Sequence[Sequence[Token]],
        chosen: str | None,
        most: int,
    ) -> list[PassageEntry]:
        """Passages with all words of the phrases, of those the ones that have them as they are."""
        words = [token.term for tokens in phrases for token in tokens]
        if wanted.all_words:
            words += wanted.terms
        words = list(dict.fromkeys(words))
        pool = PHRASE_POOL
        while True:
            rows = self._search(words, True, chosen, pool)
            having = self._really(rows, phrases)
            if len(having) >= most or len(rows) < pool:
                return having[:most]
            pool *= 4

    def _really(
        self, rows: list[PassageEntry], phrases: Sequence[Sequence[Token]]
    ) -> list[PassageEntry]:
        texts = self._at.texts({row.document for row in rows})
        return [
            row
            for row in rows
            if all(
                any(_stands(phrase, self._analyzer.tokens(text)) for text in _fields(row, texts))
                for phrase in phrases
            )
        ]


def _fields(row: PassageEntry, texts: dict[int, str]) -> Iterator[str]:
    """The texts that a phrase may stand in: title, headings, passage."""
    yield searched(row.title)
    yield heading_text(row.title, row.section.split(SECTION_MARK) if row.section else ())
    yield texts[row.document][row.start : row.end]


def _stands(phrase: Sequence[Token], tokens: Sequence[Token]) -> bool:
    """Tell if the words stand there with the same gaps: stop words leave some."""
    there = {(token.position, token.term) for token in tokens}
    first = phrase[0]
    begins = [token.position - first.position for token in tokens if token.term == first.term]
    return any(
        all((begin + word.position, word.term) in there for word in phrase) for begin in begins
    )
