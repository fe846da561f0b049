"""HotpotQA described as its paper does, and what its authors labelled by hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from lacuna.datasets.base import Block
from lacuna.datasets.hotpotqa import question_type
from lacuna.metrics.report import ScoreTable
from lacuna.types import AnswerKind, Question
from lacuna_lab.describe.description import (
    DescribedPart,
    Description,
    Mean,
    branches,
    length,
    percent,
    top_rows,
)
from lacuna_lab.describe.labelling import Category, LabellingTask, LabelTable, titled
from lacuna_lab.figures.charts import BarChart, Sunburst


def _paragraphs(question: Question) -> dict[str, str]:
    """Find from the texts if one paragraph is enough, or none."""
    facts = (question.gold and question.gold.supporting_facts) or ()
    gold = {fact.title for fact in facts}
    return {
        "gold paragraphs": titled(each for each in question.documents if each.title in gold),
        "other paragraphs": titled(each for each in question.documents if each.title not in gold),
    }


TASKS = (
    LabellingTask(
        "questions",
        (
            LabelTable(
                "Types of answers (table 2)",
                "answer type",
                (
                    Category("person", "one person", 30),
                    Category("group / org", "a group or an organisation", 13),
                    Category("location", "a place", 10),
                    Category("date", "a date or a time", 9),
                    Category("number", "a number", 8),
                    Category("artwork", "a book, film, song …", 8),
                    Category("yes/no", "yes or no", 6),
                    Category("adjective", "a property in a word", 4),
                    Category("event", "an event", 1),
                    Category("other proper noun", "another name", 6),
                    Category("common noun", "no name", 5),
                ),
            ),
            LabelTable(
                "Types of reasoning (table 3)",
                "reasoning type",
                (
                    Category("type I", "find the bridge entity, then what is asked of it", 42),
                    Category("comparison", "compare two entities", 27),
                    Category("type II", "find what has several properties at once", 15),
                    Category("type III", "a property that holds through the bridge entity", 6),
                    Category("other", "needs more than two supporting facts", 2),
                    Category("single-hop", "one of the paragraphs is enough", 6),
                    Category("unanswerable", "the paragraphs do not answer it", 2),
                ),
                note="The paper's are of dev and test. Of 100 more, of train-medium and "
                "train-hard, 38 are type I, 29 type II, 20 comparison, 7 other, 2 type III, 2 "
                "single-hop and 2 unanswerable (section 4); of train-medium alone, 32.0 % are type "
                "II (section 3).",
            ),
        ),
        material=_paragraphs,
    ),
)


PAPER_LEVELS = {"easy": 18_089, "medium": 56_814, "hard": 15_661}
"""Table 1, the training set."""
PAPER_YES_NO = 6
"""Table 2: the share of answers that are yes or no, in %."""
TYPES_SHOWN = 15
FIRST_WORDS_SHOWN = 14
LEAST_SHARE = 100 * 250 / 112_779
"""Figure 2 names what more than 250 of the paper's questions share; that in %."""
BIN, LAST_BIN = 5, 70
"""Lengths are counted in steps of 5 words; figure 5's tail is put together."""


class HotpotDescription(Description):
    """Levels, types of questions, lengths, answers and supporting facts."""

    def __init__(self) -> None:
        self.levels: Counter[str] = Counter()
        self.kinds: Counter[str] = Counter()
        self.types: Counter[tuple[str, ...]] = Counter()
        self.lengths: Counter[int] = Counter()
        self.question_length, self.answer_length = Mean(), Mean()
        self.paragraphs, self.facts, self.yes_no = Mean(), Mean(), Mean()
        self.questions = 0

    def add_block(self, block: Block) -> None:
        for question in block.questions:
            self.questions += 1
            for key, counts in (("level", self.levels), ("type", self.kinds)):
                if isinstance(value := question.extra.get(key), str):
                    counts[value] += 1
            self.types[question_type(question.text)] += 1
            words = length(question.text)
            self.lengths[min(words // BIN * BIN, LAST_BIN)] += 1
            self.question_length.add(words)
            self.paragraphs.add(len(question.documents))
            gold = question.gold
            if gold and gold.supporting_facts is not None:
                self.facts.add(len(gold.supporting_facts))
            if gold and gold.answers:
                answer = gold.answers[0]
                self.yes_no.add(answer.kind in (AnswerKind.YES, AnswerKind.NO))
                self.answer_length.add(length(answer.text))

    def parts(self) -> Iterator[DescribedPart]:
        yield self._levels()
        yield self._kinds()
        yield self._types()
        yield self._lengths()
        yield self._rest()

    def _levels(self) -> DescribedPart:
        total = self.levels.total()
        rows = tuple(
            (level, self.levels[level], percent(self.levels[level], total), PAPER_LEVELS.get(level))
            for level in dict.fromkeys((*PAPER_LEVELS, *self.levels))
        )
        return DescribedPart(
            "levels",
            ScoreTable(
                "Questions by level (table 1)",
                ("level", "questions", "%", "paper, training set"),
                rows,
            ),
            note="The paper's dev and test sets, 7,405 questions each, are all hard. Its easy ones "
            "are mostly single-hop; medium are those that its network answered with confidence, "
            "60 % of the others. By hand it found 93.3 % multi-hop questions among the medium ones "
            "and 92.0 % in dev (section 3).",
            missing=self._without("level", self.levels.total()),
        )

    def _kinds(self) -> DescribedPart:
        rows = tuple(top_rows(self.kinds, len(self.kinds)))
        table = ScoreTable("Questions by type", ("type", "questions", "%"), rows)
        return DescribedPart("types", table, missing=self._without("type", self.kinds.total()))

    def _without(self, field: str, having: int) -> str:
        """A remark on a field that no question has, or not every one."""
        without = self.questions - having
        return f"{without:,} questions have no field {field!r}." if without else ""

    def _types(self) -> DescribedPart:
        named = {" ".join(words): count for words, count in self.types.items() if words}
        title = "Question types by their central question word (figure 2)"
        return DescribedPart(
            "question_types",
            ScoreTable(title, ("type", "questions", "%"), tuple(top_rows(named, TYPES_SHOWN))),
            Sunburst(title, branches(self.types, FIRST_WORDS_SHOWN, LEAST_SHARE)),
            note=f"{len(named):,} types; the {TYPES_SHOWN} most frequent are listed. "
            f"{self.types[()]:,} questions have no question word.",
        )

    def _lengths(self) -> DescribedPart:
        starts = range(0, LAST_BIN + BIN, BIN)
        labels = [f"{start}–{start + BIN - 1}" for start in starts[:-1]] + [f"{LAST_BIN}+"]
        counts = [self.lengths[start] for start in starts]
        shares = tuple(percent(count, self.questions) for count in counts)
        title = "Lengths of questions in words (figure 5)"
        return DescribedPart(
            "question_lengths",
            ScoreTable(
                title,
                ("words", "questions", "%"),
                tuple(zip(labels, counts, shares, strict=True)),
            ),
            BarChart(title, "words", "questions", labels, counts),
            note="The paper gives this figure without numbers.",
        )

    def _rest(self) -> DescribedPart:
        rows = (
            ("questions", self.questions, None),
            ("paragraphs a question", self.paragraphs.value, 10),
            ("words a question", self.question_length.value, None),
            ("words an answer", self.answer_length.value, None),
            ("supporting facts a question", self.facts.value, None),
            ("answers that are yes or no, %", self.yes_no.percent, PAPER_YES_NO),
        )
        missing = (
            self._without("supporting_facts", self.facts.count),
            self._without("answer", self.yes_no.count),
        )
        return DescribedPart(
            "averages",
            ScoreTable("Averages", ("what", "ours", "paper"), rows),
            note="The paper's yes/no share is table 2's, of 100 labelled questions.",
            missing=" ".join(filter(None, missing)),
        )
