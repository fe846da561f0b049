"""How scripted people work on IIRC's tasks: whole and plausible, without any understanding."""

from __future__ import annotations

import re
from random import Random

from lacuna.collect.tasks.task import Json

WORDS = re.compile(r"\w+(?:\W+\w+){0,2}")
NOTHING = 0.2
"""The share of questions that a person finds no answer to."""
BAD = 0.05


def write_questions(shown: Json, random: Random, errors: float) -> Json:
    """A set of questions, the first ones with two links; an error is a question without links."""
    linked = [one for one in shown["paragraphs"] if len(_targets(one)) > 1]
    questions = []
    for number in range(shown["questions"]):
        paragraph = random.choice(linked or shown["paragraphs"])
        wanted = 2 if number < shown["fewest_multi_link"] else 1
        links = random.sample(_targets(paragraph), min(wanted, len(_targets(paragraph))))
        start, end = _some_words(paragraph["text"], random)
        asked = " and ".join(links)
        questions.append(
            {
                "paragraph": paragraph["id"],
                "text": f"What is known of {asked} in case {number + 1}, {random.random():.6f}?",
                "context": [[start, end]],
                "links": [] if random.random() < errors / shown["questions"] else links,
            }
        )
    return {"questions": questions}


def answer_questions(shown: Json, random: Random, errors: float) -> Json:
    """The same answers by everybody, but for errors: so people agree as far as they make none."""
    return {
        "answers": [
            _answer(
                shown, question, random if random.random() < errors else Random(question["text"])
            )
            for question in shown["questions"]
        ]
    }


def _answer(shown: Json, question: Json, random: Random) -> Json:
    paragraph = next(one for one in shown["paragraphs"] if one["id"] == question["paragraph"])
    start, end = _some_words(paragraph["text"], random)
    context = [{"source": "paragraph", "start": start, "end": end}]
    chance = random.random()
    if chance < BAD:
        return {"kind": "bad", "reason": "senseless"}
    if chance < BAD + NOTHING:
        return {"kind": "none"}
    kind = random.choice(("span", "span", "number", "yes", "no"))
    answer: Json = {"kind": kind, "context": context}
    if kind == "number":
        answer |= {"number": str(random.randrange(1, 2000)), "unit": "years"}
    elif kind == "span":
        title = question["links"][0]
        start, end = _some_words(shown["articles"][title]["text"], random)
        answer["spans"] = [{"source": "article", "title": title, "start": start, "end": end}]
    return answer


def _targets(paragraph: Json) -> list[str]:
    return sorted({link["target"] for link in paragraph["links"]})


def _some_words(text: str, random: Random) -> tuple[int, int]:
    return random.choice([match.span() for match in WORDS.finditer(text)] or [(0, len(text))])
