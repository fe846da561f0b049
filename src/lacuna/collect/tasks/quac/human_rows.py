"""QuAC's human row: what people reach on a split, and what a system has to reach to be as good."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from lacuna.collect.tasks.quac.collected import CollectedDialog
from lacuna.datasets import get_dataset
from lacuna.datasets.quac.metric import QuacMetric
from lacuna.metrics.human_row import HumanRow

SETTING = "predicted-history"
"""What people reach is reckoned from their answers alone, so it holds in every setting; this is
the one that a board can have, where answers are hidden."""
YES_NO = QuacMetric.measures.index("yes/no")


def human_row(
    path: Path, dialogs: Sequence[CollectedDialog], made: str
) -> tuple[HumanRow, dict[str, float]]:
    """The row of a file of these dialogs, and the F1 to be reached on each question that counts."""
    metric = QuacMetric()
    with get_dataset("quac").open(path, gold_only=True) as reader:
        questions = [(group, one) for group, item in enumerate(reader) for one in item.questions]
    reached = [metric.human(question) for _, question in questions]
    said = [
        _like_the_teacher(dialog, at) for dialog in dialogs for at in range(len(dialog.answers))
    ]
    rows = [
        row if row[1] is None else (*row[:YES_NO], alike, *row[YES_NO + 1 :])
        for row, alike in zip(reached, said, strict=True)
    ]
    cut_offs = {
        question.id: row[0]
        for (_, question), row in zip(questions, reached, strict=True)
        if row[0] is not None and row[1] is not None
    }
    people = {person for dialog in dialogs for person in dialog.answerers}
    measures = metric.means(metric.finish([group for group, _ in questions], rows))
    row = HumanRow("quac", SETTING, len(questions), len(people), made, measures)
    return row, cut_offs


def _like_the_teacher(dialog: CollectedDialog, turn: int) -> float | None:
    """How many validators say yes, no or neither as the teacher did, whom systems are held to."""
    teacher, *others = (answer["yesno"] for answer in dialog.answers[turn])
    return sum(other == teacher for other in others) / len(others) if others else None
