"""What is read together: the context, and the best of the ranked windows that fit beside it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from lacuna.corpus.excerpt import Excerpt
from lacuna.pipeline.components import Components
from lacuna.pipeline.state import QuestionState, Selection
from lacuna.retrieve.window_index import word_scores
from lacuna.retrieve.windows import Window
from lacuna.types import Document, Question

OWN_CONTEXT = "\0context"
"""What the reader calls a context that came with the question: a name that no document has."""


def focus_on(components: Components, search_text: str, context: Document) -> Excerpt:
    """The part of the context that is read: all of a short one; of a long one its beginning, and
    what shares most words with the question."""
    most = components.config.context_characters
    if len(context.text) <= most:
        return Excerpt.of(context, [(0, len(context.text))])
    indexed = components.windows.cut(context)
    (scores,) = word_scores(components.windows.terms(search_text), [indexed])
    best = sorted(range(len(scores)), key=lambda number: (number > 0, -scores[number], number))
    taken: list[tuple[int, int]] = []
    size = 0
    for number in best:
        if taken and not scores[number]:
            break
        window = indexed.windows[number]
        size += window.end - window.start
        if size > most and taken:
            break
        taken.append((window.start, window.end))
    return Excerpt.of(indexed.document, taken)


def select_windows(components: Components, state: QuestionState) -> Selection:
    """The context and the best windows, as long as everything fits into one input."""
    selection = _selection(components, state, ())
    most = components.config.windows_read(components.mode)
    for window in _by_turns(state, components.config.repeat_penalty):
        if len(selection.windows) == most:
            break
        longer = _selection(components, state, (*selection.windows, window))
        if components.reader.fits(longer.question, mode=components.mode):
            selection = longer
    return selection


def _by_turns(state: QuestionState, repeat_penalty: float) -> Iterator[Window]:
    """The best first, where a document's second window is worth less than its first."""
    left = state.best_windows()
    times: Counter[str] = Counter()
    while left:
        number = max(
            range(len(left)), key=lambda n: left[n][1] - repeat_penalty * times[left[n][0].title]
        )
        window, _ = left.pop(number)
        times[window.title] += 1
        yield window


def _selection(
    components: Components, state: QuestionState, windows: Sequence[Window]
) -> Selection:
    spans: dict[str, list[tuple[int, int]]] = {}
    texts: dict[str, Excerpt] = {}
    context = None
    if state.focus is not None and state.is_own:
        context = replace(state.focus.document, title=OWN_CONTEXT)
        texts[OWN_CONTEXT] = state.focus
    elif state.focus is not None:
        spans[state.focus.original.title] = list(state.focus.pieces)
    for window in windows:
        spans.setdefault(window.title, []).append((window.start, window.end))
    for title, places in spans.items():
        texts[title] = Excerpt.of(components.windows.document(title).document, places)
    documents = tuple(text.document for title, text in texts.items() if title != OWN_CONTEXT)
    question = Question("", state.query.question, context, documents, state.query.history)
    return Selection(question, texts, tuple(windows))
