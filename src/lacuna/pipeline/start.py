"""START: a context to begin with, where none was given."""

from __future__ import annotations

from collections.abc import Sequence

from lacuna.pipeline.components import Components
from lacuna.pipeline.ranking import (
    rank_windows,
    search_windows,
    window_candidates,
    windows_around,
)
from lacuna.pipeline.rating.rated_answers import is_sure
from lacuna.pipeline.state import QuestionState
from lacuna.retrieve.mentions import mentions
from lacuna.retrieve.windows import Window


def start(components: Components, states: Sequence[QuestionState]) -> None:
    """Search for windows, rank them, and take the document of the best one as the context."""
    windows = [_first_windows(components, state) for state in states]
    for part in _parts(components):
        still_open = [
            (state, some[part])
            for state, some in zip(states, windows, strict=True)
            if some[part] and not is_sure(components, state)
        ]
        rank_windows(components, *_apart(still_open))
    for state, some in zip(states, windows, strict=True):
        if not some:
            state.record("The corpus has no text with the words of the question.")
            continue
        some = [window for window in some if window in state.ranked]
        best = max(some, key=lambda window: state.ranked[window])
        state.context = components.windows.document(best.title).document
        state.record(
            f"It begins with {best.title}, the best of {len(some)} windows that were found.",
            window_candidates(components, state, some, chosen={best}),
        )


def _parts(components: Components) -> Sequence[slice]:
    """Where a sure answer may be read in a few windows, the others wait until it is not."""
    if components.scorer is None:
        return (slice(None),)
    first = components.config.passages_first
    return slice(first), slice(first, None)


def _apart(
    pairs: Sequence[tuple[QuestionState, list[Window]]],
) -> tuple[list[QuestionState], list[list[Window]]]:
    return [state for state, _ in pairs], [windows for _, windows in pairs]


def _first_windows(components: Components, state: QuestionState) -> list[Window]:
    """What the search finds, and the beginnings of documents that the question names."""
    if components.scorer is not None:
        return windows_around(components, state.search_text, components.config.passages)
    named = mentions(state.search_text, components.store.known, capitals=False)
    titles = dict.fromkeys(link.target for link in named)
    documents = [components.windows.document(title) for title in titles]
    leads = [indexed.windows[0] for indexed in documents if indexed.windows]
    hits = search_windows(components, state.search_text, components.config.start_hits)
    return list(dict.fromkeys((*leads, *hits)))[: components.config.windows]
