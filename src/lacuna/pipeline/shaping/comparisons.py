"""Yes/no questions that compare amounts or dates."""

from __future__ import annotations

from collections.abc import Sequence

from lacuna.pipeline.shaping.compared_amount import compared_with_amount
from lacuna.pipeline.shaping.compared_sides import compared_with_each_other
from lacuna.pipeline.shaping.comparison import Comparison
from lacuna.types import Document


def compared(question: str, documents: Sequence[Document]) -> Comparison | None:
    """Yes or no by what the documents say, with the comparison; None where both sides are not
    read without doubt.

    >>> page = Document("Pump", "The pump runs for 900 seconds.")
    >>> compared("Does the pump run for more than 10 minutes?", [page]).expression
    '900 seconds > 10 minutes: yes'
    """
    return compared_with_amount(question, documents) or compared_with_each_other(
        question, documents
    )
