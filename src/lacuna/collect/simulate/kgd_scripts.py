"""How scripted people work on KGD's two rounds."""

from __future__ import annotations

import re
from random import Random

from lacuna.collect.tasks.task import Json

WORD = re.compile(r"\w{3,}")
HELPS, UNIQUE = 0.7, 0.8
"""How often a fact helps, and how often one that does points to one answer."""


def judge_facts(shown: Json, random: Random, errors: float) -> Json:
    """Everybody finds the same facts helpful, but for errors."""
    return {
        "judgements": [
            _verdict(random if random.random() < errors else Random(f"{shown['question']} {fact}"))
            for fact in shown["facts"]
        ]
    }


def _verdict(random: Random) -> Json:
    relevant, unique = random.random() < HELPS, random.random() < UNIQUE
    return {"relevant": relevant, "unique": relevant and unique}


def describe_gap(shown: Json, random: Random, errors: float) -> Json:
    """A word of the fact and some relations, the same by everybody; an error has no relation."""
    agreed = Random(f"{shown['question']} {shown['fact']}")
    words = [match.span() for match in WORD.finditer(shown["fact"])]
    if not words:
        return {"term": "something", "other": "has to do with"}
    names = [statement["name"] for statement in shown["statements"]]
    relations = agreed.sample(names, agreed.randint(1, 3))
    span = list(agreed.choice(words))
    if random.random() < errors / 2:
        return {"span": span, "relations": []}
    if random.random() < errors:
        span = list(random.choice(words))
    return {"span": span, "relations": sorted(relations)}
