"""Questions as people type them, made fit to be asked."""

from __future__ import annotations

import unicodedata

from lacuna.web.refusals import Refusal


def cleaned(question: str, longest: int) -> str:
    """The question in one line, without control characters; refused if it is empty or too long.

    >>> cleaned("When\\x00 was\\n it built? ", 100)
    'When was it built?'
    """
    if len(question) > longest:
        raise Refusal(
            422,
            "question-too-long",
            f"The question has {len(question):,} characters, and at most {longest:,} can be "
            "asked. Ask a shorter one; a long text can be uploaded and asked about.",
        )
    visible = (" " if unicodedata.category(one) in UNSEEN else one for one in question)
    asked = " ".join("".join(visible).split())
    if not asked:
        raise Refusal(422, "question-empty", "The question is empty. Type one.")
    return asked


UNSEEN = ("Cc", "Cs", "Co", "Cn")
"""Control characters, half surrogates, and what no character is assigned to."""
