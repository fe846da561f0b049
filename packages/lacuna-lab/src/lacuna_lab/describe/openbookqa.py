"""OpenBookQA described as GapQA's paper does, and what its authors labelled by hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from lacuna.datasets.base import Block, official_id
from lacuna.datasets.openbookqa import is_short
from lacuna.metrics.report import ScoreTable
from lacuna.types import Question
from lacuna_lab.describe.description import (
    DescribedPart,
    Description,
    Mean,
    length,
    percent,
    top_rows,
)
from lacuna_lab.describe.labelling import Category, LabellingTask, LabelTable
from lacuna_lab.figures.charts import BarChart

TASKS = (
    LabellingTask(
        "questions",
        (
            LabelTable(
                "Gaps in knowledge (section 3.1)",
                "gap",
                (
                    Category("question-to-fact", "what links the question to the fact", 44),
                    Category("fact-to-answer", "what links the fact to the answer", 86),
                    Category(
                        "question-to-answer(fact)",
                        "what links the question to the answer, given the fact; below 20 % in the "
                        "paper",
                    ),
                ),
                several=True,
            ),
        ),
        size=75,
    ),
    LabellingTask(
        "errors",
        (
            LabelTable(
                "Errors (section 5.4)",
                "error",
                (
                    Category("incorrect predicted span", "the wrong key span of the fact", 25),
                    Category("incorrect relation scores", "a wrong choice's relation won", 55),
                    Category("out-of-scope gap relation", "time, negation and the like", 20),
                ),
            ),
        ),
        size=40,
        wrong_by="accuracy",
    ),
)


PAPER_KGD = {
    "questions": (1_151, 117, 121),
    "pairs of a question and a fact": (1_531, 157, 165),
    "spans a pair": (1.43, 1.46, 1.45),
    "relations a pair": (3.31, 2.45, 2.45),
}
"""Table 2: train, dev and test."""
PAPER_SHORT = 290, 500
"""Section 5: OBQA-Short's test questions, and all."""


class OpenBookDescription(Description):
    """Gaps where they are annotated, lengths and the short subset."""

    def __init__(self) -> None:
        self.ids: set[str] = set()
        self.kgd_ids: set[str] = set()
        self.kgd_pairs = 0
        self.short = 0
        self.spans, self.labels = Mean(), Mean()
        self.stem, self.choice, self.fact = Mean(), Mean(), Mean()
        self.relations: Counter[str] = Counter()

    def add_block(self, block: Block) -> None:
        for question in block.questions:
            self._add(question)

    def _add(self, question: Question) -> None:
        id_ = official_id(question)
        if id_ not in self.ids:
            self.ids.add(id_)
            self.short += is_short(question)
            self.stem.add(length(question.text))
            for choice in question.choices:
                self.choice.add(length(choice.text))
        if question.fact is not None:
            self.fact.add(length(question.fact))
        gold = question.gold
        if gold is None or (gold.evidence is None and gold.relations is None):
            return
        self.kgd_ids.add(id_)
        self.kgd_pairs += 1
        if gold.evidence is not None:
            self.spans.add(len({(piece.start, piece.end) for piece in gold.evidence}))
        if gold.relations is not None:
            different = {_printable(relation) for relation in gold.relations}
            self.labels.add(len(different))
            self.relations.update(different)

    def parts(self) -> Iterator[DescribedPart]:
        yield self._kgd()
        yield self._short()
        yield self._relations()
        yield self._averages()

    def _kgd(self) -> DescribedPart:
        ours = (len(self.kgd_ids), self.kgd_pairs, self.spans.value, self.labels.value)
        rows = tuple(
            (what, value, *paper)
            for (what, paper), value in zip(PAPER_KGD.items(), ours, strict=True)
        )
        columns = ("what", "ours", "paper, train", "paper, dev", "paper, test")
        missing = "" if self.kgd_pairs else "No question has the fields 'answer_spans' and "
        return DescribedPart(
            "kgd",
            ScoreTable("Annotated gaps, KGD (table 2)", columns, rows),
            note="Spans and relations are counted once for each pair.",
            missing=missing and missing + "'relations', which KGD's files add.",
            digits=2,
        )

    def _short(self) -> DescribedPart:
        total = len(self.ids)
        paper_short, paper_total = PAPER_SHORT
        rows = (
            (
                "OBQA-Short",
                self.short,
                percent(self.short, total),
                paper_short,
                percent(paper_short, paper_total),
            ),
            ("OBQA-Full", total, percent(total, total), paper_total, 100.0),
        )
        return DescribedPart(
            "short",
            ScoreTable(
                "Questions with short choices (section 5)",
                ("set", "questions", "%", "paper, test", "paper, %"),
                rows,
            ),
            note="Short: no choice has more than two words beside stop words. The paper's list of "
            "stop words is not known.",
        )

    def _relations(self) -> DescribedPart:
        rows = tuple(top_rows(self.relations, len(self.relations)))
        title = "Relations between key span and right choice"
        chart = None
        if rows:
            labels, counts, _ = zip(*rows, strict=True)
            chart = BarChart(title, "relation", "pairs", labels, counts)
        missing = "" if rows else "No question has the field 'relations', which KGD's files add."
        table = ScoreTable(title, ("relation", "pairs", "%"), rows)
        return DescribedPart("relations", table, chart, missing=missing)

    def _averages(self) -> DescribedPart:
        rows = (
            ("words a question", self.stem.value),
            ("words a choice", self.choice.value),
            ("words a core fact", self.fact.value),
        )
        missing = "" if self.fact.count else "No question has a core fact (field 'fact1')."
        return DescribedPart(
            "averages", ScoreTable("Lengths", ("what", "ours"), rows), missing=missing
        )


def _printable(relation: str) -> str:
    """A relation without characters that a figure cannot hold."""
    return "".join(filter(str.isprintable, relation))
