"""Blanks of a sheet about a dataset or a model: what only a person can say."""

from __future__ import annotations

BEGINNING = "*[To be filled in: "


def blank(what: str) -> str:
    """A place that somebody has to fill in, as Markdown.

    >>> blank("whom to write to")
    '*[To be filled in: whom to write to]*'
    """
    return f"{BEGINNING}{what}]*"


def as_plain_markdown(said: str) -> str:
    """What people wrote, so that Markdown makes nothing of it but text.

    >>> as_plain_markdown("a_b <i>")
    'a\\\\_b \\\\<i\\\\>'
    """
    return "".join(f"\\{char}" if char in "\\`*_{}[]<>()#+-!|&~" else char for char in said)
