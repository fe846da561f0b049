"""FIND: windows of the documents to look into, by their words first and then by the reader."""

from __future__ import annotations

from collections.abc import Sequence

from lacuna.pipeline.components import Components
from lacuna.pipeline.ranking import rank_windows, window_candidates
from lacuna.pipeline.selection import select_windows
from lacuna.pipeline.state import QuestionState
from lacuna.retrieve.window_index import word_scores
from lacuna.retrieve.windows import Window


def find(components: Components, states: Sequence[QuestionState]) -> None:
    """Rank windows of the documents to look into next, and select those to be read."""
    windows = [_by_words(components, state) for state in states]
    rank_windows(components, states, windows)
    for state, some in zip(states, windows, strict=True):
        titles = list(state.targets)
        state.targets.clear()
        state.selection = select_windows(components, state)
        if titles:
            message = f"{len(some)} windows of {len(titles)} documents were ranked."
        else:
            message = "There was nowhere to look further."
        chosen = state.selection.windows
        state.record(message, window_candidates(components, state, some, chosen))


def _by_words(components: Components, state: QuestionState) -> list[Window]:
    """The first window of each document, and those with most of the question's words.

    Of many documents the likeliest have half of the places, so that the words have their say too.
    """
    most = components.config.windows
    titles = sorted(state.targets, key=lambda title: -state.targets[title])
    documents = [components.windows.document(title) for title in titles]
    leads = [indexed.windows[0] for indexed in documents if indexed.windows]
    scored = word_scores(components.windows.terms(state.search_text), documents)
    ranked = sorted(
        (
            (score, window)
            for indexed, scores in zip(documents, scored, strict=True)
            for window, score in zip(indexed.windows, scores, strict=True)
            if score > 0
        ),
        key=lambda pair: -pair[0],
    )
    first = leads[: (most + 1) // 2]
    wanted = dict.fromkeys((*first, *(window for _, window in ranked), *leads))
    return [window for window in wanted if window not in state.ranked][:most]
