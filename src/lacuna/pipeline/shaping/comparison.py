"""Yes or no by calculation, and what was calculated."""

from __future__ import annotations

from dataclasses import dataclass, replace

from lacuna.types import Answer, Evidence


@dataclass(frozen=True, slots=True)
class Comparison:
    """What a comparison came to, how it was calculated, and from what."""

    is_so: bool
    expression: str
    found_at: tuple[Evidence, ...]

    @property
    def answer(self) -> Answer:
        """Yes or no, with the comparison as its expression."""
        answer = (Answer.yes if self.is_so else Answer.no)(*self.found_at)
        return replace(answer, expression=self.expression)
