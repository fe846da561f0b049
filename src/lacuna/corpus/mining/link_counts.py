"""What mining asks of a link graph."""

from __future__ import annotations

from typing import Protocol


class LinkCounts(Protocol):
    """Any link graph that can count; the documents themselves say where their links lead."""

    def in_link_count(self, title: str) -> int:
        """How many links lead to a title."""
        ...
