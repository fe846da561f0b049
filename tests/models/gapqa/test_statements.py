from __future__ import annotations

import pytest

from lacuna.models.gapqa.relations import (
    DIRECTIONS,
    Direction,
    Relation,
    Statement,
    ends_shared,
    same_words,
    sentence_states,
    triple_states,
)
from lacuna.retrieve.knowledge.build import Triple

IS_A, KIND = Direction(Relation.IS_A), Direction(Relation.IS_A, inverse=True)
MADE, PART = Direction(Relation.MADE_OF, inverse=True), Direction(Relation.PART_OF)
SAME = Direction(Relation.SYNONYM_OF)


def likely(direction: Direction, value: float) -> tuple[float, ...]:
    return tuple(value if one == direction else 0.0 for one in DIRECTIONS)


@pytest.mark.parametrize(
    ("triple", "span", "choice", "stated"),
    [
        (("IsA", "rain", "precipitation"), "rain", "the precipitation", (1.0, IS_A)),
        (("IsA", "rain", "precipitation"), "precipitation", "rains", (1.0, KIND)),
        (("IsA", "steel", "metal"), "metals", "a steel ladle", (0.5, KIND)),
        (("MadeOf", "water bottle top", "metal"), "metal", "bottle top of water", (1.0, MADE)),
        (("MadeOf", "big red tin box", "metal"), "metal", "tin box", (0.5, MADE)),
        (("MadeOf", "big old red tin box", "metal"), "metal", "tin box", None),
        (("PartOf", "brick", "brick wall"), "brick", "a brick wall", (1.0, PART)),
        (("IsA", "almond milk", "plant milk"), "milk", "almond milk", None),  # fits both ends
        (("Synonym", "aluminum", "aluminium"), "aluminum", "aluminium", (1.0, SAME)),
        (("Synonym", "cat", "cats"), "cat", "a cat", (1.0, SAME)),
        (("IsA", "cat", "cats"), "cat", "a cat", None),  # either way, and that differs
        (("IsA", "small clawed otter", "otter"), "otter", "claw", None),  # about something else
        (("IsA", "otter", "animal"), "otter", "claw", None),
        (("Antonym", "least", "greatest"), "least", "greatest", None),  # none of the nine
        (("IsA", "the", "of"), "the", "of", None),  # stop words only
    ],
)
def test_a_triple_states_its_relation_of_its_own_ends(
    triple: tuple[str, str, str], span: str, choice: str, stated: tuple[float, Direction] | None
) -> None:
    found = triple_states(Triple(*triple), span, choice, likely(IS_A, 0.9))
    if stated is None:
        assert found is None
    else:
        about, direction = stated
        assert found == Statement(about, 0.9 if direction == IS_A else 0.0, direction)


KIND_OF = "Rain is a kind of precipitation."


@pytest.mark.parametrize(
    ("sentence", "span", "choice", "value", "about"),
    [
        (KIND_OF, "rain", "precipitation", 0.9, 2 / 3),
        (KIND_OF, "rain", "precipitation", 0.89, None),
        (KIND_OF, "heavy rain", "winter precipitation", 0.95, None),  # 2 words of 5
        ("Rain or winter snow is precipitation.", "rain", "precipitation", 0.95, 0.5),
        ("Rain or winter snow, that is precipitation now.", "rain", "precipitation", 0.95, None),
        ("A summer solstice is a solstice.", "winter solstice", "summer solstice", 0.95, None),
        ("Rain is rain.", "rain", "snow", 0.95, None),
    ],
)
def test_a_sentence_must_be_short_and_clear_and_about_both(
    sentence: str, span: str, choice: str, value: float, about: float | None
) -> None:
    found = sentence_states(sentence, span, choice, likely(IS_A, value))
    assert found == (None if about is None else Statement(about, value, IS_A))


@pytest.mark.parametrize(
    ("span", "choice", "same"),
    [
        ("the Metals", "metal", True),
        ("metal", "metal spoon", False),
        ("+", "-", False),
        ("the", "an", False),
        ("+", "+", True),
    ],
)
def test_whether_there_is_a_gap_at_all(span: str, choice: str, same: bool) -> None:
    assert same_words(span, choice) is same


def test_the_worse_end_counts() -> None:
    assert ends_shared(Triple("IsA", "steel ladle", "metal"), "metal", "ladle") == (0.0, 0.5)
