"""A GapQA run on one page of TOML, and the labels of relations and key spans."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lacuna.errors import LacunaError
from lacuna.models.gapqa.gapqa_reader import Shown
from lacuna.models.gapqa.relations import DIRECTIONS, Direction, Relation, direction_of, ends_shared
from lacuna.retrieve.knowledge.build import Triple
from lacuna.retrieve.knowledge.knowledge_base import Knowledge
from lacuna.retrieve.knowledge.search import Triples
from lacuna.text import content_stems
from lacuna.types import Question, Span
from lacuna_lab.train.recipe import check_positive, checked_settings, read_toml

TRUSTED_COVER = 0.6
WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")


def covered(fact: str, question: str) -> float:
    """The share of the fact's stems that the question mentions; 0 where the fact has none.

    >>> covered("metal lets heat travel through", "What lets heat travel?")
    0.75
    """
    stems = set(content_stems(fact))
    return len(stems & set(content_stems(question))) / len(stems) if stems else 0.0


def rule_span(fact: str, question: str) -> Span:
    """The key span by the rule; the whole fact where the question mentions all of it.

    >>> fact = "metal lets heat travel through"
    >>> start, end = rule_span(fact, "Which of these would let the most heat travel?")
    >>> fact[start:end]
    'metal'
    """
    mentioned = set(content_stems(question))
    best, run = _EMPTY, _EMPTY
    for word in WORD.finditer(fact):
        stems = set(content_stems(word.group()))
        if not stems:
            continue
        run = _EMPTY if stems & mentioned else run.longer(word)
        best = max(best, run, key=lambda each: each.words)  # of equals, the first
    return Span(best.start, best.end) if best.words else Span(0, len(fact))


class _Run:
    """Words in a row."""

    def __init__(self, start: int = 0, end: int = 0, words: int = 0) -> None:
        self.start, self.end, self.words = start, end, words

    def longer(self, word: re.Match[str]) -> _Run:
        return _Run(self.start if self.words else word.start(), word.end(), self.words + 1)


_EMPTY = _Run()


# Relation labels by distant supervision: from triples that directly connect span and choice.
#
# A triple connects them if one of its ends is the span and the other the choice, or the last
# content words of each ("spoon" of "steel spoon"): the head of an English noun phrase comes last.
# As in the instructions to KGD's annotators, relations that hold for a wrong choice as well are
# left out.


CANDIDATES = 30
LONGEST_END = 3
"""Content words of a span or a choice beyond which no single triple relates the two."""
KGD_NAMES = {
    **{str(relation).replace(" ", ""): relation for relation in Relation},
    "synonym": Relation.SYNONYM_OF,
    "definition": Relation.DEFINED_AS,
}


def distant_relations(triples: Triples, span: str, question: Question) -> frozenset[int]:
    """The relations of the right choice, as places in ``DIRECTIONS``; empty if none is known."""
    if question.gold is None or not question.gold.answers:
        return frozenset()
    right = question.gold.answers[0].label
    held = {choice.label: connecting(triples, span, choice.text) for choice in question.choices}
    wrong = frozenset[Direction]().union(*(held[label] for label in held if label != right))
    return frozenset(map(DIRECTIONS.index, held[right] - wrong))


def connecting(triples: Triples, span: str, choice: str) -> frozenset[Direction]:
    """The relations of the triples between a span and a choice."""
    ends = content_stems(span), content_stems(choice)
    if not all(0 < len(end) <= LONGEST_END for end in ends):
        return frozenset()
    directions = set()
    for triple, _ in triples.search(span, choice, CANDIDATES):
        head, tail = content_stems(triple.head), content_stems(triple.tail)
        for span_is_head, (first, second) in ((True, (head, tail)), (False, (tail, head))):
            if _is_end(first, ends[0]) and _is_end(second, ends[1]):
                directions.add(direction_of(triple.relation, span_is_head=span_is_head))
    return frozenset(direction for direction in directions if direction is not None)


def _is_end(phrase: list[str], of: list[str]) -> bool:
    return bool(phrase) and phrase == of[-len(phrase) :]


UNKNOWN = -1
NONE_OF_THEM = len(DIRECTIONS)
"""Labels of lines that are no triples, and of triples whose relation is none of the nine."""


def line_labels(known: Knowledge) -> tuple[int, ...]:
    """The relation that each line of knowledge states about span and choice, if it is a triple.

    Far more lines than questions have a label: from them a model learns what relations look like.
    """
    triples = (_stated(found.triple, known.span, known.choice) for found in known.triples)
    return (*(UNKNOWN for _ in known.sentences), *triples, UNKNOWN)


def _stated(triple: Triple, span: str, choice: str) -> int:
    forward, backward = ends_shared(triple, span, choice)
    if bool(forward) is bool(backward):  # it could be read either way
        return UNKNOWN
    direction = direction_of(triple.relation, span_is_head=bool(forward))
    return NONE_OF_THEM if direction is None else DIRECTIONS.index(direction)


def kgd_relations(names: Iterable[str]) -> frozenset[int]:
    """KGD's own labels as places in ``DIRECTIONS``; "related" and what it has no name for are not
    among the nine.

    >>> sorted(kgd_relations(["isa-1", "madeof"])) == sorted(map(DIRECTIONS.index, (
    ...     Direction(Relation.IS_A, True), Direction(Relation.MADE_OF))))
    True
    """
    places = set()
    for name in names:
        plain = name.casefold().replace(" ", "").replace("_", "").replace("⁻¹", "-1")
        inverse = plain.endswith("-1")
        relation = KGD_NAMES.get(plain.removesuffix("-1"))
        if relation is not None:
            inverse = inverse and relation is not Relation.SYNONYM_OF
            places.add(DIRECTIONS.index(Direction(relation, inverse)))
    return frozenset(places)


SYSTEM = "gapqa"
TRANSFORMER, BILSTM = "transformer", "bilstm"
RULE = "rule"
MIXED = "kgd"
POSITIVE = ("epochs", "batch", "learning_rate", "head_learning_rate", "patience")
CHOICES = {
    "kind": (TRANSFORMER, BILSTM),
    "questions": ("short", "all", MIXED),
    "knowledge": ("all", "triples", "wordnet", "omcs", "none"),
    "retrieve_by": ("span", "fact"),
    "relation_labels": ("distant", "annotated", "none"),
}


@dataclass(frozen=True, slots=True)
class GapRecipe:
    """Everything that decides what a run learns. Defaults are the paper's where it names any."""

    name: str
    encoder: str
    """For a transformer a model folder of the reader's, or a plain encoder's folder or name; for
    a BiLSTM a file of word vectors in GloVe's format."""
    kind: str = TRANSFORMER
    system: str = SYSTEM
    spans: str = RULE
    """The source of key spans for the search: the rule, or the folder of a trained model."""
    only_spans: bool = False
    """Learn nothing but key spans: the first of the steps."""
    only_heads: bool = False
    """Go on from a GapQA model: its heads learn to name relations, and choose as they did. That is
    quick, even without a GPU."""
    relation_pretraining: int = 0
    """With only_heads: so many triples of each relation to learn from, besides the examples."""
    questions: str = "all"
    """Those with short choices, all, or as the paper mixes them (kgd): KGD's, with the spans that
    people chose, and OBQA-Short's."""
    at_most: int = 0
    """So many of these questions, the first ones; 0 means all."""
    knowledge: str = "all"
    leave_out: tuple[str, ...] = ()
    """Beginnings of names of sources whose sentences are not looked up."""
    retrieve_by: str = "span"
    relation_labels: str = "distant"
    """Relations of the right choice: KGD's, or else by triples (distant); KGD's alone
    (annotated), so that other questions teach the choice only; or none."""
    show_fact: bool = True
    show_span: bool = True
    seeds: tuple[int, ...] = (1, 2, 3, 4, 5)
    epochs: int = 4
    batch: int = 16
    learning_rate: float = 5e-5
    head_learning_rate: float = 1e-3
    relation_weight: float = 1.0
    """The paper's lambda."""
    line_weight: float = 1.0
    """The weight of a triple's own relation in the loss."""
    span_weight: float = 0.5
    held_out: float = 0.0
    """The share of training questions that choose the best epoch; never a dev file. Without any,
    the last epoch counts."""
    patience: int = 10
    """Epochs without a better one before a run stops."""
    precision: str = "bf16"

    @property
    def shown(self) -> Shown:
        """The input that the model gets to see."""
        return Shown(self.show_fact, self.knowledge != "none", self.show_span)


def is_gapqa_recipe(path: Path) -> bool:
    """Tell if a recipe is one for GapQA."""
    return read_toml(path).get("system") == SYSTEM


def load_gap_recipe(path: Path) -> GapRecipe:
    """Read a recipe; unknown settings and wrong types are errors."""
    return make_gap_recipe(read_toml(path), str(path))


def make_gap_recipe(raw: dict[str, Any], where: str) -> GapRecipe:
    """A recipe from plain values."""
    recipe = GapRecipe(**checked_settings(raw, GapRecipe, ("name", "encoder"), where))
    for name, allowed in CHOICES.items():
        if getattr(recipe, name) not in allowed:
            raise LacunaError(f"{where}: {name!r} must be {' or '.join(allowed)}.")
    check_positive(recipe, POSITIVE, where)
    for name in ("at_most", "relation_pretraining"):
        if getattr(recipe, name) < 0:
            raise LacunaError(f"{where}: {name!r} must not be less than 0.")
    if not recipe.seeds:
        raise LacunaError(f"{where}: 'seeds' names none. Give one or more whole numbers.")
    if not 0 <= recipe.held_out < 1:
        raise LacunaError(f"{where}: 'held_out' must be from 0 to below 1.")
    if (recipe.only_spans or recipe.only_heads) and recipe.kind != TRANSFORMER:
        raise LacunaError(f"{where}: 'only_spans' and 'only_heads' are for a transformer.")
    if recipe.precision not in ("no", "bf16"):
        raise LacunaError(f"{where}: 'precision' must be no or bf16.")
    return recipe
