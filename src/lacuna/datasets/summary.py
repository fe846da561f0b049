"""Count what a file holds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from lacuna.datasets.base import Dataset
from lacuna.datasets.item import Item
from lacuna.types import Question


@dataclass(slots=True)
class Summary:
    """The counts of one file; feed it the items as they are read."""

    dataset: Dataset
    items: int = 0
    texts: int = 0
    questions: int = 0
    without_gold: int = 0
    documents: int = 0
    links: int = 0
    references: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    facets: dict[str, Counter[str]] = field(default_factory=dict)
    oddities: Counter[str] = field(default_factory=Counter)

    def counted(self, items: Iterable[Item]) -> Iterable[Item]:
        """Pass the items on, counting them."""
        for item in items:
            self.items += 1
            for block in item.blocks:
                if block.document is not None:
                    self.texts += 1
                    self.links += len(block.document.links)
                for question in block.questions:
                    self._count(question)
            yield item

    def as_json(self) -> dict[str, Any]:
        """The counts as plain data."""
        return {
            "items": self.items,
            "texts": self.texts,
            "questions": self.questions,
            "questions_without_gold": self.without_gold,
            "candidate_documents": self.documents,
            "links": self.links,
            "reference_answers": self.references,
            "answer_kinds": dict(self.kinds),
            **{name: dict(counts) for name, counts in self.facets.items()},
            "oddities": dict(self.oddities),
        }

    def _count(self, question: Question) -> None:
        self.questions += 1
        self.documents += len(question.documents)
        if question.gold and question.gold.answers:
            self.references += len(question.gold.answers)
            self.kinds[question.gold.answers[0].kind] += 1
        else:
            self.without_gold += 1
        for name, value in self.dataset.facets(question).items():
            self.facets.setdefault(name, Counter())[value] += 1
        self.oddities.update(self.dataset.oddities(question))
