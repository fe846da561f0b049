"""Questions that stay together."""

from __future__ import annotations

from lacuna.types import Document, Question
from lacuna_lab.data.texts import as_found, together, units


def asked(id_: str) -> Question:
    return Question(id_, "Is it?", Document("Marrow", "It is."))


def test_units_are_whole_and_others_alone() -> None:
    questions = [asked("a"), *together(asked("b"), asked("c")), *together(asked("d"), asked("e"))]
    ids = [[question.id for question in unit] for unit in units(questions)]
    assert ids == [["a"], ["b", "c"], ["d", "e"]]


def test_neighbours_are_shown_alike() -> None:
    questions = [asked("a"), *together(asked("b"), asked("c")), asked("d")]
    found = [question.context is None for question in as_found(questions)]
    assert found == [False, True, True, False]
    assert all(
        (question.context or question.documents[0]) == asked("").context
        for question in as_found(questions)
    )
