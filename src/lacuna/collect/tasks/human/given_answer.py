"""An answer that somebody gave: whether it is whole, and what it is to a scorer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from lacuna.collect.tasks.human.sheets import SHEETS
from lacuna.collect.tasks.iirc.answer_check import LONGEST_UNIT, NUMBER
from lacuna.collect.tasks.iirc.checking import MOST_SPANS, text_problem
from lacuna.collect.tasks.task import FieldProblem, Json
from lacuna.datasets.drop.drop_format import number_value
from lacuna.types import Answer, AnswerKind, Gold, Prediction, SupportingFact

FIELDS = frozenset({"kind", "texts", "number", "unit", "choice", "supporting"})
LONGEST = 1000


def answer_problems(payload: Json, work: Any) -> Iterator[FieldProblem]:
    """What is missing or wrong; the work may be anything that JSON can say."""
    sheet = SHEETS[payload["dataset"]]
    if not isinstance(work, dict) or not work.keys() <= FIELDS:
        yield FieldProblem("", "This is not an answer.")
        return
    kind = work.get("kind")
    if not isinstance(kind, str) or kind not in sheet.kinds:
        yield FieldProblem("kind", "Say what kind of answer it is.")
    elif kind == AnswerKind.SPAN:
        yield from _text_problems(payload, work.get("texts"), several=sheet.several_spans)
    elif kind == AnswerKind.NUMBER:
        yield from _number_problems(work)
    elif kind == AnswerKind.CHOICE:
        labels = [choice["label"] for choice in payload["choices"]]
        if work.get("choice") not in labels:
            yield FieldProblem("choice", "Choose one of the answers.")
    if sheet.supporting:
        yield from _supporting_problems(payload, work.get("supporting"))


def _text_problems(payload: Json, texts: Any, *, several: bool) -> Iterator[FieldProblem]:
    if not isinstance(texts, list) or not texts:
        yield FieldProblem("texts", "Write the answer.")
        return
    if len(texts) > (MOST_SPANS if several else 1):
        yield FieldProblem("texts", "These are too many parts.")
        return
    written = [payload["question"], *(part for text in texts_in(payload) for part in text["parts"])]
    readable = [_folded(text) for text in (*written, *map(_joined, texts_in(payload)))]
    for text in texts:
        if problem := text_problem(text, "the answer", LONGEST):
            yield FieldProblem("texts", problem)
        elif not any(_folded(text) in each for each in readable):
            told = f"“{text.strip()}” does not stand in the texts, word for word."
            yield FieldProblem("texts", told)


def _number_problems(work: Json) -> Iterator[FieldProblem]:
    number, unit = work.get("number"), work.get("unit", "")
    if not isinstance(number, str) or not NUMBER.fullmatch(number.strip()):
        yield FieldProblem("number", "Write a number in digits, such as 12 or 3.5.")
    if unit != "" and (problem := text_problem(unit, "what is counted", LONGEST_UNIT)):
        yield FieldProblem("unit", problem)


def _supporting_problems(payload: Json, places: Any) -> Iterator[FieldProblem]:
    sizes = [len(text["parts"]) for text in texts_in(payload)]
    if not isinstance(places, list) or not places:
        yield FieldProblem("supporting", "Mark the sentences that one must read to answer it.")
    elif not all(_is_place(place, sizes) for place in places):
        yield FieldProblem("supporting", "Mark sentences of these texts.")
    elif len({tuple(place) for place in places}) < len(places):
        yield FieldProblem("supporting", "A sentence is marked twice.")


def _is_place(place: Any, sizes: list[int]) -> bool:
    match place:
        case [int(text), int(part)] if type(text) is type(part) is int:
            return 0 <= text < len(sizes) and 0 <= part < sizes[text]
    return False


def prediction_of(payload: Json, work: Json) -> Prediction:
    """Checked work as a system would say it."""
    facts = None
    if SHEETS[payload["dataset"]].supporting:
        titles = [text["title"] for text in texts_in(payload)]
        facts = tuple(SupportingFact(titles[at], part) for at, part in sorted(work["supporting"]))
    return Prediction(_answer(payload, work), supporting_facts=facts)


def gold_of(payload: Json) -> Gold:
    """What the file says."""
    facts = payload["gold"]["supporting"]
    return Gold(
        tuple(map(_answer_from, payload["gold"]["answers"])),
        supporting_facts=None if facts is None else tuple(SupportingFact(*one) for one in facts),
    )


def answer_json(answer: Answer) -> Json:
    """What a scorer looks at of an answer, as it is kept."""
    return {
        "kind": str(answer.kind),
        "texts": list(answer.texts),
        "value": answer.value,
        "unit": answer.unit,
        "label": answer.label,
    }


def _answer_from(kept: Json) -> Answer:
    return Answer(
        AnswerKind(kept["kind"]),
        tuple(kept["texts"]),
        value=kept["value"],
        unit=kept["unit"],
        label=kept["label"],
    )


def _answer(payload: Json, work: Json) -> Answer:
    match AnswerKind(work["kind"]):
        case AnswerKind.SPAN:
            texts = tuple(text.strip() for text in work["texts"])
            return Answer.span(texts[0]) if len(texts) == 1 else Answer.spans(texts)
        case AnswerKind.NUMBER:
            written = work["number"].strip()
            return Answer.number(number_value(written), written, unit=work.get("unit", "").strip())
        case AnswerKind.CHOICE:
            choices = {choice["label"]: choice["text"] for choice in payload["choices"]}
            return Answer.choice(work["choice"], choices[work["choice"]])
        case AnswerKind.YES:
            return Answer.yes()
        case AnswerKind.NO:
            return Answer.no()
        case _:
            return Answer.none()


def texts_in(payload: Json) -> list[Json]:
    """What may be read, in its order."""
    return [payload["texts"][str(number)] for number in range(len(payload["texts"]))]


def _joined(text: Json) -> str:
    return " ".join(part.strip() for part in text["parts"])


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())
