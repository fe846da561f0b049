"""What a first answer needs of a store far away, asked for while models are still loading.

Every table and index has some small parts that are read before anything can be looked up in it,
one after the other. One passage is searched for and one document is read; whoever comes meanwhile
does not wait for that, and what fails here is told to those who really ask.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import TYPE_CHECKING

from lacuna.corpus.passage_index import WantedPassages
from lacuna.errors import LacunaError

if TYPE_CHECKING:
    from lacuna.corpus.lance.lance_search import LanceIndex
    from lacuna.corpus.lance.lance_store import LanceStore


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
