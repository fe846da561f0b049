"""Which sentences are fit to be knowledge (GapQA, appendix D).

Long sentences, negated ones and noisy ones are left out. A clean sentence has letters, digits and
standard punctuation only, begins with a letter or a digit, is a single sentence, and uses hyphens
only inside hyphenated words.
"""

from __future__ import annotations

import re

LONGEST = 300

NEGATION = re.compile(
    r"\b(?:no|not|never|none|nor|neither|nothing|nobody|nowhere|cannot|without|except)\b"
    r"|n['’]t\b",
    re.IGNORECASE,
)
STANDARD = re.compile(r"[^\W_](?:[^\W_]|[\s.,;:!?%&()'\"‘’“”/-])*")
SECOND_SENTENCE = re.compile(r"[.!?]['\")’”]*\s+\S")
LOOSE_HYPHEN = re.compile(r"(?<![^\W_])-|-(?![^\W_])")


def unfit(sentence: str) -> str | None:
    """Why a sentence is left out, or None where it is fit.

    >>> unfit("Metal is not a good insulator.")
    'negation'
    >>> unfit("A steel-framed house is strong.") is None
    True
    """
    if len(sentence) > LONGEST:
        return f"longer than {LONGEST} characters"
    if NEGATION.search(sentence):
        return "negation"
    if not STANDARD.fullmatch(sentence):
        return "other characters than letters, digits and standard punctuation"
    if SECOND_SENTENCE.search(sentence):
        return "more than one sentence"
    if LOOSE_HYPHEN.search(sentence):
        return "a hyphen outside a hyphenated word"
    return None
