from __future__ import annotations

from gap_toys import CHOICES, FACT, QUESTION

from lacuna.models.gapqa.gapqa_reader import QuestionRows, Shown, question_rows
from lacuna.models.gapqa.rows import Part, Row
from lacuna.retrieve.knowledge.knowledge_base import Knowledge
from lacuna.retrieve.knowledge.search import FoundSentence

KNOWN = [
    Knowledge("metal", CHOICES[0].text),
    Knowledge("metal", CHOICES[1].text, (FoundSentence("A spoon of metal is hot.", "book", 1.0),)),
    Knowledge("metal", CHOICES[2].text),
]
BLANK = Row.joined([(Part.GLUE, [1])])


class Recorder:
    """Remembers what rows were asked for."""

    def __init__(self) -> None:
        self.questions: list[tuple[str, str]] = []
        self.choices: list[tuple[str, str, str | None]] = []
        self.lines: list[tuple[str, str, str]] = []

    def question_row(self, question: str, fact: str) -> Row:
        self.questions.append((question, fact))
        return BLANK

    def choice_row(self, question: str, choice: str, fact: str | None) -> Row:
        self.choices.append((question, choice, fact))
        return BLANK

    def knowledge_row(self, span: str, choice: str, line: str) -> Row:
        self.lines.append((span, choice, line))
        return BLANK


def made(shown: Shown) -> tuple[QuestionRows, Recorder]:
    rows = Recorder()
    return question_rows(rows, QUESTION, KNOWN, shown), rows


def test_a_row_for_the_question_each_choice_and_each_line() -> None:
    whole, asked = made(Shown())
    assert asked.questions == [(QUESTION.text, FACT)]
    assert asked.choices == [(QUESTION.text, one.text, FACT) for one in CHOICES]
    assert [len(some) for some in whole.knowledge] == [1, 2, 1]
    assert asked.lines[1:3] == [
        ("metal", "a steel spoon", "A spoon of metal is hot."),
        ("metal", "a steel spoon", "metal and a steel spoon"),
    ]


def test_the_baseline_without_a_fact() -> None:
    _, asked = made(Shown(fact=False))
    assert [fact for _, _, fact in asked.choices] == [None] * 3


def test_without_knowledge_no_choice_has_a_line() -> None:
    whole, asked = made(Shown(knowledge=False))
    assert whole.knowledge == ((), (), ())
    assert not asked.lines


def test_without_spans_lines_stand_beside_the_whole_fact() -> None:
    _, asked = made(Shown(span=False))
    assert {span for span, _, _ in asked.lines} == {FACT}
    assert asked.lines[0][2] == "metal and a wooden oar", "what was found stays as it is"
