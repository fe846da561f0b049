"""QuAC described as its paper does: table 2, and figures 2, 5 and 6."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from lacuna.datasets.describing.counting import Mean, branches, length, percent, top_rows
from lacuna.datasets.describing.description import DescribedPart, Description
from lacuna.datasets.item import Block
from lacuna.datasets.quac.answer_positions import AnswerPositions
from lacuna.datasets.quac.chunks import given_answer, section_length
from lacuna.datasets.quac.turns import Turns, is_unanswerable, is_yes_no
from lacuna.figures.charts import TreeMap
from lacuna.metrics.score_tables import ScoreTable
from lacuna.text import words
from lacuna.types import Question

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
