"""FIND: windows of documents, by their words first and then by the reader."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from lacuna.ask.case import Case
from lacuna.ask.choosing import choose
from lacuna.ask.rooms import Rooms
from lacuna.ask.trace import Candidate, Told
from lacuna.find.shelf import word_scores
from lacuna.find.windows import Window
from lacuna.types import Document

PULL = 0.5
"""How much the score of the link that led to a document counts for its windows."""
LEAD = 4.0
"""What the beginning of a document is worth: it tells what everything else in it is about."""


def find_windows(rooms: Rooms, cases: Sequence[Case]) -> list[Told]:
    """Rank windows of the documents that each question is to look in next."""
    chosen = [_by_words(rooms, case) for case in cases]
    rank(rooms, cases, chosen)
    told = []
    for case, some in zip(cases, chosen, strict=True):
        titles = list(case.to_look_in)
        case.to_look_in.clear()
        told.append((_said(titles, some), candidates(rooms, case, some)))
    return told


def rank(rooms: Rooms, cases: Sequence[Case], chosen: Sequence[Sequence[Window]]) -> None:
    """Score the windows of all questions in one run of the reader, and put them in their pools."""
    asked = [
        (case.asked.question, [text_of(rooms, window) for window in some])
        for case, some in zip(cases, chosen, strict=True)
    ]
    scored = rooms.reader.relevances(asked, style=rooms.style)
    for case, some, scores in zip(cases, chosen, scored, strict=True):
        for window, score in zip(some, scores, strict=True):
            lead = rooms.shelf.document(window.title).windows[0] == window
            pull = PULL * case.to_look_in.get(window.title, 0.0)
            case.pool[window] = score + pull + LEAD * lead
            case.relevance = max(case.relevance, score)


def text_of(rooms: Rooms, window: Window) -> Document:
    """A window as a document of its own."""
    text = rooms.shelf.document(window.title).document.text
    return Document(window.title, text[window.start : window.end])


def candidates(rooms: Rooms, case: Case, some: Iterable[Window]) -> tuple[Candidate, ...]:
    """Windows as a step tells of them, the best first; chosen are those to be read."""
    chosen = choose(rooms, case).windows
    ordered = sorted(some, key=lambda window: -case.pool[window])
    return tuple(
        Candidate(
            window.title,
            case.pool[window],
            window in chosen,
            text_of(rooms, window).text,
            window.start,
            window.end,
            window.section,
        )
        for window in ordered
    )


def _by_words(rooms: Rooms, case: Case) -> list[Window]:
    """The first window of each document, and those with most of the question's words.

    Of many documents the likeliest have half of the places, so that the words have their say too.
    """
    most = rooms.budget.windows
    titles = sorted(case.to_look_in, key=lambda title: -case.to_look_in[title])
    shelved = [rooms.shelf.document(title) for title in titles]
    leads = [one.windows[0] for one in shelved if one.windows]
    scored = word_scores(rooms.shelf.terms(case.query), shelved)
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
    return [window for window in wanted if window not in case.pool][:most]


def _said(titles: Sequence[str], windows: Sequence[Window]) -> str:
    if not titles:
        return "There was nowhere to look further."
    return f"{len(windows)} windows of {len(titles)} documents were ranked."
