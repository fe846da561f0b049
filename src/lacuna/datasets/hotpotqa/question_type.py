"""The type of a question by its central question word, as section 4 of HotpotQA's paper says."""

from __future__ import annotations

from lacuna.text import words

WH_WORDS = ("who", "whom", "whose", "what", "which", "when", "where", "why", "how")
VERBS = ("is", "are", "was", "were", "do", "does", "did")
"""The paper names "is", "are", "does" and "did" as examples."""
QUESTION_WORDS = frozenset((*WH_WORDS, *VERBS))
PREPOSITIONS = frozenset(("in", "at", "on", "of", "by", "for", "from", "with", "to", "under"))
NEAR_THE_START = 3
FOLLOWING = 2


def question_type(question: str) -> tuple[str, ...]:
    """The central question word, a preposition before it, and up to two words after it.

    The first question word is central if it is among the first three words, else the last one is,
    since relative clauses begin with the same words. Without any, the type is empty.

    >>> question_type("Which team does the MVP play for?")
    ('which', 'team', 'does')
    >>> question_type("The company that owns it is based in what city?")
    ('in what', 'city')
    """
    said = words(question)
    places = [at for at, word in enumerate(said) if word in QUESTION_WORDS]
    if not places:
        return ()
    central = places[0] if places[0] < NEAR_THE_START else places[-1]
    word = said[central]
    if central and said[central - 1] in PREPOSITIONS:
        word = f"{said[central - 1]} {word}"
    return (word, *said[central + 1 : central + 1 + FOLLOWING])
