"""What questions are like as a dialog goes on: what figure 6 of QuAC's paper shows."""

from __future__ import annotations

from lacuna.datasets.describing.counting import Mean
from lacuna.datasets.describing.description import DescribedPart
from lacuna.datasets.quac.answer_positions import LAST_TURN, TURN_NAMES
from lacuna.figures.charts import LineChart
from lacuna.metrics.score_tables import ScoreTable
from lacuna.types import AnswerKind, Question, YesNo

YES_NO, SEVERAL, NONE = "yes/no", "several answers", "no answer"


def is_unanswerable(question: Question) -> bool | None:
    """Whether most annotators found no answer; None where no answer is given."""
    answers = question.gold.answers if question.gold else ()
    if not answers:
        return None
    return 2 * sum(answer.kind is AnswerKind.NONE for answer in answers) >= len(answers)


def is_yes_no(question: Question) -> bool | None:
    """Whether the answer affirms or denies; None where the file does not say."""
    acts = question.gold.acts if question.gold else None
    return None if acts is None or acts.yes_no is None else acts.yes_no is not YesNo.NEITHER


def has_several_answers(question: Question) -> bool | None:
    """Whether two annotators chose spans that share nothing; None where there is one annotator.

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
