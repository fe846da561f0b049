"""Questions to begin with: one of each kind that shows something."""

from __future__ import annotations

from lacuna.server.choice_schemas import ToChoose
from lacuna.server.schemas import Example

DEMO_EXAMPLES = (
    Example(
        question="How old was the island's best-known native when the strike that she led began?",
        title="Torrow",
    ),
    Example(
        question="Who was the first editor of the newspaper printed in Quay Street?",
        title="Kelmouth",
    ),
    Example(
        question="Had the Bank of Selmory existed for more than forty years when the Skelder Light "
        "Railway was opened?"
    ),
    Example(question="When was Gannery Light first lit?"),
    Example(question="How much rain falls on Torrow in a year?", title="Torrow"),
)

WITH_CHOICES = ToChoose(
    question="Through which of these would heat pass quickly?",
    fact="heat passes quickly through metals",
    choices=["a wooden spoon", "a steel ladle", "a woollen mitten", "a rubber ball"],
)
