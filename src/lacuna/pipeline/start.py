"""START: a passage to begin with, where none was given."""

from __future__ import annotations

from collections.abc import Sequence

from lacuna.pipeline.components import Components
from lacuna.pipeline.find import candidates, rank
from lacuna.pipeline.state import QuestionState
from lacuna.pipeline.trace import Told
from lacuna.retrieve.mentions import mentions
from lacuna.retrieve.window_index import word_scores
from lacuna.retrieve.windows import Window

HITS = 10
"""Passages that the search gives to begin with."""


def start(components: Components, states: Sequence[QuestionState]) -> list[Told]:
    """Search for windows, rank them, and take the document of the best one as the passage."""
    chosen = [_first_windows(components, state) for state in states]
    rank(components, states, chosen)
    told: list[Told] = []
    for state, some in zip(states, chosen, strict=True):
        if not some:
            told.append(("The corpus has no text with the words of the question.", ()))
            continue
        best = max(some, key=lambda window: state.pool[window])
        state.context = components.windows.document(best.title).document
        said = f"It begins with {best.title}, the best of {len(some)} windows that were found."
        told.append((said, candidates(components, state, some)))
    return told


def search(components: Components, query: str, hits: int) -> list[Window]:
    """For each passage that the text index finds, the window of it with most of the words."""
    terms = components.windows.terms(query)
    found: dict[Window, None] = {}
    for hit in components.retriever.search(query, hits):
        shelved = components.windows.document(hit.title)
        (scores,) = word_scores(terms, [shelved])
        inside = [
            (score, -number)
            for number, (window, score) in enumerate(zip(shelved.windows, scores, strict=True))
            if window.start < hit.end and hit.start < window.end
        ]
        if inside:
            found[shelved.windows[-max(inside)[1]]] = None
    return list(found)


def _first_windows(components: Components, state: QuestionState) -> list[Window]:
    """What the search finds, and the beginnings of documents that the question names."""
    named = mentions(state.query, components.store.known, capitals=False)
    titles = dict.fromkeys(link.target for link in named)
    leads = [
        shelved.windows[0]
        for title in titles
        if (shelved := components.windows.document(title)).windows
    ]
    found = search(components, state.query, HITS)
    return list(dict.fromkeys((*leads, *found)))[: components.config.windows]
