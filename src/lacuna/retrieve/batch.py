"""One search after the other, or a few at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor

from lacuna.retrieve.protocol import Hit


def search_all(
    search: Callable[[str], list[Hit]], queries: Iterable[str], threads: int
) -> list[list[Hit]]:
    """The hits of each query, in the order of the queries."""
    if threads <= 1:
        return [search(query) for query in queries]
    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(search, queries))
