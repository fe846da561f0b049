"""From OpenBookQA's questions to rows: key spans, what is known of them, labels."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from lacuna.datasets.openbookqa import right_choice
from lacuna.models.gapqa.knowledge_lines import search_knowledge
from lacuna.models.gapqa.question_rows import MakesRows, question_rows
from lacuna.models.gapqa.rows import RowMaker
from lacuna.models.tokenizer import Tokenizer
from lacuna.retrieve.knowledge import Knowledge, KnowledgeBase
from lacuna.train.gapqa.examples import Example
from lacuna.train.gapqa.key_span_rule import TRUSTED_COVER, covered, rule_span
from lacuna.train.gapqa.labels import UNKNOWN, distant_relations, kgd_relations, line_labels
from lacuna.train.gapqa.recipe import GapRecipe
from lacuna.types import Question, Role, Span

Spans = Mapping[str, Span]
Progress = Callable[[int], None]


def rule_spans(questions: Sequence[Question]) -> dict[str, Span]:
    """The key span of every question: KGD's where a file has it, or by the rule."""
    return {one.id: annotated(one) or rule_span(one.fact or "", one.text) for one in questions}


def annotated(question: Question) -> Span | None:
    """KGD's key span; of several the first."""
    for place in (question.gold and question.gold.evidence) or ():
        if place.role is Role.KEY_SPAN:
            return Span(place.start, place.end)
    return None


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
    spans: Spans,
    *,
    pieces: Tokenizer | None = None,
    progress: Progress | None = None,
) -> Iterator[Example]:
    """All questions made ready after a recipe; ``pieces`` where spans are to be learned too.

    What one of the core facts says is kept out, so that no fact is its own evidence.
    """
    narrow = base.narrowed(recipe.knowledge).without({one.fact for one in questions if one.fact})
    by_span = recipe.retrieve_by == "span"
    for done, question in enumerate(questions, 1):
        span = spans[question.id]
        known = search_knowledge(narrow, question, span, by_span=by_span)
        yield Example(
            question.id,
            question_rows(rows, question, known, recipe.shown),
            right_choice(question),
            None if pieces is None else span_tokens(pieces, question, span),
            relations_of(recipe, base, question, (question.fact or "")[span.start : span.end]),
            _line_labels(recipe, known),
        )
        if progress is not None:
            progress(done)


def _line_labels(recipe: GapRecipe, known: Sequence[Knowledge]) -> tuple[int, ...]:
    if not recipe.shown.knowledge:
        return ()
    labels = [label for one in known for label in line_labels(one)]
    return tuple(labels if recipe.relation_labels != "none" else [UNKNOWN] * len(labels))


def relations_of(
    recipe: GapRecipe, base: KnowledgeBase, question: Question, span: str
) -> frozenset[int]:
    """The labels of the right choice: KGD's where a file has them, or from a distance."""
    if recipe.relation_labels == "none" or not recipe.shown.knowledge:
        return frozenset()
    if question.gold and question.gold.relations:
        return kgd_relations(question.gold.relations)
    return distant_relations(base.triples, span, question) if base.triples else frozenset()


def span_tokens(pieces: Tokenizer, question: Question, span: Span) -> tuple[int, int] | None:
    """First and last token of a span of the fact, in the question's row."""
    cover = pieces.encode(question.fact or "").cover(*span)
    if cover is None:
        return None
    start = RowMaker(pieces).start_of_fact(question.text)
    return start + cover[0], start + cover[1]
