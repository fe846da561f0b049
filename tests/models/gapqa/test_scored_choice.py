from __future__ import annotations

from dataclasses import replace

from lacuna.json_form import plain
from lacuna.models.gapqa.gapqa_reader import ScoredChoice
from lacuna.models.gapqa.relations import DIRECTIONS, Direction, Relation, Statement
from lacuna.models.gapqa.rows import KnowledgeKind, KnowledgeLine
from lacuna.types import Choice, Evidence, Gap

CAUSES = Direction(Relation.CAUSES, inverse=True)
PART_OF = Direction(Relation.PART_OF)


def scores(causes: float, part_of: float) -> tuple[float, ...]:
    return tuple({CAUSES: causes, PART_OF: part_of}.get(one, 0.0) for one in DIRECTIONS)


def scored(*lines: KnowledgeLine) -> ScoredChoice:
    return ScoredChoice(Choice("A", "rain"), "erosion", 0.5, 0.0, 0.0, scores(0.2, 0.9), lines)


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
MISSING = "how “erosion” and “rain” are related"


def test_the_clearest_line_fills_the_gap_and_comes_first() -> None:
    choice = scored(SURE, READ, LOOSE, CLEAR, ALONE)
    assert choice.filling is CLEAR.statement, "and not what all lines together would say"
    assert choice.knowledge == (CLEAR, LOOSE, READ, SURE), "the back-off is no finding"
    assert choice.gap == Gap(
        MISSING,
        ("t", "s"),
        nearest=Evidence("t", 0, len(CLEAR.text)),
        relation="causes⁻¹",
        filled="rain causes erosion",
    )
    values = plain(choice)
    assert (values["label"], values["text"]) == ("A", "rain")
    assert (values["gap"]["relation"], values["about"]) == ("causes⁻¹", 1)
    assert [line["text"] for line in values["lines"]] == [
        line.text for line in (CLEAR, LOOSE, READ, SURE, ALONE)
    ]


def test_a_triple_fills_before_a_clearer_sentence() -> None:
    assert scored(READ, LOOSE, ALONE).filling is LOOSE.statement
    assert scored(READ, ALONE).filling is READ.statement


def test_a_gap_that_no_line_fills_stays_open() -> None:
    nearest = Evidence("s", 0, len(SURE.text))
    assert scored(SURE, ALONE).gap == Gap(MISSING, ("s",), nearest=nearest)
    assert scored(ALONE).gap == Gap(MISSING)
    for choice in (scored(SURE, ALONE), scored(ALONE)):
        values = plain(choice)
        assert (values["gap"]["relation"], values["gap"]["filled"]) == ("", "")
        assert values["about"] is None


def test_where_there_is_no_gap_or_none_is_looked_at() -> None:
    same = replace(scored(CLEAR, ALONE), span="the rains")
    assert same.is_span
    assert same.filling is None
    assert same.gap is None
    assert plain(same)["gap"] is None
    assert scored().gap is None, "a model that reads no knowledge"
