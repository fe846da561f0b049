"""Sentences put around short contexts."""

from __future__ import annotations

from lacuna.types import Answer, Document, Evidence, Gold, Question
from lacuna_lab.data.iirc import surrounded

LONG = " ".join(f"On day {number} it rained ." for number in range(400))
HERE = "The ferry sailed on to Marrow ."


def test_short_passages_are_put_among_sentences_close_in_words() -> None:
    whole = " ".join(f"The ferry number {n} sails to the port of Marrow." for n in range(12))
    place = Evidence("passage", 0, 10)
    short = Question(
        "a", "?", Document("passage", "Ferry Ash."), gold=Gold((Answer.none(),), evidence=(place,))
    )
    long = Question("b", "?", Document("passage", whole))
    grown = [next(surrounded([short, long], seed)) for seed in range(20)]
    for question in grown:
        assert question.context is not None
        assert question.gold is not None
        (moved,) = question.gold.evidence or ()
        assert question.context.text[moved.start : moved.end] == "Ferry Ash."
    assert any(len(q.context.text) > 150 for q in grown if q.context)


def test_surroundings_move_what_is_known_of_the_answer() -> None:
    answer = Answer.span("Marrow", Evidence("p", 23, 29))
    gold = Gold((answer,), evidence=(Evidence("p", 0, len(HERE)),))
    short = Question("q", "Where to?", Document("p", HERE), gold=gold)
    whole = Question("w", "When?", Document("w", LONG), gold=Gold((Answer.none(),)))
    changed = 0
    for number in range(20):
        made, _ = surrounded([short, whole], number)
        assert made.context is not None
        assert made.gold is not None
        (place,), (evidence,) = made.gold.answers[0].found_at, made.gold.evidence or ()
        assert made.context.text[place.start : place.end] == "Marrow"
        assert made.context.text[evidence.start : evidence.end] == HERE
        changed += made.context.text != HERE
    assert 5 < changed < 20
