"""How scripted people work on HotpotQA's tasks."""

from __future__ import annotations

import re
from random import Random

from lacuna.collect.tasks.hotpotqa.entity_names import plain_name
from lacuna.collect.tasks.task import Json

WORD = re.compile(r"\b[a-z]{4,}\b")
ASKABLE = 0.8


def judge_pairs(shown: Json, random: Random, errors: float) -> Json:
    """Most pairs can be asked about; everybody finds the same ones, but for errors."""
    agreed = Random(shown["group"])
    verdicts = [agreed.random() < ASKABLE for _ in shown["pairs"]]
    return {"askable": [one != (random.random() < errors) for one in verdicts]}


def judge_hops(shown: Json, random: Random, errors: float) -> Json:
    """Questions take both paragraphs, but for errors."""
    return {"needs": "one" if random.random() < errors else "both"}


def write_question(shown: Json, random: Random, errors: float) -> Json:
    """A question of the kind that the pair is for; an error is one without support."""
    first, second = shown["paragraphs"]
    names = [plain_name(one["title"]) for one in (first, second)]
    if shown["kind"] == "comparison":
        work = _comparison(shown, names, random)
    else:
        work = _bridge(names[0], second["sentences"], random)
    return {**work, "supporting": []} if random.random() < errors else work


def _comparison(shown: Json, names: list[str], random: Random) -> Json:
    supporting = [[0, 0], [1, 0]]
    if shown["yes_no"]:
        question = f"Are {names[0]} and {names[1]} told of in the same words?"
        return {"question": question, "answer": "no", "supporting": supporting}
    question = f"Which is told of at greater length, {names[0]} or {names[1]}?"
    return {"question": question, "answer": random.choice(names), "supporting": supporting}


def _bridge(name: str, sentences: list[str], random: Random) -> Json:
    question = f"Which word is used for what {name} leads to?"
    found = [
        (number, word)
        for number, sentence in enumerate(sentences)
        for word in WORD.findall(sentence)
        if word not in question
    ]
    number, answer = random.choice(found or [(0, "")])
    return {"question": question, "answer": answer, "supporting": [[0, 0], [1, number]]}
