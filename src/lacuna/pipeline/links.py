"""Which links of a passage may hold what is missing (IIRC's first stage)."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from lacuna.types import Document, Span

FEWEST = 3
MOST = 6
LIKELY = 0.0
"""A link with a score above this is followed, up to ``MOST``; the best ``FEWEST`` always are."""
NAMED = 2.0
"""What it adds to the score if the question has all words of the anchor; a part adds its share."""
UNSEEN = -20.0
"""The score of a link that the reader did not see."""

Terms = Callable[[str], Collection[str]]


@dataclass(frozen=True, slots=True)
class Spotted:
    """A document that links of the passage lead to; ``places`` are those links, the best first.

    ``title`` is the document's own; where there is none (``dangling``), what the link says.
    """

    title: str
    score: float
    places: tuple[Span, ...]
    dangling: bool
    chosen: bool


def spot_links(
    question: str,
    passage: Document,
    scores: Sequence[float],
    resolve: Callable[[str], str | None],
    terms: Terms,
    *,
    leave_out: Collection[str] = (),
) -> tuple[Spotted, ...]:
    """The targets of the passage's links, the likeliest first; links to one target count once.

    Recall matters more than precision: what is followed in vain costs a little time, and reading
    decides.
    """
    asked = set(terms(question))
    found: dict[tuple[str, bool], list[tuple[float, Span]]] = {}
    for link, score in zip(passage.links, scores, strict=True):
        title = resolve(link.target)
        if title in leave_out:
            continue
        score = score if math.isfinite(score) else UNSEEN
        named = _share(asked, terms(f"{passage.text[link.start : link.end]} {link.target}"))
        key = (link.target if title is None else title, title is None)
        found.setdefault(key, []).append((score + NAMED * named, Span(link.start, link.end)))
    ranked = sorted(
        (
            (max(places)[0], key, sorted(places, key=lambda one: -one[0]))
            for key, places in found.items()
        ),
        key=lambda one: -one[0],
    )
    spotted: list[Spotted] = []
    followed = 0
    for score, (title, dangling), places in ranked:
        chosen = not dangling and (followed < FEWEST or (score > LIKELY and followed < MOST))
        followed += chosen
        spans = tuple(span for _, span in places)
        spotted.append(Spotted(title, score, spans, dangling, chosen))
    return tuple(spotted)


def _share(asked: Collection[str], name: Collection[str]) -> float:
    """How much of a name the question has."""
    words = set(name)
    return len(words.intersection(asked)) / len(words) if words else 0.0
