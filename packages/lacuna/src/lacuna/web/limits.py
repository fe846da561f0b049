"""How much the server takes on; whoever meets a limit is told which, and what to do."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import ClassVar

from pydantic import ConfigDict

from lacuna.pipeline.query import LONGEST_QUESTION
from lacuna.web.refusals import Refusal

MB = 1 << 20
UNSEEN = ("Cc", "Cs", "Co", "Cn")
"""Control characters, half surrogates, private characters, and code points without a character."""


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of one server."""

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(use_attribute_docstrings=True)

    question: int = LONGEST_QUESTION
    """Characters of a question."""
    fact: int = 2_000
    """Characters of a core fact."""
    choice: int = 2_000
    """Characters of one choice."""
    choices: int = 26
    """Choices of a question: one for each letter."""
    waiting: int = 32
    """Questions in the queue, beyond those that are being answered."""
    body: int = 64 << 10
    """Bytes of a request that is not an upload."""
    upload: int = 16 * MB
    """Bytes of an upload."""
    unpacked: int = 64 * MB
    """Bytes of an upload's pages when they are unpacked."""
    pictures: int = 16 * MB
    """Bytes of an upload's pictures when they are unpacked; the others are not shown."""
    pages: int = 5_000
    """Pages of an upload, or of a folder that is opened from the page."""
    files_seen: int = 100_000
    """Files of any kind that are looked at in a folder before it is called too large."""
    corpora: int = 20
    """Uploaded or opened corpora at a time; who has most of them makes room, with the one not used
    for longest."""
    indexing: int = 20
    """Corpora that wait to be indexed, beyond the one that is."""
    upload_hours: float = 24
    """How long an upload stays open."""
    answers: int = 500
    """Answers in the cache, for follow-up questions and shared links."""
    feedback: int = 64 * MB
    """Bytes of all feedback, in a file or in what servers share."""
    turns: int = 20
    """Earlier questions of a dialog that a follow-up is read with."""
    connections: int = 512
    """Connections at a time; beyond it the most idle are closed."""
    connections_per_address: int = 256
    """Those of one address."""
    header_seconds: float = 15
    """How long a connection may be without a whole request, whatever of one has come."""
    body_idle_seconds: float = 20
    """How long nothing may come of a request that was begun."""
    body_seconds: float = 300
    """How long all of it may take."""
    stalled_seconds: float = 30
    """How long a client may take nothing of its answer."""
    answer_seconds: float = 1_800
    """How long an answer may take, waiting included."""


def clean_line(text: str, longest: int, what: str = "question", which: str = "") -> str:
    """A typed text on one line, without control characters; refused if empty or too long.

    The refusal names ``what`` it is, and ``which`` of several.

    >>> clean_line("When\\x00 was\\n it built? ", 100)
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
    visible = (" " if unicodedata.category(char) in UNSEEN else char for char in text)
    line = " ".join("".join(visible).split())
    if not line:
        raise Refusal(422, f"{code}-empty", f"The {what}{which} is empty. Type one.")
    return line
