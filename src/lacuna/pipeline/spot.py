"""SPOT: which links to follow, from the context or from what was found so far."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from lacuna.corpus.excerpt import Excerpt
from lacuna.models.reader.scored_answer import LinkScores
from lacuna.pipeline.components import Components
from lacuna.pipeline.links import LinkTarget, spot_links
from lacuna.pipeline.ranking import search_windows
from lacuna.pipeline.state import QuestionState, Reading, Selection
from lacuna.pipeline.trace import Candidate
from lacuna.retrieve.mentions import with_mentions
from lacuna.types import Question, Span


def spot(components: Components, states: Sequence[QuestionState]) -> None:
    """Choose documents to look into next: those that links lead to, and those a search finds."""
    texts = [_texts_to_go_on_from(components, state) for state in states]
    questions = [
        Question("", state.query.question, excerpt.document)
        for state, excerpts in zip(states, texts, strict=True)
        for excerpt in excerpts
    ]
    scores = iter(components.reader.link_scores(questions, mode=components.mode))
    for state, excerpts in zip(states, texts, strict=True):
        _follow(components, state, [(excerpt, next(scores)) for excerpt in excerpts])


def _texts_to_go_on_from(components: Components, state: QuestionState) -> list[Excerpt]:
    """The context first; later, and where it was only found, the best of the ranked windows."""
    if state.hop == 1 and state.focus is not None:
        return [_linked(components, state.focus)]
    by_title: dict[str, list[tuple[int, int]]] = {}
    for window, _ in state.best_windows():
        if window.title in state.expanded:
            continue
        if window.title not in by_title and len(by_title) == components.config.bridge_documents:
            continue
        by_title.setdefault(window.title, []).append((window.start, window.end))
    state.expanded.update(by_title)
    return [
        _linked(components, Excerpt.of(components.windows.document(title).document, spans))
        for title, spans in by_title.items()
    ]


def _linked(components: Components, excerpt: Excerpt) -> Excerpt:
    """A text without links names other documents all the same."""
    return replace(excerpt, document=with_mentions(excerpt.document, components.store.known))


def _follow(
    components: Components, state: QuestionState, scored: Sequence[tuple[Excerpt, LinkScores]]
) -> None:
    candidates: list[Candidate] = []
    for excerpt, scores in scored:
        targets = spot_links(
            state.search_text,
            excerpt.document,
            scores.links,
            components.store.resolve,
            components.windows.terms,
            components.config,
            leave_out={excerpt.original.title, *state.own_title},
        )
        in_context = excerpt.original is state.context
        for target in targets:
            place = excerpt.place(*target.places[0])
            candidates.append(_candidate(target, excerpt.original.title, place))
            if target.chosen:
                before = state.targets.get(target.title, target.score)
                state.targets[target.title] = max(target.score, before)
                if in_context:
                    state.followed.setdefault(target.title, place)
        state.links += targets
        _take_if_sure(components, state, excerpt, scores)
    if state.hop > 1 or state.focus is None:
        _search_on(components, state, [excerpt for excerpt, _ in scored])
    candidates.sort(key=lambda candidate: -candidate.score)
    chosen = [candidate.title for candidate in candidates if candidate.chosen]
    if state.answered_alone:
        message = "Nothing is missing: the context answers by itself."
    elif chosen:
        message = f"What is missing may stand in {_listed(chosen)}."
    else:
        message = "No link leads on."
    state.record(message, candidates)


def _take_if_sure(
    components: Components, state: QuestionState, excerpt: Excerpt, scores: LinkScores
) -> None:
    """Where the context that was given surely answers alone, nothing else needs to be read."""
    given = state.hop == 1 and state.focus is not None and excerpt.original is state.context
    if given and math.inf > scores.alone.margin > components.config.sure_alone:
        state.answered_alone = True
        question = Question("", state.query.question, excerpt.document)
        selection = Selection(question, {excerpt.document.title: excerpt}, ())
        state.reading = Reading(selection, scores.alone)
        state.readings.append(state.reading)


def _search_on(components: Components, state: QuestionState, texts: Sequence[Excerpt]) -> None:
    """Search again with the question and the names of what was found."""
    for excerpt in texts:
        search_text = f"{state.search_text} {excerpt.original.title}"
        for window in search_windows(components, search_text, components.config.bridge_hits):
            if window.title not in state.own_title:
                state.targets.setdefault(window.title, 0.0)


def _candidate(target: LinkTarget, source: str, place: Span) -> Candidate:
    return Candidate(
        target.title,
        target.score,
        target.chosen,
        start=place.start,
        end=place.end,
        dangling=target.dangling,
        source=source,
    )


def _listed(titles: Sequence[str]) -> str:
    *most, last = dict.fromkeys(titles)
    return f"{', '.join(most)} or {last}" if most else last
