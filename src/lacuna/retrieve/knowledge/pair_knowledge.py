"""All that is known of a key span and an answer choice, as sentences to read (GapQA, 4.2)."""

from __future__ import annotations

from dataclasses import dataclass

from lacuna.retrieve.knowledge.sentences import FoundSentence
from lacuna.retrieve.knowledge.triple_rows import Triple
from lacuna.retrieve.knowledge.triples import FoundTriple
from lacuna.retrieve.knowledge.wording import BACK_OFF, sentence_of

TOP = 5
"""Triples and sentences for each choice, as in the paper."""


@dataclass(frozen=True, slots=True)
class Knowledge:
    """What was found for a pair of span and choice."""

    span: str
    choice: str
    sentences: tuple[FoundSentence, ...] = ()
    triples: tuple[FoundTriple, ...] = ()

    @property
    def found(self) -> bool:
        """Whether there is more than the back-off."""
        return bool(self.sentences or self.triples)

    @property
    def texts(self) -> tuple[str, ...]:
        """Sentences, triples in words, and last the back-off, in the order of the paper's figure.

        A pair of which nothing is known has the back-off alone, so this is never empty.
        """
        return (
            *(found.text for found in self.sentences),
            *(sentence_of(found.triple) for found in self.triples),
            sentence_of(back_off(self.span, self.choice)),
        )


def back_off(span: str, choice: str) -> Triple:
    """The paper's back-off: the pair itself, for what the encoder knows of the two words.

    >>> sentence_of(back_off("metal", "steel spoon"))
    'metal and steel spoon'
    """
    return Triple(BACK_OFF, span, choice, weight=0.0)
