"""What mining asks of a link graph and of the titles in it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

Resolve = Callable[[str], str | None]
"""The title of the document that a link target leads to (through redirects, say), or None."""


class LinkGraph(Protocol):
    """Any graph that counts links; where a link leads is read from the documents themselves."""

    def in_link_count(self, title: str) -> int:
        """How many links lead to a title."""
        ...
