"""Windows of documents: searched for, ranked by the reader, and described for the trace."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from lacuna.corpus.excerpt import Excerpt
from lacuna.corpus.passages import SectionFinder
from lacuna.pipeline.components import Components
from lacuna.pipeline.rating.rated_answers import chooses
from lacuna.pipeline.state import QuestionState, Reading, Selection
from lacuna.pipeline.trace import Candidate
from lacuna.retrieve.around import around
from lacuna.retrieve.window_index import word_scores
from lacuna.retrieve.windows import Window
from lacuna.types import Question, Span


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


def windows_around(components: Components, search_text: str, hits: int) -> list[Window]:
    """For each passage that the retriever finds, what stands around it, if it is new."""
    taken: dict[str, list[Window]] = {}
    found = []
    for hit in components.retriever.search(search_text, hits):
        document = components.windows.document(hit.title).document
        span = around(document, hit.start, hit.end, components.config.passage_characters)
        before = taken.setdefault(hit.title, [])
        if any(_shared(span, window) > (span.end - span.start) / 2 for window in before):
            continue
        section = SectionFinder(document).at(hit.start)
        found.append(Window(hit.title, *span, section.path if section else ()))
        before.append(found[-1])
    return found


def _shared(span: Span, window: Window) -> int:
    return min(span.end, window.end) - max(span.start, window.start)


def rank_windows(
    components: Components,
    states: Sequence[QuestionState],
    windows: Sequence[Sequence[Window]],
) -> None:
    """Read the windows of all questions alone, in one run of the reader, and rank them.

    Where the reader's answers are to be chosen from, what each window answers is kept.
    """
    config = components.config
    texts = [[window_text(components, window) for window in some] for some in windows]
    asked = [
        (state.query.question, [text.document for text in some])
        for state, some in zip(states, texts, strict=True)
    ]
    read = components.reader.read_alone(asked, mode=components.mode)
    for state, some, excerpts, answers in zip(states, windows, texts, read, strict=True):
        for window, excerpt, scored in zip(some, excerpts, answers, strict=True):
            leads = window.start <= components.windows.document(window.title).windows[0].start
            pull = config.link_pull * state.targets.get(window.title, 0.0)
            rank = len(state.ranked)
            state.ranked[window] = scored.relevance + pull + config.lead_bonus * leads
            state.best_relevance = max(state.best_relevance, scored.relevance)
            if chooses(components, state):
                question = Question("", state.query.question, documents=(excerpt.document,))
                selection = Selection(question, {window.title: excerpt}, (window,))
                state.readings.append(Reading(selection, scored, rank))


def window_text(components: Components, window: Window) -> Excerpt:
    """A window as a document of its own."""
    document = components.windows.document(window.title).document
    return Excerpt.of(document, [(window.start, window.end)])


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
            window_text(components, window).document.text,
            window.start,
            window.end,
            window.section,
        )
        for window in ordered
    )
