"""IIRC described as its paper does, and what its authors labelled by hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from lacuna.datasets.base import Block
from lacuna.datasets.iirc import (
    TIME_WORDS,
    TYPE_OF_KIND,
    TimeQuestion,
    link_count,
    retrieved,
    time_question,
)
from lacuna.metrics.report import ScoreTable
from lacuna.types import Question
from lacuna_lab.describe.description import (
    DescribedPart,
    Description,
    Mean,
    branches,
    first_words,
    length,
    percent,
    top_rows,
)
from lacuna_lab.describe.labelling import Category, LabellingTask, LabelTable, titled
from lacuna_lab.figures.charts import BarChart, Sunburst


def _links_and_reading(question: Question) -> dict[str, str]:
    """Find from what there was to read if the links, the context or the model failed."""
    links = question.context.links if question.context else ()
    return {
        "links of the passage": "; ".join(dict.fromkeys(link.target for link in links)),
        "retrieved context": titled(retrieved(question)),
    }


TASKS = (
    LabellingTask(
        "questions",
        (
            LabelTable(
                "Finding the links (table 1)",
                "link prediction",
                (
                    Category("easy", "the question names the link", 41),
                    Category("medium", "the passage is needed to tell the link's target", 47),
                    Category("hard", "the passage is needed to tell targets and their number", 12),
                ),
            ),
            LabelTable(
                "Retrieval (table 1)",
                "retrieval",
                (
                    Category("linked context only", "the passage is not needed", 14),
                    Category("bridge", "the passage is needed for the links alone", 57),
                    Category("cross context", "the passage tells what to look for behind them", 29),
                ),
            ),
            LabelTable(
                "Reasoning (table 1)",
                "reasoning",
                (
                    Category("non-discrete", "nothing is counted or compared", 61),
                    Category("discrete-numeric", "numbers are counted or compared", 11),
                    Category("discrete-temporal", "times are counted or compared", 28),
                ),
            ),
        ),
    ),
    LabellingTask(
        "errors",
        (
            LabelTable(
                "Errors (section 4.4)",
                "error",
                (
                    Category("incorrect context", "right links, wrong part of the article", 39),
                    Category("modeling error", "all that is needed was there, wrong answer", 32),
                    Category("unanswerable", "answered although the articles do not say it", 24),
                    Category("insufficient links", "a link that is needed was not followed", 5),
                ),
            ),
        ),
        wrong_by="em",
        material=_links_and_reading,
    ),
)


PAPER_TABLE_2 = {"questions": 13_441, "passages": 5_698, "links": 14.5, "passage": 197.5}
PAPER_QUESTION_LENGTH = 13.6
PAPER_LINKS = {"1": 70, "2": 23, "3": 4, "4+": 3}
"""Table 4, in % of the whole dataset."""
PAPER_MOST_DOCUMENTS = 12
PAPER_ANSWERS = {"span": 45, "value": 17, "binary": 8, "none": 30}
"""Table 1, in %; the paper calls a value numeric."""
PAPER_TIME = 15
"""Section 2.4, in %."""
TRIGRAMS_SHOWN = 15
FIRST_WORDS_SHOWN = 12


class IIRCDescription(Description):
    """Passages, links, trigrams and answers."""

    def __init__(self) -> None:
        self.passages = 0
        self.questions = 0
        self.passage_links, self.passage_length, self.question_length = Mean(), Mean(), Mean()
        self.links: Counter[str] = Counter()
        self.most_links = 0
        self.trigrams: Counter[tuple[str, ...]] = Counter()
        self.time: Counter[TimeQuestion] = Counter()
        self.answers: Counter[str] = Counter()

    def add_block(self, block: Block) -> None:
        if block.document is not None:
            self.passages += 1
            self.passage_links.add(len(block.document.links))
            self.passage_length.add(length(block.document.text))
        for question in block.questions:
            self._add(question)

    def _add(self, question: Question) -> None:
        self.questions += 1
        self.question_length.add(length(question.text))
        self.trigrams[tuple(first_words(question.text, 3).split())] += 1
        self.time[time_question(first_words(question.text, TIME_WORDS))] += 1
        gold = question.gold
        if gold and gold.links:
            many = len(set(gold.links))
            self.links[link_count(many)] += 1
            self.most_links = max(self.most_links, many)
        if gold and gold.answers:
            self.answers[TYPE_OF_KIND[gold.answers[0].kind]] += 1

    def parts(self) -> Iterator[DescribedPart]:
        yield self._averages()
        yield self._answers()
        yield self._links()
        yield self._trigrams()
        yield self._time()

    def _averages(self) -> DescribedPart:
        rows = (
            ("questions", self.questions, PAPER_TABLE_2["questions"]),
            ("passages", self.passages, PAPER_TABLE_2["passages"]),
            ("links a passage", self.passage_links.value or None, PAPER_TABLE_2["links"]),
            ("words a passage", self.passage_length.value, PAPER_TABLE_2["passage"]),
            ("words a question", self.question_length.value, PAPER_QUESTION_LENGTH),
        )
        lacking = []
        if not self.passages:
            lacking.append("No question has its passage (field 'text', or 'passage').")
        elif not self.passage_links.total:
            lacking.append("No passage has links (field 'links').")
        return DescribedPart(
            "averages",
            ScoreTable("Counts and averages (table 2)", ("what", "ours", "paper"), rows),
            note="The paper counts all three splits. Words are what stands between blanks.",
            missing=" ".join(lacking),
        )

    def _answers(self) -> DescribedPart:
        total = self.answers.total()
        rows = tuple(
            (name, self.answers[name], percent(self.answers[name], total), paper)
            for name, paper in PAPER_ANSWERS.items()
        )
        title = "Types of answers (table 1)"
        return DescribedPart(
            "answer_types",
            ScoreTable(title, ("type", "questions", "%", "paper, %"), rows),
            _against_paper(title, "type of answer", rows) if total else None,
            note="The paper's shares are of 100 questions.",
            missing=self._lacking("answer", total),
        )

    def _links(self) -> DescribedPart:
        total = self.links.total()
        rows = tuple(
            (many, self.links[many], percent(self.links[many], total), paper)
            for many, paper in PAPER_LINKS.items()
        )
        title = "Links needed for an answer (table 4)"
        return DescribedPart(
            "links",
            ScoreTable(title, ("links", "questions", "%", "paper, %"), rows),
            _against_paper(title, "links", rows) if total else None,
            note="Counted are the different titles in a question's field 'question_links'; the "
            "paper counts what its answer annotators marked as context, as many as "
            f"{PAPER_MOST_DOCUMENTS} documents for one question (section 2.4). The most here are "
            f"{self.most_links}.",
            missing=self._lacking("question_links", total),
        )

    def _trigrams(self) -> DescribedPart:
        named = {" ".join(words): count for words, count in self.trigrams.items()}
        title = "How questions begin (section 2.4)"
        rows = tuple(top_rows(named, TRIGRAMS_SHOWN))
        return DescribedPart(
            "trigrams",
            ScoreTable(title, ("first three words", "questions", "%"), rows),
            Sunburst(title, branches(self.trigrams, FIRST_WORDS_SHOWN)),
            note=f"{len(named):,} different beginnings; the paper has 3.5 thousand over the 10.8 "
            "thousand questions of its training set.",
        )

    def _time(self) -> DescribedPart:
        papers = {TimeQuestion.SPAN: PAPER_TIME}
        rows = tuple(
            (str(kind), self.time[kind], percent(self.time[kind], self.questions), papers.get(kind))
            for kind in TimeQuestion
        )
        columns = ("by its first words, a question", "questions", "%", "paper, %")
        return DescribedPart(
            "time",
            ScoreTable("Questions about time (section 2.4)", columns, rows),
            note="The paper's examples of time questions ask for an age or a duration, and its "
            "share fits these alone.",
        )

    def _lacking(self, field: str, counted: int) -> str:
        without = self.questions - counted
        return f"{without:,} questions have nothing in the field {field!r}." if without else ""


def _against_paper(
    title: str, x: str, rows: tuple[tuple[str, int, float | None, int], ...]
) -> BarChart:
    labels, _, ours, paper = zip(*rows, strict=True)
    return BarChart(title, x, "% of questions", labels, [share or 0.0 for share in ours], paper)
