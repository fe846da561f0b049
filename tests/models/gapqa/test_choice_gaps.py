from __future__ import annotations

from dataclasses import replace

from lacuna.models.gapqa.choice_gaps import (
    ChoiceGap,
    GapResult,
    GapStatus,
    KnowledgeKind,
    KnowledgeLine,
)
from lacuna.models.gapqa.relations import DIRECTIONS, Direction, Relation
from lacuna.models.gapqa.statements import Statement
from lacuna.types import Answer, Choice, Prediction, Question, Span

CAUSES = Direction(Relation.CAUSES, inverse=True)
PART_OF = Direction(Relation.PART_OF)


def scores(causes: float, part_of: float) -> tuple[float, ...]:
    return tuple({CAUSES: causes, PART_OF: part_of}.get(one, 0.0) for one in DIRECTIONS)


def gap(*lines: KnowledgeLine) -> ChoiceGap:
    return ChoiceGap(Choice("A", "rain"), 0.5, 0.0, 0.0, scores(0.2, 0.9), lines)


def result(one: ChoiceGap) -> GapResult:
    question = Question("1", "Why?", choices=(one.choice,), fact="erosion makes valleys")
    prediction = Prediction(Answer.choice("A", "rain"), confidence=0.5)
    return GapResult(question, Span(0, 7), (one,), 1.0, prediction)


SURE = KnowledgeLine(
    "Rain and erosion and a lot more.", KnowledgeKind.SENTENCE, "s", scores(0.3, 0.9)
)
LOOSE = KnowledgeLine(
    "rain is part of erosion by water", KnowledgeKind.TRIPLE, "t", scores(0.0, 0.99)
)
LOOSE = replace(LOOSE, statement=Statement(0.5, 0.99, PART_OF))
READ = KnowledgeLine(
    "Rain: erosion.", KnowledgeKind.SENTENCE, "s", scores(0, 1), Statement(0.9, 1, PART_OF)
)
CLEAR = KnowledgeLine(
    "rain causes erosion", KnowledgeKind.TRIPLE, "t", scores(0.8, 0.0), Statement(1, 0.8, CAUSES)
)
ALONE = KnowledgeLine("erosion and rain", KnowledgeKind.BACK_OFF, "", scores(0.99, 0.0))


def test_the_clearest_line_fills_the_gap_and_comes_first() -> None:
    one = gap(SURE, READ, LOOSE, CLEAR, ALONE)
    assert one.gap is GapStatus.FILLED
    assert one.filling is CLEAR.statement, "and not what all lines together would say"
    assert one.found == (CLEAR, LOOSE, READ, SURE), "the back-off is no finding"
    told = result(one).as_json()
    assert told["filled_gap"] == "rain causes erosion"
    (choice,) = told["choices"]
    assert (choice["relation"], choice["about"]) == ("causes⁻¹", 1)
    assert [line["text"] for line in choice["lines"]] == [
        line.text for line in (CLEAR, LOOSE, READ, SURE, ALONE)
    ]


def test_a_triple_fills_before_a_clearer_sentence() -> None:
    assert gap(READ, LOOSE, ALONE).filling is LOOSE.statement
    assert gap(READ, ALONE).filling is READ.statement


def test_a_gap_that_no_line_fills_stays_open() -> None:
    for one in (gap(SURE, ALONE), gap(ALONE)):
        assert one.gap is GapStatus.OPEN
        told = result(one).as_json()
        assert (told["gap"], told["relation"], told["filled_gap"]) == ("open", None, None)
        assert told["choices"][0]["about"] is None


def test_where_there_is_no_gap_or_none_is_looked_at() -> None:
    same = replace(gap(CLEAR, ALONE), is_span=True)
    assert same.gap is GapStatus.NONE
    assert same.filling is None
    assert result(same).as_json()["filled_gap"] is None
    assert gap().gap is GapStatus.UNSEEN, "a model that reads no knowledge"
