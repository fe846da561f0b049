"""How scripted people talk and validate: whole and plausible, without any understanding."""

from __future__ import annotations

import re
from random import Random

from lacuna.collect.tasks.task import Json

WORDS = re.compile(r"\w+(?: \w+){0,5}")
NOTHING = 0.08
"""The share of questions that a person finds no answer to."""
ASKED = ("What", "When", "Where", "Why", "Who", "How")


def ask_anything(random: Random) -> str:
    """A question that nobody has asked before."""
    return f"{random.choice(ASKED)} was it in case {random.getrandbits(40):010x}?"


def answer_anything(text: str, random: Random, *, follow_up: bool) -> Json:
    """Some words of a section, or none."""
    acts = {"yesno": random.choice("ynx")}
    if follow_up:
        acts["followup"] = random.choice("ymn")
    if random.random() < NOTHING:
        return {"kind": "none", **acts}
    start, end = random.choice([found.span() for found in WORDS.finditer(text)])
    return {"kind": "span", "start": start, "end": end, **acts}


def validate(shown: Json, random: Random, errors: float) -> Json:
    """Answers to all questions of a dialog, the same by everybody but for errors."""
    return {
        "answers": [
            answer_anything(
                shown["text"],
                random if random.random() < errors else Random(f"{shown['text']}{number}"),
                follow_up=False,
            )
            for number in range(shown["questions"])
        ]
    }
