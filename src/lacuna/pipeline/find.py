"""FIND: windows of documents, by their words first and then by the reader."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from lacuna.pipeline.components import Components
from lacuna.pipeline.select_windows import choose
from lacuna.pipeline.state import QuestionState
from lacuna.pipeline.trace import Candidate, Told
from lacuna.retrieve.window_index import word_scores
from lacuna.retrieve.windows import Window
from lacuna.types import Document

PULL = 0.5
"""How much the score of the link that led to a document counts for its windows."""
LEAD = 4.0
"""What the beginning of a document is worth: it tells what everything else in it is about."""


def find_windows(components: Components, states: Sequence[QuestionState]) -> list[Told]:
    """Rank windows of the documents that each question is to look in next."""
    chosen = [_by_words(components, state) for state in states]
    rank(components, states, chosen)
    told = []
    for state, some in zip(states, chosen, strict=True):
        titles = list(state.to_look_in)
        state.to_look_in.clear()
        told.append((_said(titles, some), candidates(components, state, some)))
    return told


def rank(
    components: Components, states: Sequence[QuestionState], chosen: Sequence[Sequence[Window]]
) -> None:
    """Score the windows of all questions in one run of the reader, and put them in their pools."""
    asked = [
        (state.asked.question, [text_of(components, window) for window in some])
        for state, some in zip(states, chosen, strict=True)
    ]
    scored = components.reader.relevances(asked, mode=components.mode)
    for state, some, scores in zip(states, chosen, scored, strict=True):
        for window, score in zip(some, scores, strict=True):
            lead = components.windows.document(window.title).windows[0] == window
            pull = PULL * state.to_look_in.get(window.title, 0.0)
            state.pool[window] = score + pull + LEAD * lead
            state.relevance = max(state.relevance, score)


def text_of(components: Components, window: Window) -> Document:
    """A window as a document of its own."""
    text = components.windows.document(window.title).document.text
    return Document(window.title, text[window.start : window.end])


def candidates(
    components: Components, state: QuestionState, some: Iterable[Window]
) -> tuple[Candidate, ...]:
    """Windows as a step tells of them, the best first; chosen are those to be read."""
    chosen = choose(components, state).windows
    ordered = sorted(some, key=lambda window: -state.pool[window])
    return tuple(
        Candidate(
            window.title,
            state.pool[window],
            window in chosen,
            text_of(components, window).text,
            window.start,
            window.end,
            window.section,
        )
        for window in ordered
    )


def _by_words(components: Components, state: QuestionState) -> list[Window]:
    """The first window of each document, and those with most of the question's words.

    Of many documents the likeliest have half of the places, so that the words have their say too.
    """
    most = components.config.windows
    titles = sorted(state.to_look_in, key=lambda title: -state.to_look_in[title])
    shelved = [components.windows.document(title) for title in titles]
    leads = [one.windows[0] for one in shelved if one.windows]
    scored = word_scores(components.windows.terms(state.query), shelved)
    ranked = sorted(
        (
            (score, window)
            for one, scores in zip(shelved, scored, strict=True)
            for window, score in zip(one.windows, scores, strict=True)
            if score > 0
        ),
        key=lambda pair: -pair[0],
    )
    first = leads[: (most + 1) // 2]
    wanted = dict.fromkeys((*first, *(window for _, window in ranked), *leads))
    return [window for window in wanted if window not in state.pool][:most]


def _said(titles: Sequence[str], windows: Sequence[Window]) -> str:
    if not titles:
        return "There was nowhere to look further."
    return f"{len(windows)} windows of {len(titles)} documents were ranked."
