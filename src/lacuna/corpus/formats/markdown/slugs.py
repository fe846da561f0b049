"""The names that renderers give to headings, so that ``#how-to-sail`` can be found."""

from __future__ import annotations

import re

NOT_IN_SLUGS = re.compile(r"[^\w\- ]+")


class Slugs:
    """Makes the anchors of one page's headings as GitHub does.

    >>> slugs = Slugs()
    >>> slugs.of("How to sail?"), slugs.of("How to sail")
    ('how-to-sail', 'how-to-sail-1')
    """

    def __init__(self) -> None:
        self._seen: dict[str, int] = {}

    def of(self, heading: str) -> str:
        """The anchor of the next heading; one that was there before gets a number."""
        slug = NOT_IN_SLUGS.sub("", heading.strip().lower()).replace(" ", "-")
        count = self._seen.get(slug, 0)
        self._seen[slug] = count + 1
        return f"{slug}-{count}" if count else slug
