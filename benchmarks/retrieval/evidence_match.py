"""Whether a text holds the sentence that answers a question.

Case, punctuation, white space and markup make no difference. The text of a table row also counts
where a reader has put the names of the columns between its cells: all its words must then stand in
one line, in order, with only a few other words before each.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from lacuna.text import words

FEW = 8
"""Words that may stand between two cells of a row: the name of a column."""


@dataclass(frozen=True)
class EvidenceSentence:
    """A sentence to be looked for."""

    text: str

    @cached_property
    def _words(self) -> list[str]:
        return words(self.text)

    def is_in(self, text: str) -> bool:
        """Whether the text says it.

        >>> EvidenceSentence("Gold $20").is_in("Plan: Gold | Price: $20")
        True
        >>> EvidenceSentence("Gold $20").is_in("Plan: Gold\\nPrice: $20")
        False
        """
        # Without spaces, because markup may join words or part them.
        if "".join(self._words) in "".join(words(text)):
            return True
        return any(self._in_line(words(line)) for line in text.splitlines())

    def _in_line(self, line: list[str]) -> bool:
        """Whether all words stand in the line in order, with few others between."""
        if len(line) < len(self._words):
            return False
        ends = {place for place, word in enumerate(line) if word == self._words[0]}
        for wanted in self._words[1:]:
            ends = {
                place
                for end in ends
                for place in range(end + 1, min(end + 2 + FEW, len(line)))
                if line[place] == wanted
            }
        return bool(ends)
