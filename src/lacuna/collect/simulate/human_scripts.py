"""How scripted people answer the questions of a human check."""

from __future__ import annotations

import re
from random import Random

from lacuna.collect.tasks.task import Json

WORDS = re.compile(r"\w+(?: \w+){0,2}")


def answer_question(shown: Json, random: Random, errors: float) -> Json:
    """The same answer by everybody, but for errors: so people agree as far as they make none."""
    chance = random if random.random() < errors else Random(shown["question"])
    kind = chance.choice(shown["kinds"])
    work: Json = {"kind": kind}
    if kind == "span":
        work["texts"] = [_some_words(shown, chance)]
    elif kind == "number":
        work |= {"number": str(chance.randrange(1, 2000)), "unit": "years"}
    elif kind == "choice":
        work["choice"] = chance.choice(shown["choices"])["label"]
    if shown["supporting"]:
        work["supporting"] = _some_sentences(shown["texts"], chance)
    return work


def _some_words(shown: Json, random: Random) -> str:
    parts: list[str] = [part for text in shown["texts"] for part in text["parts"]]
    question: str = shown["question"]
    found = [match[0] for match in WORDS.finditer(random.choice(parts or [question]))]
    return random.choice(found or [question])


def _some_sentences(texts: list[Json], random: Random) -> list[list[int]]:
    places = [[at, part] for at, text in enumerate(texts) for part in range(len(text["parts"]))]
    return sorted(random.sample(places, min(2, len(places))))
