"""Which of the ranked windows are read: the best that fit, beside the passage."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from lacuna.ask.case import Case
from lacuna.ask.rooms import Rooms
from lacuna.find.excerpts import Excerpt
from lacuna.find.windows import Window
from lacuna.read.style import Style
from lacuna.types import Question

PASSAGE = "\0passage"
"""What the reader calls a passage that came with the question: a name that no document has."""
AGAIN = 1.0
"""What each further window of one document must be better by: several documents say more."""
MOST_WINDOWS = {Style.ASK: 3, Style.HOP: 4}
"""More of them distract the reader more often than they help."""


@dataclass(frozen=True, slots=True)
class ToRead:
    """A question for the reader; ``texts`` are its texts by the title that it knows them by."""

    question: Question
    texts: dict[str, Excerpt]
    windows: tuple[Window, ...]


def choose(rooms: Rooms, case: Case) -> ToRead:
    """The passage and the best windows, as long as everything fits into one input."""
    chosen = _to_read(rooms, case, ())
    for window in _in_turn(case):
        if len(chosen.windows) == MOST_WINDOWS[rooms.style]:
            break
        longer = _to_read(rooms, case, (*chosen.windows, window))
        if rooms.reader.fits(longer.question, style=rooms.style):
            chosen = longer
    return chosen


def _in_turn(case: Case) -> Iterator[Window]:
    """The best first, where a document's second window is worth less than its first."""
    left = case.best_windows()
    times: Counter[str] = Counter()
    while left:
        number = max(range(len(left)), key=lambda n: left[n][1] - AGAIN * times[left[n][0].title])
        window, _ = left.pop(number)
        times[window.title] += 1
        yield window


def _to_read(rooms: Rooms, case: Case, windows: Sequence[Window]) -> ToRead:
    spans: dict[str, list[tuple[int, int]]] = {}
    texts: dict[str, Excerpt] = {}
    passage = None
    if case.focus is not None and case.own:
        passage = replace(case.focus.document, title=PASSAGE)
        texts[PASSAGE] = case.focus
    elif case.focus is not None:
        spans[case.focus.original.title] = list(case.focus.pieces)
    for window in windows:
        spans.setdefault(window.title, []).append((window.start, window.end))
    for title, stretches in spans.items():
        texts[title] = Excerpt.of(rooms.shelf.document(title).document, stretches)
    documents = tuple(one.document for title, one in texts.items() if title != PASSAGE)
    question = Question("", case.asked.question, passage, documents, case.asked.history)
    return ToRead(question, texts, tuple(windows))
