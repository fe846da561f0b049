"""Triples to pretrain the naming of relations on, the same number of each relation.

Nine out of ten triples found for questions are *is a*, *synonym of* or *part of*; without
pretraining, the rarer relations are taken for these.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import binary_cross_entropy_with_logits, one_hot

from lacuna.models.gapqa.relations import CONCEPTNET, DIRECTIONS, direction_of
from lacuna.models.gapqa.rows import Row, RowMaker, padded
from lacuna.retrieve.knowledge import Triples, sentence_of
from lacuna.text import content_stems
from lacuna.train.gapqa.labels import LONGEST_END
from lacuna.train.gapqa.network import GapNetwork, Rows

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
    """What the heads see of relation examples, [examples, 2 * size], and the labels, [examples]."""

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
        """How far the heads are from naming the relations of some examples."""
        heads = network.heads
        scores = heads.relation_names(heads.relation(self.lines[numbers]))
        wanted = one_hot(self.labels[numbers], len(DIRECTIONS)).float()
        return binary_cross_entropy_with_logits(scores, wanted)
