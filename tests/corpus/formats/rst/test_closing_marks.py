"""Ends of inline marks are found as docutils finds them, in linear time."""

from __future__ import annotations

import re
from unittest.mock import Mock, patch

from hypothesis import given
from hypothesis import strategies as st

from lacuna.corpus.formats import rst_syntax as closing_marks
from lacuna.corpus.formats.rst_syntax import parse_document

PIECES = ["*", "**", "`", "``", "|", "_", "_`", "__", ":a:", "a", " ", "\n", "\\", "(", ")", "<b>"]


def search_anew(end: closing_marks.EndPattern, text: str) -> re.Match[str] | None:
    return end._pattern.search(text)


@given(st.lists(st.sampled_from(PIECES), max_size=40).map("".join))
def test_what_is_remembered_changes_nothing(text: str) -> None:
    remembered = parse_document(text).pformat()
    with patch.object(closing_marks.EndPattern, "search", search_anew):
        assert parse_document(text).pformat() == remembered


def test_an_end_that_is_not_there_is_looked_for_once() -> None:
    pattern = Mock(spec=re.Pattern)
    pattern.search.return_value = None
    end = closing_marks.EndPattern(pattern)
    for rest in ("a b c", "b c", "c"):
        assert end.search(rest) is None
    assert pattern.search.call_count == 1
    end.forget()
    assert end.search("d") is None
    assert pattern.search.call_count == 2
