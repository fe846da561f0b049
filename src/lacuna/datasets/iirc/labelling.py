"""What IIRC's authors labelled by hand: table 1, and the errors of section 4.4."""

from __future__ import annotations

from lacuna.datasets.describing.labelling import Category, LabellingTask, LabelTable, titled
from lacuna.datasets.iirc.settings import retrieved
from lacuna.types import Question


def _links_and_reading(question: Question) -> dict[str, str]:
    """Where the links, the context or the model failed is seen from what there was to read."""
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
