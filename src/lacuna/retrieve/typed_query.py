"""A query as a person types it."""

from __future__ import annotations

import re

QUOTED = re.compile(r'"([^"]*)"')


def split_phrases(query: str) -> tuple[str, list[str]]:
    """The loose words of a query, and its "quoted phrases"; a lone quote is no phrase.

    >>> split_phrases('who taught "pilots school"')
    ('who taught  ', ['pilots school'])
    """
    phrases = [phrase for phrase in QUOTED.findall(query) if phrase.strip()]
    return QUOTED.sub(" ", query), phrases
