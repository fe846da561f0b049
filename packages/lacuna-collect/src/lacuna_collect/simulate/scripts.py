"""How scripted people work on each task: whole and plausible, without any understanding."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from random import Random

from lacuna_collect.tasks.hotpotqa_writing import plain_name
from lacuna_collect.tasks.task import Json
from lacuna_collect.work.assignments import TaskInUse

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


IIRC_WORDS = re.compile(r"\w+(?:\W+\w+){0,2}")
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
        start, end = _some_iirc_words(paragraph["text"], random)
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
    start, end = _some_iirc_words(paragraph["text"], random)
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
        start, end = _some_iirc_words(shown["articles"][title]["text"], random)
        answer["spans"] = [{"source": "article", "title": title, "start": start, "end": end}]
    return answer


def _targets(paragraph: Json) -> list[str]:
    return sorted({link["target"] for link in paragraph["links"]})


def _some_iirc_words(text: str, random: Random) -> tuple[int, int]:
    return random.choice([match.span() for match in IIRC_WORDS.finditer(text)] or [(0, len(text))])


KGD_WORD = re.compile(r"\w{3,}")
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
    words = [match.span() for match in KGD_WORD.finditer(shown["fact"])]
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


QUAC_WORDS = re.compile(r"\w+(?: \w+){0,5}")
NO_CHANGES = 0.08
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
    if random.random() < NO_CHANGES:
        return {"kind": "none", **acts}
    start, end = random.choice([found.span() for found in QUAC_WORDS.finditer(text)])
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


Script = Callable[[Json, Random, float], Json]
"""What is shown, chance, and the share of errors, to a piece of work."""
SCRIPTS: Mapping[str, Script] = {
    "iirc-questions": write_questions,
    "iirc-answers": answer_questions,
    "hotpotqa-categories": judge_pairs,
    "hotpotqa-lists": judge_pairs,
    "hotpotqa-questions": write_question,
    "hotpotqa-hops": judge_hops,
    "kgd-facts": judge_facts,
    "kgd-gaps": describe_gap,
    "human-check": answer_question,
    "quac-validation": validate,
}


class LearnedWork:
    """The right answers of the tests, by what is shown: scripted people have learned them."""

    def __init__(self, tasks: Mapping[str, TaskInUse], scripts: Mapping[str, Script] = SCRIPTS):
        self._scripts = scripts
        self._gold = {
            _shown(task.name, task.task.shown(item.payload, task.settings)): item.gold
            for task in tasks.values()
            for item in task.task.qualification(task.settings)
        }

    def work(self, task: str, shown: Json, random: Random, errors: float) -> Json:
        """What a person hands in."""
        gold = self._gold.get(_shown(task, shown))
        return gold if gold is not None else self._scripts[task](shown, random, errors)


def _shown(task: str, shown: Json) -> str:
    return f"{task}\n{json.dumps(shown, sort_keys=True)}"
