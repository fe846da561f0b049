"""Which of the ranked windows are read: the best that fit, beside the passage."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from lacuna.answer_mode import AnswerMode
from lacuna.corpus.excerpt import Excerpt
from lacuna.pipeline.components import Components
from lacuna.pipeline.state import QuestionState
from lacuna.retrieve.windows import Window
from lacuna.types import Question

PASSAGE = "\0passage"
"""What the reader calls a passage that came with the question: a name that no document has."""
AGAIN = 1.0
"""What each further window of one document must be better by: several documents say more."""
MOST_WINDOWS = {AnswerMode.ASK: 3, AnswerMode.HOP: 4}
"""More of them distract the reader more often than they help."""


@dataclass(frozen=True, slots=True)
class ToRead:
    """A question for the reader; ``texts`` are its texts by the title that it knows them by."""

    question: Question
    texts: dict[str, Excerpt]
    windows: tuple[Window, ...]


def choose(components: Components, state: QuestionState) -> ToRead:
    """The passage and the best windows, as long as everything fits into one input."""
    chosen = _to_read(components, state, ())
    for window in _in_turn(state):
        if len(chosen.windows) == MOST_WINDOWS[components.mode]:
            break
        longer = _to_read(components, state, (*chosen.windows, window))
        if components.reader.fits(longer.question, mode=components.mode):
            chosen = longer
    return chosen


def _in_turn(state: QuestionState) -> Iterator[Window]:
    """The best first, where a document's second window is worth less than its first."""
    left = state.best_windows()
    times: Counter[str] = Counter()
    while left:
        number = max(range(len(left)), key=lambda n: left[n][1] - AGAIN * times[left[n][0].title])
        window, _ = left.pop(number)
        times[window.title] += 1
        yield window


def _to_read(components: Components, state: QuestionState, windows: Sequence[Window]) -> ToRead:
    spans: dict[str, list[tuple[int, int]]] = {}
    texts: dict[str, Excerpt] = {}
    passage = None
    if state.focus is not None and state.own:
        passage = replace(state.focus.document, title=PASSAGE)
        texts[PASSAGE] = state.focus
    elif state.focus is not None:
        spans[state.focus.original.title] = list(state.focus.pieces)
    for window in windows:
        spans.setdefault(window.title, []).append((window.start, window.end))
    for title, segments in spans.items():
        texts[title] = Excerpt.of(components.windows.document(title).document, segments)
    documents = tuple(one.document for title, one in texts.items() if title != PASSAGE)
    question = Question("", state.asked.question, passage, documents, state.asked.history)
    return ToRead(question, texts, tuple(windows))
