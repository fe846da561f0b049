"""Descriptions of datasets: fed items, they give the tables and figures of the paper."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from lacuna.datasets.base import Block, Item
from lacuna.metrics.report import ScoreTable
from lacuna.text import words
from lacuna.types import AnswerKind, Question
from lacuna_lab.figures.charts import BarChart, Branch, Chart, Sunburst, chart_json


@dataclass(slots=True)
class Mean:
    """A mean that is fed one value at a time.

    >>> mean = Mean()
    >>> mean.add(2), mean.add(5), mean.value
    (None, None, 3.5)
    """

    total: float = 0.0
    count: int = 0

    def add(self, value: float) -> None:
        """Count one more value."""
        self.total += value
        self.count += 1

    @property
    def value(self) -> float | None:
        """The mean; None where nothing was counted."""
        return self.total / self.count if self.count else None

    @property
    def percent(self) -> float | None:
        """The mean of zeros and ones as a share."""
        return 100 * self.total / self.count if self.count else None


def length(text: str) -> int:
    """The length in words as the papers count it: what stands between blanks.

    >>> length("Who built it, and when?")
    5
    """
    return len(text.split())


def first_words(text: str, count: int) -> str:
    """The first words of a question, in lower case and without punctuation.

    >>> first_words("How old was Ada when …?", 3)
    'how old was'
    """
    return " ".join(words(text)[:count])


def percent(count: float, total: float) -> float | None:
    """A share in %; None of nothing.

    >>> percent(1, 4)
    25.0
    """
    return 100 * count / total if total else None


def branches(
    counts: Mapping[tuple[str, ...], int], many: int, least: float = 0.4
) -> tuple[Branch, ...]:
    """Sequences of words as a tree of shares: the most frequent first words, what follows them.

    Only ``many`` first words are shown; what follows one and is less than ``least`` % of
    everything is put together.

    >>> [(b.name, b.share) for b in branches({("who", "was"): 3, ("what", "is"): 1}, 1)]
    [('who', 75.0), ('', 25.0)]
    """
    total = sum(counts.values())
    return _level(counts, total, least, many) if total else ()


def _level(
    counts: Mapping[tuple[str, ...], int], total: int, least: float, many: int | None = None
) -> tuple[Branch, ...]:
    after: dict[str, dict[tuple[str, ...], int]] = {}
    for sequence, count in counts.items():
        tails = after.setdefault(sequence[0] if sequence else "", {})
        tails[sequence[1:]] = tails.get(sequence[1:], 0) + count
    sizes = {first: 100 * sum(tails.values()) / total for first, tails in after.items()}
    shown = [name for name in sizes if name and (many is not None or sizes[name] >= least)]
    shown = sorted(shown, key=lambda name: (-sizes[name], name))[:many]
    inner = {
        name: _level({tail: n for tail, n in after[name].items() if tail}, total, least)
        for name in shown
    }
    rest = sum(size for name, size in sizes.items() if name not in inner)
    level = tuple(Branch(name, sizes[name], inner[name]) for name in shown)
    return (*level, Branch("", rest)) if rest else level


def top_rows(counts: Mapping[str, int], many: int) -> Iterable[tuple[str, int, float | None]]:
    """The most frequent labels with their counts and shares."""
    total = sum(counts.values())
    ordered = sorted(counts.items(), key=lambda entry: (-entry[1], entry[0]))
    return ((label, count, percent(count, total)) for label, count in ordered[:many])


@dataclass(frozen=True, slots=True)
class DescribedPart:
    """One table or figure of a paper, made from the files at hand.

    ``name`` is what its figure's file is called and its key in JSON. ``note`` says how it was
    counted, where that is not plain; ``missing`` says which field the files lack for it.
    ``digits`` stand behind the point of its numbers, as many as the paper gives.
    """

    name: str
    table: ScoreTable
    chart: Chart | None = None
    note: str = ""
    missing: str = ""
    digits: int = 1

    def shown_table(self) -> ScoreTable:
        """The table with its numbers as they are to be printed."""
        rows = (tuple(map(self._cell, row)) for row in self.table.rows)
        return replace(self.table, rows=tuple(rows))

    def remarks(self) -> list[str]:
        """The remarks below the table."""
        return [*([f"Missing: {self.missing}"] if self.missing else []), *filter(None, [self.note])]

    def to_markdown(self) -> str:
        """The table, if it has a row, and what is to be said of it."""
        table = self.shown_table().to_markdown() if self.table.rows else f"**{self.table.title}**"
        return "\n\n".join((table, *self.remarks()))

    def _cell(self, value: Any) -> Any:
        return f"{value:,.{self.digits}f}" if isinstance(value, float) else value

    def as_json(self) -> dict[str, Any]:
        """The part as plain data."""
        return {
            "title": self.table.title,
            "columns": self.table.columns,
            "rows": self.table.rows,
            "note": self.note,
            "missing": self.missing,
            "chart": None if self.chart is None else chart_json(self.chart),
        }


class Description(ABC):
    """Counts items as they stream by; nothing is kept but counts.

    A subclass counts in ``add_block`` and tells its parts in ``parts``.
    """

    def add(self, item: Item) -> None:
        """Count one item of a file."""
        for block in item.blocks:
            self.add_block(block)

    @abstractmethod
    def add_block(self, block: Block) -> None:
        """Count a text and its questions."""

    @abstractmethod
    def parts(self) -> Iterator[DescribedPart]:
        """The tables and figures, in the paper's order."""

    def counted(self, items: Iterable[Item]) -> Iterator[Item]:
        """Pass the items on, counting them."""
        for item in items:
            self.add(item)
            yield item


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
