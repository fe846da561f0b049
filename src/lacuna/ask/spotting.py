"""SPOT: which links to follow, from the passage or from what was found so far."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from lacuna.ask.case import Case, Read
from lacuna.ask.rooms import Rooms
from lacuna.ask.starting import search
from lacuna.ask.trace import Candidate, Told
from lacuna.find.excerpts import Excerpt
from lacuna.read.weighing import Look
from lacuna.spot.links import Spotted, spot_links
from lacuna.spot.mentions import with_mentions
from lacuna.types import Question

SURE_ALONE = 8.0
"""Log-odds over none above which the passage alone is taken to answer."""
BRIDGES = 2
"""Documents whose links are looked at when the search goes on from what it found."""
BRIDGE_HITS = 5


def spot(rooms: Rooms, cases: Sequence[Case]) -> list[Told]:
    """Choose documents to look in next: those that links lead to, and those a search finds."""
    from_where = [_places_to_go_on_from(rooms, case) for case in cases]
    questions = [
        Question("", case.asked.question, excerpt.document)
        for case, excerpts in zip(cases, from_where, strict=True)
        for excerpt in excerpts
    ]
    looks = iter(rooms.reader.look(questions, style=rooms.style))
    told = []
    for case, excerpts in zip(cases, from_where, strict=True):
        seen = [(excerpt, next(looks)) for excerpt in excerpts]
        told.append(_follow(rooms, case, seen))
    return told


def _places_to_go_on_from(rooms: Rooms, case: Case) -> list[Excerpt]:
    """The passage first; later, and where it was only found, the best windows of the pool."""
    if case.hop == 1 and case.focus is not None:
        return [_linked(rooms, case.focus)]
    by_title: dict[str, list[tuple[int, int]]] = {}
    for window, _ in case.best_windows():
        if window.title in case.looked_from:
            continue
        if window.title not in by_title and len(by_title) == BRIDGES:
            continue
        by_title.setdefault(window.title, []).append((window.start, window.end))
    case.looked_from.update(by_title)
    return [
        _linked(rooms, Excerpt.of(rooms.shelf.document(title).document, spans))
        for title, spans in by_title.items()
    ]


def _linked(rooms: Rooms, excerpt: Excerpt) -> Excerpt:
    """A text without links names other documents all the same."""
    return replace(excerpt, document=with_mentions(excerpt.document, rooms.store.known))


def _follow(rooms: Rooms, case: Case, seen: Sequence[tuple[Excerpt, Look]]) -> Told:
    asked_of = case.passage if case.hop == 1 and case.focus is not None else None
    found: list[Candidate] = []
    for excerpt, look in seen:
        spotted = spot_links(
            case.query,
            excerpt.document,
            look.links,
            rooms.store.resolve,
            rooms.shelf.terms,
            leave_out={excerpt.original.title, *_own_title(case)},
        )
        in_passage = excerpt.original is case.passage
        for one in spotted:
            place = excerpt.place(*one.places[0]) if in_passage else None
            found.append(_candidate(one, place))
            if one.chosen:
                case.to_look_in[one.title] = max(
                    one.score, case.to_look_in.get(one.title, one.score)
                )
                if place is not None:
                    case.followed.setdefault(one.title, place)
        case.spotted += spotted
        if excerpt.original is asked_of and math.inf > look.alone.margin > SURE_ALONE:
            case.enough = True
            case.read = Read({excerpt.document.title: excerpt}, look.alone, ())
    if case.hop > 1 or case.focus is None:
        _search_on(rooms, case, [excerpt for excerpt, _ in seen])
    found.sort(key=lambda one: -one.score)
    chosen = [one.title for one in found if one.chosen]
    if case.enough:
        return "Nothing is missing: the passage answers by itself.", tuple(found)
    if not chosen:
        return "No link leads on.", tuple(found)
    return f"What is missing may stand in {_listed(chosen)}.", tuple(found)


def _search_on(rooms: Rooms, case: Case, seen: Sequence[Excerpt]) -> None:
    """Search again with the question and the names of what was found."""
    for excerpt in seen:
        for window in search(rooms, f"{case.query} {excerpt.original.title}", BRIDGE_HITS):
            if window.title not in _own_title(case):
                case.to_look_in.setdefault(window.title, 0.0)


def _own_title(case: Case) -> set[str]:
    """A passage that came with the question stands for the document of its title, if any."""
    return {case.passage.title} if case.own and case.passage else set()


def _candidate(one: Spotted, place: tuple[int, int] | None) -> Candidate:
    start, end = place or (None, None)
    return Candidate(one.title, one.score, one.chosen, "", start, end, dangling=one.dangling)


def _listed(titles: Sequence[str]) -> str:
    *most, last = dict.fromkeys(titles)
    return f"{', '.join(most)} or {last}" if most else last
