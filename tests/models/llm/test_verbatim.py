from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lacuna.models.llm.check_reply import find_verbatim


@pytest.mark.parametrize(
    ("text", "words", "found"),
    [
        ("She said: “It’s  1984–85”.", '"It\'s 1984-85"', "“It’s  1984–85”"),
        ("one\n\ttwo", "one two", "one\n\ttwo"),
        ("co\u00adoperate now", "cooperate", "co\u00adoperate"),
        ("wait… there", "wait... there", "wait… there"),
        ("the lighthouse", " the lighthouse\n", "the lighthouse"),
        ("684 metres high, in the north", "684 metres high.", "684 metres high"),
        ("It sank. Then it rained.", "It sank.", "It sank."),
    ],
)
def test_signs_and_spaces_do_not_matter(text: str, words: str, found: str) -> None:
    span = find_verbatim(text, words)
    assert span is not None
    assert text[span.start : span.end] == found


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("built in 1931", "31"),
        ("the others", "other"),
        ("The Kestrel", "the kestrel"),
        ("anything", ""),
        ("anything", " \n"),
        ("", "a"),
        ("born in 1897", "born in 1987"),
        ("a full stop.", ". ."),
    ],
)
def test_what_does_not_stand_there(text: str, words: str) -> None:
    assert find_verbatim(text, words) is None


def test_a_later_place_counts_where_the_first_is_inside_a_word() -> None:
    assert find_verbatim("Brannets and Brannet", "Brannet") == (13, 20)


def test_case_is_ignored_where_that_is_asked_for() -> None:
    text = "İ The Kestrel"
    span = find_verbatim(text, "the kestrel", ignore_case=True)
    assert span is not None
    assert text[span.start : span.end] == "The Kestrel"


@given(st.text(), st.text(), st.text())
def test_a_copied_part_is_found(before: str, part: str, after: str) -> None:
    text = f"{before} {part} {after}"
    span = find_verbatim(text, part)
    if span is None:
        # Nothing to be seen of it, or it touches a mark that is no sign of its own.
        assert not find_verbatim(part, part)
    else:
        assert 0 <= span.start < span.end <= len(text)
