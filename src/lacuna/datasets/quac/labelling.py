"""What QuAC's authors labelled by hand: table 3."""

from __future__ import annotations

from lacuna.datasets.describing.labelling import Category, LabellingTask, LabelTable

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
