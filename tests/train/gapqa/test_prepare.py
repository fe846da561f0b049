from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

pytest.importorskip("torch")
from gap_toys import CHOICES, FACT, QUESTION, build, pieces_of, shipped_pieces

from lacuna.datasets.openbookqa import right_choice
from lacuna.models.gapqa.relations import DIRECTIONS, Direction, Relation
from lacuna.models.gapqa.rows import Part, RowMaker
from lacuna.retrieve.knowledge.knowledge_base import KnowledgeBase
from lacuna.types import Choice, Evidence, Gold, Question, Role, Span
from lacuna_lab.gapqa.data import (
    FactKey,
    GapExample,
    annotated,
    examples,
    fact_key,
    rule_spans,
    span_tokens,
    trusted,
)
from lacuna_lab.gapqa.recipe import NONE_OF_THEM, UNKNOWN, GapRecipe

PIECES = shipped_pieces()
RECIPE = GapRecipe("toy", "folder")
METAL = Span(0, 5)
KGD = Gold(
    QUESTION.gold.answers if QUESTION.gold else (),
    evidence=(Evidence("fact1", 11, 15, Role.KEY_SPAN),),
)
SAYING_THE_FACT = "The metals let heat travel through."
MADE_OF, IS_A = (
    DIRECTIONS.index(Direction(one, inverse=True)) for one in (Relation.MADE_OF, Relation.IS_A)
)


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> KnowledgeBase:
    return build(tmp_path_factory.mktemp("knowledge"))


def made(
    base: KnowledgeBase,
    *questions: Question,
    spans: dict[FactKey, Span] | None = None,
    **changes: Any,
) -> list[GapExample]:
    found = spans or {fact_key(one): METAL for one in questions}
    recipe = replace(RECIPE, **changes)
    return list(examples(recipe, questions, base, RowMaker(PIECES), found, tokenizer=PIECES))


def lines(example: GapExample) -> list[list[int]]:
    return [pieces_of(row, Part.KNOWLEDGE) for some in example.rows.knowledge for row in some]


def encoded(text: str) -> list[int]:
    return [int(one) for one in PIECES.encode(text).ids]


def test_an_example_has_all_that_is_known(base: KnowledgeBase) -> None:
    (one,) = made(base, QUESTION)
    assert one.id == "q"
    assert one.right == 1
    assert one.relations == {MADE_OF}, "steel is not what a steel spoon is"
    assert [len(some) for some in one.rows.knowledge] == [2, 4, 2]
    assert one.lines == (
        *(UNKNOWN, UNKNOWN),  # a sentence, the back-off
        *(UNKNOWN, MADE_OF, IS_A, UNKNOWN),
        *(NONE_OF_THEM, UNKNOWN),
    )
    assert {tuple(pieces_of(row, Part.SPAN)) for some in one.rows.knowledge for row in some} == {
        tuple(encoded("metal"))
    }


def test_no_row_holds_a_core_fact(base: KnowledgeBase) -> None:
    """The best sentence about metal and heat is the fact itself, of this or of another question."""
    heat = replace(QUESTION, choices=(*CHOICES, Choice("D", "heat")))
    assert base.about("metal", "heat").sentences[0].text == SAYING_THE_FACT
    other = replace(heat, id="other", fact="metal is hard")
    alone = made(base, other)[0]
    assert encoded(SAYING_THE_FACT) in lines(alone), "of itself it would be found"
    for one in made(base, other, QUESTION, heat):
        assert encoded(SAYING_THE_FACT) not in lines(one)


def test_less_is_shown_for_the_ablations(base: KnowledgeBase) -> None:
    (none,) = made(base, QUESTION, knowledge="none")
    assert none.rows.knowledge == ((),) * 3
    assert (none.lines, none.relations) == ((), frozenset())
    (no_fact,) = made(base, QUESTION, show_fact=False)
    assert not any(Part.FACT in row.parts for row in no_fact.rows.choices)
    (no_labels,) = made(base, QUESTION, relation_labels="none")
    assert no_labels.relations == frozenset()
    assert no_labels.lines == (UNKNOWN,) * 8
    (no_span,) = made(base, QUESTION, show_span=False)
    assert pieces_of(no_span.rows.knowledge[0][0], Part.SPAN) == encoded(FACT)
    (wordnet,) = made(base, QUESTION, knowledge="wordnet")
    assert [len(some) for some in wordnet.rows.knowledge] == [1, 2, 2]


def test_annotations_go_first(base: KnowledgeBase) -> None:
    places = (Evidence("fact1", 11, 15, Role.KEY_SPAN), Evidence("fact1", 0, 5, Role.KEY_SPAN))
    asked = replace(QUESTION, gold=Gold((), evidence=places, relations=("causes", "related")))
    assert annotated(asked) == Span(11, 15)
    assert trusted(asked)
    assert rule_spans([asked, replace(QUESTION, id="other")]) == {
        ("q", FACT): Span(11, 15),
        ("other", FACT): METAL,
    }
    (one,) = made(base, asked)
    assert one.relations == {DIRECTIONS.index(Direction(Relation.CAUSES))}
    assert one.right == right_choice(asked) == -1


def test_two_facts_of_a_question_have_a_key_span_each(base: KnowledgeBase) -> None:
    """KGD annotates several facts for one question."""
    first = replace(QUESTION, gold=KGD)
    fact = "steel is a kind of metal"
    second = replace(
        first, fact=fact, gold=replace(KGD, evidence=(Evidence("fact1", 0, 5, Role.KEY_SPAN),))
    )
    spans = rule_spans([first, second])
    assert spans == {("q", FACT): Span(11, 15), ("q", fact): Span(0, 5)}
    rows = [example.rows.knowledge[0][0] for example in made(base, first, second, spans=spans)]
    assert [pieces_of(row, Part.SPAN) for row in rows] == [encoded("heat"), encoded("steel")]


@pytest.mark.parametrize(
    ("asked", "sure"),
    [
        ("Which of these would let the most heat travel?", True),
        ("What is hot?", False),  # too little of the fact is mentioned
        ("What lets metal let heat travel?", False),  # nothing of it is left over
    ],
)
def test_the_rule_is_trusted_where_most_is_mentioned(asked: str, sure: bool) -> None:
    assert trusted(replace(QUESTION, text=asked)) == sure


@pytest.mark.parametrize("word", ["metal", "lets heat", "electroluminescently", "through"])
def test_tokens_of_a_span_point_at_its_words(word: str) -> None:
    fact = f"{FACT} electroluminescently, though"
    asked, start = replace(QUESTION, fact=fact), fact.index(word)
    tokens = span_tokens(PIECES, asked, Span(start, start + len(word)))
    assert tokens is not None
    row = RowMaker(PIECES).question_row(asked.text, fact)
    first, last = tokens
    assert row.ids[first : last + 1].tolist() == encoded(word)
    assert set(row.parts[first : last + 1].tolist()) == {Part.FACT}


def test_a_span_without_any_piece_is_not_learned_from() -> None:
    assert span_tokens(PIECES, replace(QUESTION, fact="   "), Span(0, 2)) is None
