"""Find words in a text that were copied from it, white space and typographic signs aside.

A copied clause often ends in a full stop where the text goes on, so that one may be missing.
"""

from __future__ import annotations

from lacuna.types import Span

_SAME = {
    **dict.fromkeys("‘’‚‛ʼ′`´", "'"),
    **dict.fromkeys("“”„‟«»″", '"'),
    **dict.fromkeys("‐‑‒–—―−", "-"),
    "…": "...",
    **dict.fromkeys("\u00ad\u200b\u2060\ufeff", ""),  # nothing is seen of these
}
_CLOSING = ".,;: "


def find_verbatim(text: str, words: str, *, ignore_case: bool = False) -> Span | None:
    """Where the words first stand in the text as words of their own; None where they do not.

    >>> find_verbatim("It was  “old”,\\nthey say.", '"old", they')
    Span(start=8, end=19)
    >>> find_verbatim("in 1931", "31") is None
    True
    """
    plain, places = _plain(text, ignore_case)
    wanted = _plain(words, ignore_case)[0].strip()
    for copied in dict.fromkeys((wanted, wanted.rstrip(_CLOSING))):
        at = plain.find(copied) if copied else -1
        while at >= 0:
            end = at + len(copied)
            if not (_inside_word(plain, at) or _inside_word(plain, end)):
                return Span(places[at], places[end - 1] + 1)
            at = plain.find(copied, at + 1)
    return None


def _plain(text: str, ignore_case: bool) -> tuple[str, list[int]]:
    """The text with its signs made alike, and where in the text each character comes from."""
    characters: list[str] = []
    places: list[int] = []
    for place, character in enumerate(text):
        if character.isspace():
            if characters and characters[-1] == " ":
                continue
            character = " "
        else:
            character = _SAME.get(character, character)
            if ignore_case:
                character = character.lower()
        characters += character
        places += [place] * len(character)
    return "".join(characters), places


def _inside_word(text: str, at: int) -> bool:
    return 0 < at < len(text) and text[at - 1].isalnum() and text[at].isalnum()
