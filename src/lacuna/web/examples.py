"""Questions to begin with, over the demo corpus: one of each kind that shows something."""

from __future__ import annotations

from lacuna.web.models import Example

DEMO_EXAMPLES = (
    Example(
        question="For how many years did the Selmory Company own the islands?",
        title="Selmory Islands",
    ),
)
