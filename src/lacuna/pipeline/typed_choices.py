"""A question with choices, from what somebody typed."""

from __future__ import annotations

from string import ascii_uppercase

from lacuna.errors import LacunaError
from lacuna.types import Choice, Question

SEPARATOR = "|"


def typed_question(text: str, choices: str, fact: str) -> Question:
    """The question with its choices, which get the letters A, B, C, … as labels.

    >>> typed_question("Which is warm?", "the sun | ice", "stars are warm").choices[0]
    Choice(label='A', text='the sun')
    """
    if not fact.strip():
        raise LacunaError("The fact is empty. Write the fact that the question begins with.")
    texts = [part.strip() for part in choices.split(SEPARATOR)]
    if len(texts) < 2:
        raise LacunaError(
            f"There is but one choice in {choices!r}. Give at least two, with {SEPARATOR} between "
            "them."
        )
    if len(texts) > len(ascii_uppercase):
        raise LacunaError(
            f"There are {len(texts)} choices, more than letters to name them. Give "
            f"{len(ascii_uppercase)} at most."
        )
    if "" in texts:
        raise LacunaError(
            f"Choice {ascii_uppercase[texts.index('')]} is empty. Write something between every "
            f"two {SEPARATOR}, and before and after them."
        )
    labelled = (Choice(label, one) for label, one in zip(ascii_uppercase, texts, strict=False))
    return Question("asked", text, choices=tuple(labelled), fact=fact.strip())
