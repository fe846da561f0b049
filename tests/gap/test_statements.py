from __future__ import annotations

import pytest

from lacuna.find.knowledge import Triple
from lacuna.gap.statements import Statement, ends_shared, sentence_states, triple_states
from lacuna.spot.relations import DIRECTIONS, Direction, Relation

IS_A, KIND = Direction(Relation.IS_A), Direction(Relation.IS_A, inverse=True)
SAME = Direction(Relation.SYNONYM_OF)


def likely(direction: Direction, value: float) -> tuple[float, ...]:
    return tuple(value if one == direction else 0.0 for one in DIRECTIONS)


@pytest.mark.parametrize(
    ("triple", "span", "choice", "stated"),
    [
        (("IsA", "rain", "precipitation"), "rain", "the precipitation", (1.0, IS_A)),
        (("IsA", "rain", "precipitation"), "precipitation", "rains", (1.0, KIND)),
        (("IsA", "steel", "metal"), "metals", "a steel ladle", (0.5, KIND)),
        (("IsA", "almond milk", "plant milk"), "milk", "almond milk", (0.5, KIND)),
        (("Synonym", "aluminum", "aluminium"), "aluminum", "aluminium", (1.0, SAME)),
        (("Synonym", "big cat", "large cat"), "cat", "a cat", (0.5, SAME)),
        (("IsA", "big cat", "large cat"), "cat", "a cat", None),  # either way, and that differs
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


def test_a_sentence_must_be_short_and_clear() -> None:
    pair = "rain", "precipitation"
    found = sentence_states("Rain is a kind of precipitation.", *pair, likely(IS_A, 0.8))
    assert found == Statement(2 / 3, 0.8, IS_A)
    assert sentence_states("Rain is a kind of precipitation.", *pair, likely(IS_A, 0.4)) is None
    long = "When rain, snow or hail falls on the mountains, precipitation fills the rivers."
    assert sentence_states(long, *pair, likely(IS_A, 0.9)) is None


def test_the_worse_end_counts() -> None:
    assert ends_shared(Triple("IsA", "steel ladle", "metal"), "metal", "ladle") == (0.0, 0.5)
