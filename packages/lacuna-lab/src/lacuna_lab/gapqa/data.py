"""From OpenBookQA's questions to GapQA's examples: key spans, knowledge about them, labels."""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from zipfile import BadZipFile

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn.functional import binary_cross_entropy_with_logits, one_hot

from lacuna.datasets.openbookqa import right_choice
from lacuna.errors import LacunaError
from lacuna.files.writing import replace_bytes
from lacuna.models.gapqa.gapqa_reader import MakesRows, QuestionRows, question_rows
from lacuna.models.gapqa.relations import CONCEPTNET, DIRECTIONS, direction_of
from lacuna.models.gapqa.rows import Row, RowMaker, padded, search_knowledge
from lacuna.models.reader.encode import Tokenizer
from lacuna.retrieve.knowledge.knowledge_base import Knowledge, KnowledgeBase
from lacuna.retrieve.knowledge.search import Triples, sentence_of
from lacuna.text import content_stems
from lacuna.types import Question, Role, Span
from lacuna_lab.gapqa.network import GapBatch, GapNetwork, Rows, Targets
from lacuna_lab.gapqa.recipe import (
    LONGEST_END,
    TRUSTED_COVER,
    UNKNOWN,
    GapRecipe,
    covered,
    distant_relations,
    kgd_relations,
    line_labels,
    rule_span,
)
from lacuna_lab.train.instances import digest_of

if TYPE_CHECKING:
    from lacuna_lab.train.checkpoint import Progress


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
    """The fact that a key span belongs to."""
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
    """Tell if its key span is known well enough to learn from: annotated, or by the rule where the
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
            _labels_of_lines(recipe, known),
        )
        if progress is not None:
            progress(done)


def _labels_of_lines(recipe: GapRecipe, known: Sequence[Knowledge]) -> tuple[int, ...]:
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


CPU = torch.device("cpu")


class GapDataset:
    """Examples in order. A question's rows come together: its own, its choices', the lines'."""

    def __init__(self, arrays: dict[str, NDArray[Any]], device: torch.device = CPU) -> None:
        self.arrays, self.device = arrays, device
        self._ids = torch.from_numpy(arrays["ids"]).to(device)
        self._parts = torch.from_numpy(arrays["parts"]).to(device)
        ends = arrays["row_ends"]
        self._starts = np.concatenate([[0], ends[:-1]])
        self._lengths = ends - self._starts
        self._first_choices = np.concatenate([[0], np.cumsum(arrays["choices"])])
        lines = np.concatenate([[0], np.cumsum(arrays["lines"])])[self._first_choices]
        self._first_lines = lines[:-1]
        rows = 1 + arrays["choices"] + lines[1:] - lines[:-1]
        self._first_rows = np.concatenate([[0], np.cumsum(rows)])

    def to(self, device: torch.device) -> GapDataset:
        """The same with its tokens on a device."""
        return GapDataset(self.arrays, device)

    @classmethod
    def of(cls, examples: Sequence[GapExample]) -> GapDataset:
        """Pack examples."""
        rows: list[Row] = []
        for example in examples:
            question, choices, knowledge = example.rows
            rows += [question, *choices, *(row for lines in knowledge for row in lines)]
        counts = [len(lines) for example in examples for lines in example.rows.knowledge]
        relations = np.zeros((len(examples), len(DIRECTIONS)), bool)
        for number, example in enumerate(examples):
            relations[number, list(example.relations)] = True
        return cls(
            {
                "names": np.array([each.id for each in examples], np.str_),
                "ids": np.concatenate([row.ids for row in rows]).astype(np.int32),
                "parts": np.concatenate([row.parts for row in rows]).astype(np.uint8),
                "row_ends": np.cumsum([len(row.ids) for row in rows]),
                "choices": np.array([len(each.rows.choices) for each in examples], np.int64),
                "lines": np.array(counts, np.int64),
                "right": np.array([each.right for each in examples], np.int64),
                "spans": np.array([each.span or (-1, -1) for each in examples], np.int64),
                "relations": relations,
                "line_relations": np.concatenate([_line_labels(each) for each in examples]),
            }
        )

    def save(self, path: Path) -> None:
        """Write it to one file."""
        with replace_bytes(path) as out:
            np.savez_compressed(out, allow_pickle=False, **self.arrays)

    @classmethod
    def load(cls, path: Path) -> GapDataset:
        """Read it back."""
        try:
            with np.load(path, allow_pickle=False) as file:
                return cls({name: file[name] for name in file.files})
        except (OSError, EOFError, ValueError, KeyError, BadZipFile, zlib.error) as error:
            raise LacunaError(
                f"{path} cannot be read ({error}). Delete it; it will be made again."
            ) from error

    def __len__(self) -> int:
        return len(self.arrays["right"])

    def digest(self) -> str:
        """A short name for exactly these examples."""
        return digest_of(self.arrays.values())

    @property
    def names(self) -> list[str]:
        """The ids of the questions."""
        return [str(name) for name in self.arrays["names"]]

    def batch(self, numbers: Sequence[int], *, blocks: int) -> tuple[GapBatch, Targets]:
        """Some of the examples, ready for the network."""
        chosen = np.asarray(numbers, np.int64)
        choices = self.arrays["choices"][chosen]
        first_rows = self._first_rows[chosen]
        lines = [self.arrays["lines"][slice(*self._first_choices[n : n + 2])] for n in chosen]
        own = [
            np.arange(start + 1 + size, start + 1 + size + int(some.sum()))
            for start, size, some in zip(first_rows, choices, lines, strict=True)
        ]
        knowledge = np.concatenate(own)
        order = np.argsort(-self._lengths[knowledge], kind="stable")
        first_choices = np.concatenate([[0], np.cumsum(choices)])
        of_choices = [
            np.arange(start + 1, start + 1 + size)
            for start, size in zip(first_rows, choices, strict=True)
        ]
        first_lines = self._first_lines[chosen]
        line_labels = [
            self.arrays["line_relations"][start : start + int(some.sum())]
            for start, some in zip(first_lines, lines, strict=True)
        ]
        choice_of = np.repeat(np.arange(first_choices[-1]), np.concatenate(lines))
        batch = GapBatch(
            self._rows(np.concatenate([first_rows, *of_choices])),
            self._tensor(np.repeat(np.arange(len(chosen)), choices)),
            [self._rows(knowledge[block]) for block in np.array_split(order, blocks) if len(block)],
            self._tensor(choice_of[order]),
            torch.from_numpy(order),
        )
        right = first_choices[:-1] + self.arrays["right"][chosen]
        return batch, Targets(
            self._tensor(right),
            self._tensor(self.arrays["relations"][chosen].astype(np.float32)),
            self._tensor(self.arrays["spans"][chosen]),
            self._tensor(np.concatenate(line_labels)[order].astype(np.int64)),
        )

    def _rows(self, numbers: NDArray[Any]) -> Rows:
        starts, lengths = self._tensor(self._starts[numbers]), self._tensor(self._lengths[numbers])
        place = torch.arange(int(self._lengths[numbers].max()), device=self.device)
        inside = place[None, :] < lengths[:, None]
        places = (starts[:, None] + place[None, :]) * inside
        return Rows(self._ids[places].long() * inside, self._parts[places].long() * inside)

    def _tensor(self, array: NDArray[Any]) -> torch.Tensor:
        return torch.from_numpy(array).to(self.device, non_blocking=True)


def _line_labels(example: GapExample) -> NDArray[Any]:
    """A label for every line; none is known where an example has none."""
    lines = sum(len(some) for some in example.rows.knowledge)
    return np.array(example.lines or [UNKNOWN] * lines, np.int8)


# Triples to pretrain the naming of relations on, the same number of each relation.
#
# Nine out of ten triples found for questions are *is a*, *synonym of* or *part of*; without
# pretraining, the rarer relations are taken for these.


AT_ONCE = 64


class RelationExample(NamedTuple):
    """A line of knowledge with its own two ends, and the relation that it states."""

    row: Row
    label: int


def relation_examples(
    triples: Triples, rows: RowMaker, each: int, seed: int = 0
) -> list[RelationExample]:
    """So many for every direction of a relation, or as many as there are."""
    order = np.random.default_rng(seed).permutation(len(triples))
    wanted = dict.fromkeys(range(len(DIRECTIONS)), each)
    examples: list[RelationExample] = []
    for number in order:
        triple = triples[int(number)]
        if triple.relation not in CONCEPTNET or not _short(triple.head, triple.tail):
            continue
        for span_is_head in (True, False):
            direction = direction_of(triple.relation, span_is_head=span_is_head)
            assert direction is not None  # it is one of ConceptNet's names above
            label = DIRECTIONS.index(direction)
            if wanted[label]:
                ends = (triple.head, triple.tail) if span_is_head else (triple.tail, triple.head)
                row = rows.knowledge_row(*ends, sentence_of(triple))
                examples.append(RelationExample(row, label))
                wanted[label] -= 1
        if not any(wanted.values()):
            break
    return examples


def _short(*ends: str) -> bool:
    return all(0 < len(content_stems(end)) <= LONGEST_END for end in ends)


class RelationFeatures(NamedTuple):
    """The input of the heads for relation examples, [examples, 2 * size], and the labels,
    [examples]."""

    lines: Tensor
    labels: Tensor

    @classmethod
    def of(cls, network: GapNetwork, examples: Sequence[RelationExample]) -> RelationFeatures:
        """Read examples once."""
        by_length = sorted(examples, key=lambda example: len(example.row.ids))
        device = next(network.parameters()).device
        seen = [torch.zeros(0, 2 * network.encoder.size, device=device)]
        for start in range(0, len(by_length), AT_ONCE):
            arrays = padded([example.row for example in by_length[start : start + AT_ONCE]])
            rows = Rows(*(torch.from_numpy(array).to(device) for array in arrays))
            with torch.no_grad():
                seen.append(network.line(network.encoder(*rows), rows))
        labels = torch.tensor([example.label for example in by_length], dtype=torch.long)
        return cls(torch.cat(seen), labels.to(device))

    def loss(self, network: GapNetwork, numbers: Tensor) -> Tensor:
        """The loss of the heads in naming the relations of some examples."""
        heads = network.heads
        scores = heads.relation_names(heads.relation(self.lines[numbers]))
        wanted = one_hot(self.labels[numbers], len(DIRECTIONS)).float()
        return binary_cross_entropy_with_logits(scores, wanted)
