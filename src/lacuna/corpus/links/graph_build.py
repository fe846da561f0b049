"""From the links in the database to the arrays of a link graph."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from itertools import groupby
from typing import Any

import numpy as np
import numpy.typing as npt

from lacuna.corpus.arrays import Arrays
from lacuna.corpus.document_rows import NUMBER
from lacuna.corpus.titles import closest

Ints = npt.NDArray[np.int64]
NOWHERE = -1


def build_graph(database: sqlite3.Connection) -> Arrays:
    """All arrays of the graph; nodes are documents, numbered from 0 in the order of their ids."""
    documents = np.array(
        [row[0] for row in database.execute("SELECT id FROM documents ORDER BY id")], np.int64
    )
    blobs, sizes, lead_sizes = [], [], []
    for links, lead in database.execute("SELECT links, lead_links FROM documents ORDER BY id"):
        blobs.append(links)
        sizes.append(len(links) // NUMBER.itemsize)
        lead_sizes.append(lead)
    names = np.frombuffer(b"".join(blobs), NUMBER).astype(np.int64)
    lengths = np.array(sizes, np.int64)
    sources = np.repeat(np.arange(len(documents)), lengths)
    place = np.arange(len(names)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    in_lead = place < np.repeat(np.array(lead_sizes, np.int64), lengths)
    targets = _meaning_of_names(database, documents)[names]
    leads = targets != NOWHERE
    count = len(documents)
    return {
        "documents": documents,
        **csr("out", sources[leads], targets[leads], count),
        **csr("in", targets[leads], sources[leads], count),
        **csr("lead_out", sources[leads & in_lead], targets[leads & in_lead], count),
        **csr("lead_in", targets[leads & in_lead], sources[leads & in_lead], count),
        **csr("dangling", sources[~leads], names[~leads], count),
    }


def csr(name: str, rows: Ints, columns: Ints, count: int) -> dict[str, npt.NDArray[Any]]:
    """Sorted, each pair once: the columns of row i are ``columns[starts[i]:starts[i + 1]]``."""
    width = int(columns.max(initial=0)) + 1
    pairs = rows * width + columns  # 64 bits hold nodes x names with room to spare
    pairs.sort()
    # By hand: np.unique goes through a hash table, which takes many times as long.
    pairs = np.concatenate((pairs[:1], pairs[1:][pairs[1:] != pairs[:-1]]))
    starts = np.searchsorted(pairs, np.arange(count + 1, dtype=np.int64) * width)
    return {
        f"{name}_starts": starts.astype(np.int64),
        f"{name}_ends": (pairs % width).astype(np.int32),
    }


def _meaning_of_names(database: sqlite3.Connection, documents: Ints) -> Ints:
    """For every number of a name the node it leads to, or NOWHERE.

    The same order as ``Store.resolve``: the same title, a redirect of the same title, a title
    that is alike, a redirect that is alike. Redirects are names too, which lead to names.
    """
    (most,) = database.execute("SELECT coalesce(max(id), 0) FROM names").fetchone()
    node = np.full(most + 1, NOWHERE, np.int64)
    for name, document in _exact(database, "documents", "id"):
        node[name] = np.searchsorted(documents, document)
    redirects = _exact(database, "redirects", "target")
    via = {name: target for name, target in redirects if node[name] == NOWHERE}
    for name, document in _alike(database, "documents", "id"):
        if node[name] == NOWHERE and name not in via:
            node[name] = np.searchsorted(documents, document)
    for name, target in _alike(database, "redirects", "target"):
        if node[name] == NOWHERE and name not in via:
            via[name] = target
    if via:
        _follow(database, node, via, documents)
    return node


def _exact(database: sqlite3.Connection, table: str, column: str) -> Any:
    return database.execute(
        f"SELECT names.id, t.{column} FROM names JOIN {table} t ON t.title = names.name"
    )


def _alike(database: sqlite3.Connection, table: str, column: str) -> Any:
    order = "id" if table == "documents" else "title"
    rows = database.execute(
        f"SELECT names.id, names.name, t.title, t.{column} FROM names "
        f"JOIN {table} t ON t.folded = names.folded ORDER BY names.id, t.{order}"
    )
    for (number, name), group in groupby(rows, key=lambda row: (row[0], row[1])):
        same = list(group)
        yield number, same[closest(name, [row[2] for row in same])][3]


def _follow(database: sqlite3.Connection, node: Ints, via: dict[int, str], documents: Ints) -> None:
    """Redirects may lead to redirects; ``Store.resolve`` knows how to go on, and about loops."""
    from lacuna.corpus.embedded_store import resolve

    waiting = defaultdict(list)
    for name, target in via.items():
        waiting[target].append(name)
    for target, names in waiting.items():
        if (title := resolve(database, target)) is not None:
            row = database.execute("SELECT id FROM documents WHERE title = ?", (title,)).fetchone()
            node[names] = np.searchsorted(documents, row[0])
