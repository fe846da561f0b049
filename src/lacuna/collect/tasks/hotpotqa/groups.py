"""The categories that bridges come from, and the lists of things to compare.

They stand in a file that a requester gives (a JSON object of lists of titles, or lines of name,
tab, title). Without one, documents are grouped by what their first sentences call them.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from lacuna.collect.tasks.hotpotqa.kinds import NO_KIND, by_kind, large_kinds
from lacuna.corpus.mining import comparison_lists
from lacuna.corpus.mining.mining_files import read_lists
from lacuna.corpus.store import Store

Groups = dict[str, tuple[str, ...]]
KEPT = 8
"""Corpora whose kinds are remembered: a document has to be read for each."""


def categories_of(corpus: Store, file: str = "") -> Groups:
    """Titles that may be bridges, by category."""
    if not file:
        return large_kinds(_kinds(corpus))
    given = read_lists(Path(file))
    known = {
        name: tuple(sorted({title for each in given[name] if (title := corpus.resolve(each))}))
        for name in sorted(given)
    }
    return {name: titles for name, titles in known.items() if titles}


def lists_of(corpus: Store, file: str = "") -> Groups:
    """Similar things, by list; a list has at least two."""
    if file:
        return comparison_lists(read_lists(Path(file)), corpus.resolve)
    return {
        name: titles
        for name, titles in _kinds(corpus).items()
        if len(titles) >= 2 and name != NO_KIND
    }


def chosen(groups: Groups, names: object) -> Groups:
    """The groups that curation has chosen; all of them where nothing was chosen yet."""
    if not isinstance(names, list):
        return groups
    return {name: titles for name, titles in groups.items() if name in names}


def _kinds(corpus: Store) -> Groups:
    return _read_kinds(_Read(corpus))


class _Read:
    """A corpus as it is now, for remembering what was read of it."""

    def __init__(self, corpus: Store) -> None:
        self.corpus = corpus
        self._state = (corpus.place, corpus.token)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Read) and self._state == other._state

    def __hash__(self) -> int:
        return hash(self._state)


@lru_cache(maxsize=KEPT)
def _read_kinds(read: _Read) -> Groups:
    return by_kind(read.corpus)
