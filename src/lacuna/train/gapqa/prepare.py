"""From OpenBookQA's questions to examples: key spans, knowledge about them, labels."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lacuna.datasets.openbookqa import right_choice
from lacuna.models.gapqa.knowledge_lines import search_knowledge
from lacuna.models.gapqa.question_rows import MakesRows, QuestionRows, question_rows
from lacuna.models.gapqa.rows import RowMaker
from lacuna.models.tokenizer import Tokenizer
from lacuna.retrieve.knowledge import Knowledge, KnowledgeBase
from lacuna.train.gapqa.key_span_rule import TRUSTED_COVER, covered, rule_span
from lacuna.train.gapqa.labels import UNKNOWN, distant_relations, kgd_relations, line_labels
from lacuna.train.gapqa.recipe import GapRecipe
from lacuna.types import Question, Role, Span

if TYPE_CHECKING:
    from lacuna.train.schedule import Progress

FactKey = tuple[str, str | None]
"""A question's id and its fact: KGD has several facts for one question."""
KeySpans = Mapping[FactKey, Span]


@dataclass(frozen=True, slots=True)
class GapExample:
    """A question ready to learn from. ``span`` is the first and last token of the key span in the
    question's row; ``right`` is the number of the right choice, -1 where it is not known;
    ``relations`` are those of the right choice, ``lines`` what each line of knowledge says (as
    ``line_labels``)."""

    id: str
    rows: QuestionRows
    right: int
    span: tuple[int, int] | None = None
    relations: frozenset[int] = frozenset()
    lines: tuple[int, ...] = ()


def fact_key(question: Question) -> FactKey:
    """What a key span belongs to."""
    return question.id, question.fact


def rule_spans(questions: Sequence[Question]) -> dict[FactKey, Span]:
    """The key span of every question and fact: KGD's where a file has it, or by the rule."""
    return {
        fact_key(question): annotated(question) or rule_span(question.fact or "", question.text)
        for question in questions
    }


def annotated(question: Question) -> Span | None:
    """KGD's key span; of several the first."""
    return next(iter(annotated_spans(question)), None)


def annotated_spans(question: Question) -> list[Span]:
    """All key spans that people chose."""
    pieces = (question.gold and question.gold.evidence) or ()
    return [Span(piece.start, piece.end) for piece in pieces if piece.role is Role.KEY_SPAN]


def trusted(question: Question) -> bool:
    """Whether its key span is known well enough to learn from: annotated, or by the rule where the
    question mentions most of the fact but not all of it."""
    share = covered(question.fact or "", question.text)
    return annotated(question) is not None or TRUSTED_COVER <= share < 1


def examples(
    recipe: GapRecipe,
    questions: Sequence[Question],
    base: KnowledgeBase,
    rows: MakesRows,
    spans: KeySpans,
    *,
    tokenizer: Tokenizer | None = None,
    progress: Progress | None = None,
) -> Iterator[GapExample]:
    """All questions as a recipe wants them; with a ``tokenizer`` key spans are learned too.

    Knowledge that repeats one of the core facts is left out, so that no fact is its own evidence.
    """
    facts = {question.fact for question in questions if question.fact}
    narrow = base.narrowed(recipe.knowledge).without(facts)
    by_span = recipe.retrieve_by == "span"
    for done, question in enumerate(questions, 1):
        span = spans[fact_key(question)]
        known = search_knowledge(narrow, question, span, by_span=by_span)
        yield GapExample(
            question.id,
            question_rows(rows, question, known, recipe.shown),
            right_choice(question),
            None if tokenizer is None else span_tokens(tokenizer, question, span),
            relations_of(recipe, base, question, (question.fact or "")[span.start : span.end]),
            _line_labels(recipe, known),
        )
        if progress is not None:
            progress(done)


def _line_labels(recipe: GapRecipe, known: Sequence[Knowledge]) -> tuple[int, ...]:
    if not recipe.shown.knowledge:
        return ()
    labels = [label for knowledge in known for label in line_labels(knowledge)]
    return tuple(labels if recipe.relation_labels != "none" else [UNKNOWN] * len(labels))


def relations_of(
    recipe: GapRecipe, base: KnowledgeBase, question: Question, span: str
) -> frozenset[int]:
    """The relations of the right choice: KGD's where a file has them, or by distant supervision
    where the recipe wants that."""
    if recipe.relation_labels == "none" or not recipe.shown.knowledge:
        return frozenset()
    if question.gold and question.gold.relations:
        return kgd_relations(question.gold.relations)
    if recipe.relation_labels == "annotated":
        return frozenset()
    return distant_relations(base.triples, span, question) if base.triples else frozenset()


def span_tokens(tokenizer: Tokenizer, question: Question, span: Span) -> tuple[int, int] | None:
    """First and last token of a span of the fact, in the question's row."""
    cover = tokenizer.encode(question.fact or "").cover(*span)
    if cover is None:
        return None
    start = RowMaker(tokenizer).start_of_fact(question.text)
    return start + cover[0], start + cover[1]
