"""SPOT: which links to follow, from the passage or from what was found so far."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from lacuna.corpus.excerpt import Excerpt
from lacuna.models.reader.scored_answer import LinkScores
from lacuna.pipeline.components import Components
from lacuna.pipeline.links import Spotted, spot_links
from lacuna.pipeline.start import search
from lacuna.pipeline.state import QuestionState, Read
from lacuna.pipeline.trace import Candidate, Told
from lacuna.retrieve.mentions import with_mentions
from lacuna.types import Question

SURE_ALONE = 8.0
"""Log-odds over none above which the passage alone is taken to answer."""
BRIDGES = 2
"""Documents whose links are looked at when the search goes on from what it found."""
BRIDGE_HITS = 5


def spot(components: Components, states: Sequence[QuestionState]) -> list[Told]:
    """Choose documents to look in next: those that links lead to, and those a search finds."""
    from_where = [_places_to_go_on_from(components, state) for state in states]
    questions = [
        Question("", state.asked.question, excerpt.document)
        for state, excerpts in zip(states, from_where, strict=True)
        for excerpt in excerpts
    ]
    looks = iter(components.reader.link_scores(questions, mode=components.mode))
    told = []
    for state, excerpts in zip(states, from_where, strict=True):
        seen = [(excerpt, next(looks)) for excerpt in excerpts]
        told.append(_follow(components, state, seen))
    return told


def _places_to_go_on_from(components: Components, state: QuestionState) -> list[Excerpt]:
    """The passage first; later, and where it was only found, the best windows of the pool."""
    if state.hop == 1 and state.focus is not None:
        return [_linked(components, state.focus)]
    by_title: dict[str, list[tuple[int, int]]] = {}
    for window, _ in state.best_windows():
        if window.title in state.looked_from:
            continue
        if window.title not in by_title and len(by_title) == BRIDGES:
            continue
        by_title.setdefault(window.title, []).append((window.start, window.end))
    state.looked_from.update(by_title)
    return [
        _linked(components, Excerpt.of(components.windows.document(title).document, spans))
        for title, spans in by_title.items()
    ]


def _linked(components: Components, excerpt: Excerpt) -> Excerpt:
    """A text without links names other documents all the same."""
    return replace(excerpt, document=with_mentions(excerpt.document, components.store.known))


def _follow(
    components: Components, state: QuestionState, seen: Sequence[tuple[Excerpt, LinkScores]]
) -> Told:
    asked_of = state.context if state.hop == 1 and state.focus is not None else None
    found: list[Candidate] = []
    for excerpt, look in seen:
        spotted = spot_links(
            state.query,
            excerpt.document,
            look.links,
            components.store.resolve,
            components.windows.terms,
            leave_out={excerpt.original.title, *_own_title(state)},
        )
        in_passage = excerpt.original is state.context
        for one in spotted:
            place = excerpt.place(*one.places[0]) if in_passage else None
            found.append(_candidate(one, place))
            if one.chosen:
                state.to_look_in[one.title] = max(
                    one.score, state.to_look_in.get(one.title, one.score)
                )
                if place is not None:
                    state.followed.setdefault(one.title, place)
        state.spotted += spotted
        if excerpt.original is asked_of and math.inf > look.alone.margin > SURE_ALONE:
            state.enough = True
            state.read = Read({excerpt.document.title: excerpt}, look.alone, ())
    if state.hop > 1 or state.focus is None:
        _search_on(components, state, [excerpt for excerpt, _ in seen])
    found.sort(key=lambda one: -one.score)
    chosen = [one.title for one in found if one.chosen]
    if state.enough:
        return "Nothing is missing: the passage answers by itself.", tuple(found)
    if not chosen:
        return "No link leads on.", tuple(found)
    return f"What is missing may stand in {_listed(chosen)}.", tuple(found)


def _search_on(components: Components, state: QuestionState, seen: Sequence[Excerpt]) -> None:
    """Search again with the question and the names of what was found."""
    for excerpt in seen:
        for window in search(components, f"{state.query} {excerpt.original.title}", BRIDGE_HITS):
            if window.title not in _own_title(state):
                state.to_look_in.setdefault(window.title, 0.0)


def _own_title(state: QuestionState) -> set[str]:
    """A passage that came with the question stands for the document of its title, if any."""
    return {state.context.title} if state.own and state.context else set()


def _candidate(one: Spotted, place: tuple[int, int] | None) -> Candidate:
    start, end = place or (None, None)
    return Candidate(one.title, one.score, one.chosen, "", start, end, dangling=one.dangling)


def _listed(titles: Sequence[str]) -> str:
    *most, last = dict.fromkeys(titles)
    return f"{', '.join(most)} or {last}" if most else last
