"""What can be said of any dataset: lengths, kinds of answers, how questions begin."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from lacuna.datasets.describing.counting import Mean, branches, length, percent, top_rows
from lacuna.datasets.describing.description import DescribedPart, Description
from lacuna.datasets.item import Block
from lacuna.figures.charts import BarChart, Sunburst
from lacuna.metrics.score_tables import ScoreTable
from lacuna.text import words
from lacuna.types import AnswerKind, Question

BEGINNINGS_SHOWN = 15
FIRST_WORDS_SHOWN = 12
LONGEST = 10
"""Answers of more words are put together."""


class GeneralDescription(Description):
    """Texts, questions and answers; ``paper`` has a paper's numbers for rows of the averages."""

    def __init__(self, paper: Mapping[str, float] | None = None, paper_name: str = "") -> None:
        self.paper, self.paper_name = paper or {}, paper_name
        self.questions = self.answered = 0
        self.text_length, self.question_length = Mean(), Mean()
        self.answer_length, self.references = Mean(), Mean()
        self.kinds: Counter[AnswerKind] = Counter()
        self.lengths: Counter[int] = Counter()
        self.beginnings: Counter[tuple[str, ...]] = Counter()

    def add_block(self, block: Block) -> None:
        if block.document is not None:
            self.text_length.add(length(block.document.text))
        for question in block.questions:
            self._add(question)

    def _add(self, question: Question) -> None:
        self.questions += 1
        self.question_length.add(length(question.text))
        self.beginnings[tuple(words(question.text)[:3])] += 1
        answers = question.gold.answers if question.gold else ()
        if not answers:
            return
        self.answered += 1
        self.references.add(len(answers))
        first = answers[0]
        self.kinds[first.kind] += 1
        if first.texts:
            size = sum(length(text) for text in first.texts)
            self.answer_length.add(size)
            self.lengths[min(size, LONGEST + 1)] += 1

    def parts(self) -> Iterator[DescribedPart]:
        yield self._averages()
        yield self._kinds()
        yield self._answer_lengths()
        yield self._beginnings()

    def _averages(self) -> DescribedPart:
        ours = {
            "questions": self.questions,
            "texts": self.text_length.count,
            "words a text": self.text_length.value,
            "words a question": self.question_length.value,
            "words an answer": self.answer_length.value,
            "reference answers a question": self.references.value,
        }
        columns = ("what", "ours", *((self.paper_name,) if self.paper else ()))
        rows = tuple(
            (what, value, *((self.paper.get(what),) if self.paper else ()))
            for what, value in ours.items()
        )
        without = self.questions - self.answered
        return DescribedPart(
            "averages",
            ScoreTable("Counts and averages", columns, rows),
            note="Words are what stands between blanks; of several references the first counts.",
            missing=f"{without:,} questions have no answer given." if without else "",
        )

    def _kinds(self) -> DescribedPart:
        rows = tuple(top_rows({str(kind): n for kind, n in self.kinds.items()}, len(AnswerKind)))
        title = "Kinds of answers"
        chart = None
        if rows:
            labels, _, shares = zip(*rows, strict=True)
            chart = BarChart(title, "kind", "% of questions", labels, shares)
        return DescribedPart(
            "answer_kinds", ScoreTable(title, ("kind", "questions", "%"), rows), chart
        )

    def _answer_lengths(self) -> DescribedPart:
        sizes = range(1, LONGEST + 2)
        labels = [str(size) for size in sizes[:-1]] + [f"{LONGEST + 1}+"]
        counts = [self.lengths[size] for size in sizes]
        shares = [percent(count, sum(counts)) or 0.0 for count in counts]
        title = "Lengths of answers in words"
        rows = tuple(zip(labels, counts, shares, strict=True))
        chart = BarChart(title, "words", "% of answers", labels, shares) if sum(counts) else None
        return DescribedPart(
            "answer_lengths", ScoreTable(title, ("words", "answers", "%"), rows), chart
        )

    def _beginnings(self) -> DescribedPart:
        named = {" ".join(said): count for said, count in self.beginnings.items()}
        title = "How questions begin"
        rows = tuple(top_rows(named, BEGINNINGS_SHOWN))
        table = ScoreTable(title, ("first three words", "questions", "%"), rows)
        chart = Sunburst(title, branches(self.beginnings, FIRST_WORDS_SHOWN)) if rows else None
        return DescribedPart("beginnings", table, chart)
