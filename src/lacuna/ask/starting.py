"""START: a passage to begin with, where none was given."""

from __future__ import annotations

from collections.abc import Sequence

from lacuna.ask.case import Case
from lacuna.ask.finding import candidates, rank
from lacuna.ask.rooms import Rooms
from lacuna.ask.trace import Told
from lacuna.find.shelf import word_scores
from lacuna.find.windows import Window
from lacuna.spot.mentions import mentions

HITS = 10
"""Passages that the search gives to begin with."""


def start(rooms: Rooms, cases: Sequence[Case]) -> list[Told]:
    """Search for windows, rank them, and take the document of the best one as the passage."""
    chosen = [_first_windows(rooms, case) for case in cases]
    rank(rooms, cases, chosen)
    told: list[Told] = []
    for case, some in zip(cases, chosen, strict=True):
        if not some:
            told.append(("The corpus has no text with the words of the question.", ()))
            continue
        best = max(some, key=lambda window: case.pool[window])
        case.passage = rooms.shelf.document(best.title).document
        said = f"It begins with {best.title}, the best of {len(some)} windows that were found."
        told.append((said, candidates(rooms, case, some)))
    return told


def search(rooms: Rooms, query: str, hits: int) -> list[Window]:
    """For each passage that the text index finds, the window of it with most of the words."""
    terms = rooms.shelf.terms(query)
    found: dict[Window, None] = {}
    for hit in rooms.retriever.search(query, hits):
        shelved = rooms.shelf.document(hit.title)
        (scores,) = word_scores(terms, [shelved])
        inside = [
            (score, -number)
            for number, (window, score) in enumerate(zip(shelved.windows, scores, strict=True))
            if window.start < hit.end and hit.start < window.end
        ]
        if inside:
            found[shelved.windows[-max(inside)[1]]] = None
    return list(found)


def _first_windows(rooms: Rooms, case: Case) -> list[Window]:
    """What the search finds, and the beginnings of documents that the question names."""
    named = mentions(case.query, rooms.store.known, capitals=False)
    titles = dict.fromkeys(link.target for link in named)
    leads = [
        shelved.windows[0] for title in titles if (shelved := rooms.shelf.document(title)).windows
    ]
    found = search(rooms, case.query, HITS)
    return list(dict.fromkeys((*leads, *found)))[: rooms.budget.windows]
