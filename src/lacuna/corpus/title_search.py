"""Titles by what someone types: for choosing a document."""

from __future__ import annotations

from itertools import islice

from lacuna.corpus.store import Store
from lacuna.corpus.titles import did_you_mean, folded, is_valid

FIND = """
SELECT title FROM documents WHERE instr(folded, :typed)
ORDER BY folded != :typed, instr(folded, :typed) != 1,
    instr(' ' || folded, ' ' || :typed) = 0, length(title), title LIMIT :limit
"""


def search_titles(store: Store, typed: str, limit: int) -> list[str]:
    """Titles like what is typed; without anything typed, the first that were added.

    The same title goes first, then those that begin so, then those with a word that begins so,
    then the others that hold it. If none does, titles that are written alike.
    """
    wanted = folded(typed)
    if not wanted or not is_valid(wanted):
        return list(islice(store.titles(), limit)) if not wanted else []
    rows = store.database.execute(FIND, {"typed": wanted, "limit": limit}).fetchall()
    if rows:
        return [title for (title,) in rows]
    meant = store.resolve(typed)  # another name of a document
    close = did_you_mean(typed, store.titles(), limit)
    return list(dict.fromkeys([meant, *close] if meant else close))[:limit]
