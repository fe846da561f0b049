"""What people are refused here: a name for programs, a paragraph for people."""

from __future__ import annotations

from lacuna.errors import LacunaError


class RefusedError(LacunaError):
    """Something that a person may not do, or not now; nothing was changed."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        """Such as ``no-such-assignment``; pages decide by it, and never by the words."""


def plain_text(text: str, what: str, most: int, *, may_be_empty: bool = False) -> str:
    """Text as it can be stored everywhere; refused where it is too long or no text at all."""
    text = text.strip()
    if not text and not may_be_empty:
        raise RefusedError("no-text", f"{what} is empty. Write something.")
    if len(text) > most:
        raise RefusedError("too-long", f"{what} is longer than {most:,} characters. Shorten it.")
    if "\0" in text or any("\ud800" <= character <= "\udfff" for character in text):
        raise RefusedError("no-text", f"{what} holds characters that are no text. Remove them.")
    return text
