"""The key span of a core fact by a rule (GapQA, section 5.3), before any model is trained.

The longest run of words of the fact that the question does not mention; stop words inside a run
neither break it nor count. The rule is trusted, as in the paper, where the question mentions at
least 60 % of the fact's stems.
"""

from __future__ import annotations

import re

from lacuna.text import content_stems
from lacuna.types import Span

TRUSTED_COVER = 0.6
WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")


def covered(fact: str, question: str) -> float:
    """The share of the fact's stems that the question mentions; 0 where the fact has none.

    >>> covered("metal lets heat travel through", "What lets heat travel?")
    0.75
    """
    stems = set(content_stems(fact))
    return len(stems & set(content_stems(question))) / len(stems) if stems else 0.0


def rule_span(fact: str, question: str) -> Span:
    """The key span by the rule; the whole fact where the question mentions all of it.

    >>> fact = "metal lets heat travel through"
    >>> start, end = rule_span(fact, "Which of these would let the most heat travel?")
    >>> fact[start:end]
    'metal'
    """
    mentioned = set(content_stems(question))
    best, run = _EMPTY, _EMPTY
    for word in WORD.finditer(fact):
        stems = set(content_stems(word.group()))
        if not stems:
            continue
        run = _EMPTY if stems & mentioned else run.longer(word)
        best = max(best, run, key=lambda each: each.words)  # of equals, the first
    return Span(best.start, best.end) if best.words else Span(0, len(fact))


class _Run:
    """Words in a row."""

    def __init__(self, start: int = 0, end: int = 0, words: int = 0) -> None:
        self.start, self.end, self.words = start, end, words

    def longer(self, word: re.Match[str]) -> _Run:
        return _Run(self.start if self.words else word.start(), word.end(), self.words + 1)


_EMPTY = _Run()
