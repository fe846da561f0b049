"""QuAC described as its paper does, and what its authors labelled by hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from lacuna.datasets.base import Block
from lacuna.datasets.quac_metric import CHUNKS, chunk_at, given_answer, section_length
from lacuna.metrics.report import ScoreTable
from lacuna.text import words
from lacuna.types import Answer, AnswerKind, Question, YesNo
from lacuna_lab.describe.description import (
    DescribedPart,
    Description,
    Mean,
    branches,
    length,
    percent,
    top_rows,
)
from lacuna_lab.describe.labelling import Category, LabellingTask, LabelTable
from lacuna_lab.figures.charts import BarChart, HeatMap, LineChart, TreeMap

TASKS = (
    LabellingTask(
        "questions",
        (
            LabelTable(
                "Kinds of questions (table 3)",
                "kind",
                (
                    Category("non-factoid", "does not ask for a specific fact", 54),
                    Category("contextual", "cannot be understood by itself", 86),
                    Category("coref (article)", "refers to what the article is about", 61),
                    Category("coref (history)", "refers to what was said before", 44),
                    Category("anything else", "asks for whatever else there is", 11),
                ),
                several=True,
            ),
        ),
        one_a_text=True,
    ),
)


NO_ANSWER = CHUNKS
"""The number of the chunk that stands for no answer."""
CHUNK_NAMES = (*(str(number) for number in range(1, CHUNKS + 1)), "none")
ACROSS = "chunk of the answer"
LAST_TURN = 12
"""Dialogs end after twelve questions; what a file has beyond is counted there."""
TURN_NAMES = tuple(str(number) for number in range(1, LAST_TURN + 1))


def chunk_of(answer: Answer, section: int) -> int | None:
    """The chunk, of 12 equal ones of the section, in which the answer begins; None if not known.

    >>> from lacuna.types import Evidence
    >>> chunk_of(Answer.span("in 1931", Evidence("Marrow", 60, 67)), 120)
    6
    """
    if not answer.texts:
        return NO_ANSWER
    if not answer.found_at or not section:
        return None
    return chunk_at(answer.found_at[0].start, section)


class AnswerPositions:
    """Counts of chunks by turn, of steps from chunk to chunk, and of the chunks of a dialog."""

    def __init__(self) -> None:
        self.by_turn = [[0] * (CHUNKS + 1) for _ in range(LAST_TURN)]
        self.steps = [[0] * (CHUNKS + 1) for _ in range(CHUNKS + 1)]
        self.covered: Counter[int] = Counter()
        self.mean_covered = Mean()

    def add_dialog(self, questions: Sequence[Question], section: int) -> None:
        """Count one dialog."""
        before: int | None = None
        seen: set[int] = set()
        for turn, question in enumerate(questions):
            answer = given_answer(question)
            chunk = None if answer is None else chunk_of(answer, section)
            if chunk is not None:
                self.by_turn[min(turn, LAST_TURN - 1)][chunk] += 1
                if chunk != NO_ANSWER:
                    seen.add(chunk)
                if before is not None:
                    self.steps[before][chunk] += 1
            before = chunk
        if seen:
            self.covered[len(seen)] += 1
            self.mean_covered.add(len(seen))

    def parts(self) -> Iterator[DescribedPart]:
        """Figure 5, a to d."""
        tables = {
            "positions": (
                "Where answers stand, by turn (figure 5a), %",
                "turn",
                TURN_NAMES,
                _row_shares(self.by_turn),
            ),
            "transitions": (
                "From answer to answer (figure 5b), %",
                "chunk of the answer before",
                CHUNK_NAMES,
                _row_shares(self.steps),
            ),
        }
        known = (share for *_, shares in tables.values() for row in shares for share in row)
        darkest = max((share for share in known if share is not None), default=None)
        for name, (title, down, labels, shares) in tables.items():
            rows = tuple((label, *row) for label, row in zip(labels, shares, strict=True))
            yield DescribedPart(
                name,
                ScoreTable(title, (f"{down} \\ {ACROSS}", *CHUNK_NAMES), rows),
                HeatMap(title, ACROSS, down, CHUNK_NAMES, labels, shares, darkest),
                note="A section is 12 chunks of equal length; an answer is where it begins. Rows "
                "sum to 100; both figures have one scale.",
            )
        yield self._coverage()
        yield self._chunks_of_dialogs()

    def _coverage(self) -> DescribedPart:
        counts = [sum(row[chunk] for row in self.by_turn) for chunk in range(CHUNKS)]
        shares = [percent(count, sum(counts)) or 0.0 for count in counts]
        title = "Answers in each chunk of the section (figure 5c)"
        rows = tuple(zip(CHUNK_NAMES, counts, shares, strict=False))
        return DescribedPart(
            "coverage",
            ScoreTable(title, ("chunk", "answers", "%"), rows),
            BarChart(title, "chunk", "% of answers", CHUNK_NAMES[:CHUNKS], shares),
        )

    def _chunks_of_dialogs(self) -> DescribedPart:
        labels = [str(many) for many in range(1, CHUNKS + 1)]
        counts = [self.covered[many] for many in range(1, CHUNKS + 1)]
        shares = [percent(count, sum(counts)) or 0.0 for count in counts]
        title = "Different chunks that a dialog covers (figure 5d)"
        mean = self.mean_covered.value
        return DescribedPart(
            "chunks_of_dialogs",
            ScoreTable(
                title, ("chunks", "dialogs", "%"), tuple(zip(labels, counts, shares, strict=True))
            ),
            BarChart(title, "different chunks", "% of dialogs", labels, shares),
            note=""
            if mean is None
            else f"{mean:.1f} on average; the paper says around five, mostly three to six.",
        )


def _row_shares(counts: Sequence[Sequence[int]]) -> list[list[float | None]]:
    return [[percent(count, sum(row)) for count in row] for row in counts]


YES_NO, SEVERAL, NONE = "yes/no", "several answers", "no answer"


def is_unanswerable(question: Question) -> bool | None:
    """Tell if most annotators found no answer; None where no answer is given."""
    answers = question.gold.answers if question.gold else ()
    if not answers:
        return None
    return 2 * sum(answer.kind is AnswerKind.NONE for answer in answers) >= len(answers)


def is_yes_no(question: Question) -> bool | None:
    """The answer's affirmation or denial; None where the file does not say."""
    acts = question.gold.acts if question.gold else None
    return None if acts is None or acts.yes_no is None else acts.yes_no is not YesNo.NEITHER


def has_several_answers(question: Question) -> bool | None:
    """Tell if two annotators chose spans that share nothing; None where there is one annotator.

    A question that most of them found no answer to has none, however the others answered.
    """
    answers = question.gold.answers if question.gold else ()
    if len(answers) < 2:
        return None
    places = [answer.found_at[0] for answer in answers if answer.texts and answer.found_at]
    if is_unanswerable(question) or not places:
        return False
    return max(place.start for place in places) >= min(place.end for place in places)


class Turns:
    """Shares of questions that ask for yes or no, have several answers, or none, by turn."""

    def __init__(self) -> None:
        self.shares = {name: [Mean() for _ in range(LAST_TURN)] for name in (YES_NO, SEVERAL, NONE)}

    def add(self, question: Question, turn: int) -> None:
        """Count one question."""
        kinds = {
            YES_NO: is_yes_no(question),
            SEVERAL: has_several_answers(question),
            NONE: is_unanswerable(question),
        }
        for name, kind in kinds.items():
            if kind is not None:
                self.shares[name][min(turn, LAST_TURN - 1)].add(kind)

    def part(self) -> DescribedPart:
        """Figure 6."""
        curves = {
            name: [mean.percent for mean in means]
            for name, means in self.shares.items()
            if any(mean.count for mean in means)
        }
        title = "Questions as the dialog goes on (figure 6), %"
        rows = tuple(zip(TURN_NAMES, *curves.values(), strict=True))
        lacking = []
        if YES_NO not in curves:
            lacking.append("No question has the field 'yesno'.")
        if SEVERAL not in curves:
            lacking.append("No question has two references (field 'answers').")
        return DescribedPart(
            "turns",
            ScoreTable(title, ("turn", *curves), rows),
            LineChart(title, "turn", "% of questions", tuple(range(1, LAST_TURN + 1)), curves),
            note="Several answers: two annotators chose spans that share no character. The paper "
            "does not say how it counts them, and gives this figure without numbers.",
            missing=" ".join(lacking),
        )


PAPER_TABLE_2 = {
    "questions": (83_568, 7_354, 7_353, 98_407),
    "dialogs": (11_567, 1_000, 1_002, 13_594),
    "different sections": (6_843, 1_000, 1_002, 8_854),
    "words a section": (396.8, 440.0, 445.8, 401.0),
    "words a question": (6.5, 6.5, 6.5, 6.5),
    "words an answer": (15.1, 12.3, 12.3, 14.6),
    "questions a dialog": (7.2, 7.4, 7.3, 7.2),
    "yes/no, %": (26.4, 22.1, 23.4, 25.8),
    "unanswerable, %": (20.2, 20.2, 20.1, 20.2),
}
"""Train, dev, test and all; the paper counts tokens."""
WH_WORDS = frozenset(
    ("what", "who", "when", "where", "why", "how", "which", "whose", "whom"),
)
WH_SHOWN = 8
PAIRS_SHOWN = 20


class QuacDescription(Description):
    """Dialogs, sections, Wh words, positions and turns."""

    def __init__(self) -> None:
        self.questions = 0
        self.dialogs = Mean()
        self.sections: set[int] = set()
        self.section_length, self.question_length = Mean(), Mean()
        self.span_length, self.answer_length = Mean(), Mean()
        self.yes_no, self.unanswerable = Mean(), Mean()
        self.beginnings: Counter[tuple[str, ...]] = Counter()
        self.positions, self.turns = AnswerPositions(), Turns()

    def add_block(self, block: Block) -> None:
        self.dialogs.add(len(block.questions))
        size = 0
        if block.document is not None:
            text = block.document.text
            size = section_length(text)
            if (known := hash(text)) not in self.sections:
                self.sections.add(known)
                self.section_length.add(length(text[:size]))
        for turn, question in enumerate(block.questions):
            self._add(question)
            self.turns.add(question, turn)
        self.positions.add_dialog(block.questions, size)

    def _add(self, question: Question) -> None:
        self.questions += 1
        self.question_length.add(length(question.text))
        self.beginnings[tuple(words(question.text)[:2])] += 1
        if (yes_no := is_yes_no(question)) is not None:
            self.yes_no.add(yes_no)
        if (unanswerable := is_unanswerable(question)) is not None:
            self.unanswerable.add(unanswerable)
        if (answer := given_answer(question)) is not None:
            size = length(answer.text) if answer.texts else 1
            self.answer_length.add(size)
            if answer.texts:
                self.span_length.add(size)

    def parts(self) -> Iterator[DescribedPart]:
        yield self._table_2()
        yield self._wh_words()
        yield from self.positions.parts()
        yield self.turns.part()

    def _table_2(self) -> DescribedPart:
        ours = {
            "questions": self.questions,
            "dialogs": self.dialogs.count,
            "different sections": len(self.sections),
            "words a section": self.section_length.value,
            "words a question": self.question_length.value,
            "words an answer": self.span_length.value,
            "words an answer, none as one word": self.answer_length.value,
            "questions a dialog": self.dialogs.value,
            "yes/no, %": self.yes_no.percent,
            "unanswerable, %": self.unanswerable.percent,
        }
        rows = tuple(
            (what, value, *PAPER_TABLE_2.get(what, (None,) * 4)) for what, value in ours.items()
        )
        columns = (
            "what",
            "ours",
            *(f"paper, {split}" for split in ("train", "dev", "test", "all")),
        )
        without = self.questions - self.yes_no.count
        return DescribedPart(
            "averages",
            ScoreTable("Counts and averages (table 2)", columns, rows),
            note="Answers are those that the dialogs went on with. The paper's train column fits "
            "spans alone, its dev column all answers.",
            missing=f"{without:,} questions have no field 'yesno'." if without else "",
        )

    def _wh_words(self) -> DescribedPart:
        asked = {pair: count for pair, count in self.beginnings.items() if pair}
        wh = {pair: count for pair, count in asked.items() if pair[0] in WH_WORDS}
        named = {" ".join(pair): count for pair, count in asked.items()}
        title = f"Questions by their Wh word (figure 2, the {WH_SHOWN} most frequent)"
        share = percent(sum(wh.values()), sum(asked.values()))
        shown = branches(wh, WH_SHOWN)
        return DescribedPart(
            "wh_words",
            ScoreTable(
                "How questions begin (figure 2)",
                ("first two words", "questions", "%"),
                tuple(top_rows(named, PAIRS_SHOWN)),
            ),
            TreeMap(title, tuple(branch for branch in shown if branch.name)) if wh else None,
            note=""
            if share is None
            else f"{share:.1f} % begin with a Wh word; boxes are as large "
            "as their share of these. The paper gives this figure without numbers.",
        )
