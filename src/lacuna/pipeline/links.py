"""Which links of a text may hold what is missing (IIRC's first stage)."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from lacuna.pipeline.config import PipelineConfig
from lacuna.types import Document, Span

UNSEEN = -20.0
"""The score of a link that the reader did not see."""

Terms = Callable[[str], Collection[str]]


@dataclass(frozen=True, slots=True)
class LinkTarget:
    """A document that links of a text lead to; ``places`` are those links, the best first.

    ``title`` is the document's own; where there is none (``dangling``), what the link says.
    """

    title: str
    score: float
    places: tuple[Span, ...]
    dangling: bool
    chosen: bool


def spot_links(
    question: str,
    text: Document,
    scores: Sequence[float],
    resolve: Callable[[str], str | None],
    terms: Terms,
    config: PipelineConfig,
    *,
    leave_out: Collection[str] = (),
) -> tuple[LinkTarget, ...]:
    """The targets of a text's links, the likeliest first; links to one target count once.

    Recall matters more than precision: what is followed in vain costs a little time, and reading
    decides.
    """
    question_terms = set(terms(question))
    by_target: dict[tuple[str, bool], list[tuple[float, Span]]] = {}
    for link, score in zip(text.links, scores, strict=True):
        title = resolve(link.target)
        if title in leave_out:
            continue
        score = score if math.isfinite(score) else UNSEEN
        share = _share(question_terms, terms(f"{text.text[link.start : link.end]} {link.target}"))
        key = (link.target if title is None else title, title is None)
        score += config.named_link * share
        by_target.setdefault(key, []).append((score, Span(link.start, link.end)))
    ranked = sorted(
        (
            (max(places)[0], key, sorted(places, key=lambda pair: -pair[0]))
            for key, places in by_target.items()
        ),
        key=lambda target: -target[0],
    )
    targets: list[LinkTarget] = []
    followed = 0
    for score, (title, dangling), places in ranked:
        likely = score > config.likely_link and followed < config.most_links
        chosen = not dangling and (followed < config.fewest_links or likely)
        followed += chosen
        spans = tuple(span for _, span in places)
        targets.append(LinkTarget(title, score, spans, dangling, chosen))
    return tuple(targets)


def _share(question: Collection[str], name: Collection[str]) -> float:
    """How many of a name's words the question has."""
    words = set(name)
    return len(words.intersection(question)) / len(words) if words else 0.0
