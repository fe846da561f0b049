"""Questions with what the real retriever finds for them, over a made-up pool."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from lacuna.types import (
    Answer,
    AnswerKind,
    Document,
    Evidence,
    Gold,
    Question,
    Span,
    SupportingFact,
)
from lacuna_lab.data.found import found_questions
from lacuna_lab.data.texts import RIVAL, units

PLACES = ("Marrow", "Ellery", "Gannery", "Stony Tarn", "Selwick", "Harrow Point")


def passage(place: str) -> Document:
    text = f"{place} has a lighthouse. It was built by Ada {place[:3]}. It burns oil."
    ends = [index + 1 for index, letter in enumerate(text) if letter == "."]
    starts = [0, *(end + 1 for end in ends[:-1])]
    return Document(place, text, tuple(map(Span, starts, ends)))


def builder_of(place: str) -> Question:
    document = passage(place)
    name = f"Ada {place[:3]}"
    at = document.text.index(name)
    answer = Answer.span(name, Evidence(place, at, at + len(name)))
    text = f"Who built the lighthouse of {place}?"
    return Question(f"squad1/{place}", text, document, gold=Gold((answer,)))


def pair(place: str, kind: str) -> Question:
    answer = Answer.yes() if kind == "yes" else Answer.no()
    gold = Gold((answer,), supporting_facts=(SupportingFact(place, 2),))
    text = f"Does the lighthouse of {place} burn {'oil' if kind == 'yes' else 'coal'}?"
    extra = {"pair": place, "source": "squad-train"}
    return Question(f"synthetic_{kind}/{place}", text, passage(place), gold=gold, extra=extra)


def real(name: str) -> Iterator[Question]:
    for place in PLACES:
        if name == "squad1":
            yield builder_of(place)
        elif name in ("synthetic_yes", "synthetic_no"):
            yield pair(place, name.removeprefix("synthetic_"))


def test_each_question_competes_with_what_was_found() -> None:
    made = list(units(found_questions(real, 1, Counter())))
    assert len(made) == 2 * len(PLACES)
    for unit in made:
        rivals: dict[int, list[Question]] = {}
        for question in unit:
            rivals.setdefault(question.extra[RIVAL], []).append(question)
        assert list(rivals) == ([0] if unit[0].id.startswith("squad1/") else [0, 1])
        for windows in rivals.values():
            assert len(windows) == 4
            kinds = [question.gold.answers[0].kind for question in windows if question.gold]
            assert kinds[0] is not AnswerKind.NONE
            assert kinds[1:] == [AnswerKind.NONE] * 3
            own = windows[0].id.split("/")[1]
            assert [question.documents[0].title == own for question in windows] == [
                *(True, False, False, False)
            ]
    assert len({question.id for unit in made for question in unit}) == sum(map(len, made))
