"""Windows of documents: searched for, ranked by the reader, and described for the trace."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from lacuna.pipeline.components import Components
from lacuna.pipeline.state import QuestionState
from lacuna.pipeline.trace import Candidate
from lacuna.retrieve.window_index import word_scores
from lacuna.retrieve.windows import Window
from lacuna.types import Document


def search_windows(components: Components, search_text: str, hits: int) -> list[Window]:
    """For each passage that the retriever finds, the window of it with most of the words."""
    terms = components.windows.terms(search_text)
    best: dict[Window, None] = {}
    for hit in components.retriever.search(search_text, hits):
        indexed = components.windows.document(hit.title)
        (scores,) = word_scores(terms, [indexed])
        inside = [
            (score, -number)
            for number, (window, score) in enumerate(zip(indexed.windows, scores, strict=True))
            if window.start < hit.end and hit.start < window.end
        ]
        if inside:
            best[indexed.windows[-max(inside)[1]]] = None
    return list(best)


def rank_windows(
    components: Components,
    states: Sequence[QuestionState],
    windows: Sequence[Sequence[Window]],
) -> None:
    """Score the windows of all questions in one run of the reader, and add them to the ranking."""
    config = components.config
    texts = [
        (state.query.question, [window_text(components, window) for window in some])
        for state, some in zip(states, windows, strict=True)
    ]
    scored = components.reader.relevances(texts, mode=components.mode)
    for state, some, scores in zip(states, windows, scored, strict=True):
        for window, score in zip(some, scores, strict=True):
            leads = components.windows.document(window.title).windows[0] == window
            pull = config.link_pull * state.targets.get(window.title, 0.0)
            state.ranked[window] = score + pull + config.lead_bonus * leads
            state.best_relevance = max(state.best_relevance, score)


def window_text(components: Components, window: Window) -> Document:
    """A window as a document of its own."""
    text = components.windows.document(window.title).document.text
    return Document(window.title, text[window.start : window.end])


def window_candidates(
    components: Components,
    state: QuestionState,
    windows: Iterable[Window],
    chosen: Collection[Window],
) -> tuple[Candidate, ...]:
    """Windows as a step shows them, the best first."""
    ordered = sorted(windows, key=lambda window: -state.ranked[window])
    return tuple(
        Candidate(
            window.title,
            state.ranked[window],
            window in chosen,
            window_text(components, window).text,
            window.start,
            window.end,
            window.section,
        )
        for window in ordered
    )
