"""From a drawn pair to an item: both first paragraphs, as they are now."""

from __future__ import annotations

import threading
from random import Random

from lacuna.collect.tasks.hotpotqa.candidate_pairs import (
    BridgePairs,
    ComparisonPairs,
    draw_pair,
    pair_key,
)
from lacuna.collect.tasks.hotpotqa.entity_names import short_forms
from lacuna.collect.tasks.hotpotqa.groups import categories_of, chosen, lists_of
from lacuna.collect.tasks.hotpotqa.hints import hints_for
from lacuna.collect.tasks.hotpotqa.shown_paragraph import anchors, kept_paragraph
from lacuna.collect.tasks.task import Json, NewItem
from lacuna.corpus.mining.pairs import Pair, PairKind
from lacuna.corpus.store import Store

_READY: dict[str, tuple[BridgePairs, ComparisonPairs]] = {}
"""What the last draw drew from: preparing it takes far longer than a draw."""
_LOCK = threading.Lock()


def question_item(
    corpus: Store, more: Json, random: Random, taken: frozenset[str]
) -> NewItem | None:
    """An item for a pair that is not taken; None when there is none left."""
    empty: set[str] = set()

    def is_free(pair: Pair) -> bool:
        if pair_key(pair) in taken:
            return False
        for title in (pair.first, pair.second):
            if title not in empty and not kept_paragraph(corpus.document(title))["sentences"]:
                empty.add(title)
        return not empty & {pair.first, pair.second}

    bridges, comparisons = _sources(corpus, more)
    pair = draw_pair(bridges, comparisons, more["bridge_ratio"], random, is_free)
    if pair is None:
        return None
    return NewItem(pair_key(pair), pair_payload(corpus, pair))


def pair_payload(corpus: Store, pair: Pair) -> Json:
    """Everything about a pair that an item keeps."""
    first, second = corpus.document(pair.first), corpus.document(pair.second)
    is_bridge = pair.kind is PairKind.BRIDGE
    return {
        "kind": str(pair.kind),
        "yes_no": pair.yes_no,
        "group": pair.group,
        "paragraphs": [kept_paragraph(first), kept_paragraph(second)],
        "anchors": anchors(first, pair.second, corpus.resolve) if is_bridge else [],
        "short_names": [short_forms(each.title, corpus.resolve) for each in (first, second)],
        "hints": hints_for(pair),
    }


def _sources(corpus: Store, more: Json) -> tuple[BridgePairs, ComparisonPairs]:
    names = ("categories_file", "lists_file", "chosen_categories", "chosen_lists", "yes_no_ratio")
    state = repr((corpus.place, corpus.token, [more.get(name) for name in names]))
    with _LOCK:
        if state not in _READY:
            categories = categories_of(corpus, more["categories_file"])
            categories = chosen(categories, more.get("chosen_categories"))
            lists = chosen(lists_of(corpus, more["lists_file"]), more.get("chosen_lists"))
            titles = [title for members in categories.values() for title in members]
            ready = BridgePairs(corpus, titles), ComparisonPairs(lists, more["yes_no_ratio"])
            _READY.clear()
            _READY[state] = ready
        return _READY[state]
