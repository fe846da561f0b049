"""How much the server takes on; each limit is told to the person who meets it."""

from __future__ import annotations

from dataclasses import dataclass

MB = 1 << 20


@dataclass(frozen=True, slots=True)
class Limits:
    """What one server bears."""

    question: int = 2_000
    """Characters of a question."""
    fact: int = 2_000
    """Characters of a core fact."""
    choice: int = 2_000
    """Characters of one choice."""
    choices: int = 26
    """Choices of a question: one for each letter."""
    waiting: int = 32
    """Questions in line, beyond those that are being answered."""
    body: int = 64 << 10
    """Bytes of a request that is not an upload."""
    upload: int = 16 * MB
    """Bytes of an upload."""
    unpacked: int = 64 * MB
    """Bytes of an upload's pages when they are unpacked."""
    pages: int = 5_000
    """Pages of an upload, or of a folder that is opened from the page."""
    files_seen: int = 100_000
    """Files of any kind that are looked at in a folder before it is called too large."""
    corpora: int = 20
    """Uploaded or opened corpora at a time; the one not used for longest makes room."""
    upload_hours: float = 24
    """How long an upload is kept."""
    answers: int = 500
    """Answers that are kept for follow-up questions and shared links."""
    turns: int = 20
    """Earlier questions of a dialog that a follow-up is told of."""
