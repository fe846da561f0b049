"""Questions, facts and choices as people type them, made fit to be asked."""

from __future__ import annotations

import unicodedata

from lacuna.server.refusals import Refusal


def cleaned(text: str, longest: int, what: str = "question", which: str = "") -> str:
    """A text in one line, without control characters; refused if it is empty or too long.

    ``what`` it is, and ``which`` of several, is said in the refusal.

    >>> cleaned("When\\x00 was\\n it built? ", 100)
    'When was it built?'
    """
    code = what.split()[-1]
    if len(text) > longest:
        raise Refusal(
            422,
            f"{code}-too-long",
            f"The {what}{which} has {len(text):,} characters, and at most {longest:,} can be "
            "read. Give a shorter one; a long text can be uploaded and asked about.",
        )
    visible = (" " if unicodedata.category(one) in UNSEEN else one for one in text)
    line = " ".join("".join(visible).split())
    if not line:
        raise Refusal(422, f"{code}-empty", f"The {what}{which} is empty. Type one.")
    return line


UNSEEN = ("Cc", "Cs", "Co", "Cn")
"""Control characters, half surrogates, and what no character is assigned to."""
