"""Letters that have another length in lower case, in upper case, folded or normalised."""

from __future__ import annotations

import unicodedata
from functools import cache

A_LINE = 200


@cache
def length_changing() -> tuple[str, ...]:
    """All of Unicode's, some hundred at a time; what is no sign of a text is left out."""
    letters = [chr(code) for code in range(0x110000) if _changes(chr(code))]
    assert "İ" in letters
    return tuple("".join(letters[at : at + A_LINE]) for at in range(0, len(letters), A_LINE))


def _changes(letter: str) -> bool:
    if unicodedata.category(letter) in ("Cs", "Cn", "Cc"):
        return False
    forms = [letter.lower(), letter.upper(), letter.casefold(), letter.title()]
    forms += [unicodedata.normalize(form, letter) for form in ("NFC", "NFD", "NFKC", "NFKD")]
    return any(len(form) != 1 for form in forms)
