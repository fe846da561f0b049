from __future__ import annotations

from lacuna.gap.result import ChoiceGap, Kind, Line
from lacuna.spot.relations import DIRECTIONS, Direction, Relation
from lacuna.types import Choice

CAUSES, PART_OF = Direction(Relation.CAUSES), Direction(Relation.PART_OF)


def scores(causes: float, part_of: float) -> tuple[float, ...]:
    return tuple({CAUSES: causes, PART_OF: part_of}.get(one, 0.0) for one in DIRECTIONS)


def gap(*lines: Line) -> ChoiceGap:
    return ChoiceGap(Choice("A", "rain"), 0.5, 0.0, 0.0, scores(0.9, 0.2), lines)


WEAK = Line("Rain and erosion.", Kind.SENTENCE, "s", scores(0.3, 0.9))
STRONG = Line("rain causes erosion", Kind.TRIPLE, "t", scores(0.8, 0.0))
ALONE = Line("erosion and rain", Kind.BACK_OFF, "", scores(0.99, 0.0))


def test_the_clearest_line_comes_first_and_the_back_off_is_no_finding() -> None:
    one = gap(WEAK, STRONG, ALONE)
    assert one.direction == CAUSES
    assert one.found == (STRONG, WEAK)
    assert one.support is STRONG


def test_without_a_finding_there_is_the_back_off() -> None:
    assert gap(ALONE).found == ()
    assert gap(ALONE).support is ALONE
    assert gap().support is None, "a model that reads no knowledge"
