"""The mark that ends what a mark begins, not looked for again where there is none.

For every mark that begins something, docutils looks for its end in all that follows. Where most of
them have none, such as the stars of a formula, that takes time with the square of the text.
"""

from __future__ import annotations

import re

ENDS = ("emphasis", "strong", "interpreted_or_phrase_ref", "literal", "target", "substitution_ref")
"""The names of docutils' patterns for ends."""


class EndPattern:
    """A pattern for an end, in the place of docutils' own: as much of it as docutils uses.

    All texts that are searched until ``forget`` are ends of one text. What is not found in one of
    them is not in a shorter one either; or at its very beginning, where docutils has no use for it.
    """

    def __init__(self, pattern: re.Pattern[str]) -> None:
        self._pattern = pattern
        self._nothing_in = 0

    def search(self, text: str) -> re.Match[str] | None:
        """The first end in a text."""
        if len(text) <= self._nothing_in:
            return None
        found = self._pattern.search(text)
        if found is None:
            self._nothing_in = len(text)
        return found

    def forget(self) -> None:
        """Another text comes."""
        self._nothing_in = 0
