"""What GapQA's authors labelled by hand: the gaps of section 3.1, the errors of section 5.4."""

from __future__ import annotations

from lacuna.datasets.describing.labelling import Category, LabellingTask, LabelTable

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
