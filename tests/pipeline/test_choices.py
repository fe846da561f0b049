from __future__ import annotations

import pytest

from lacuna.errors import LacunaError
from lacuna.pipeline.gapqa import BadChoices, labelled_question, typed_question


def test_choices_get_letters_and_lose_their_blanks() -> None:
    asked = typed_question("Which?", " a spoon|b,c |\td", " a fact ")
    assert [tuple(one) for one in asked.choices] == [("A", "a spoon"), ("B", "b,c"), ("C", "d")]
    assert (asked.text, asked.fact, asked.gold) == ("Which?", "a fact", None)


@pytest.mark.parametrize("count", [2, 3, 5, 26])
def test_any_number_of_choices_that_letters_can_name(count: int) -> None:
    asked = typed_question("Which?", "|".join(["same"] * count), "a fact")
    assert len({one.label for one in asked.choices}) == count


@pytest.mark.parametrize(
    ("choices", "fact", "words"),
    [
        ("a", "f", r"at least two\. Type \| between them"),
        ("a||c", "f", "Choice B is empty"),
        ("a|b", " ", "no core fact"),
        ("|".join("a" * 27), "f", "26 at most"),
    ],
)
def test_what_is_refused(choices: str, fact: str, words: str) -> None:
    with pytest.raises(LacunaError, match=words):
        typed_question("Which?", choices, fact)


@pytest.mark.parametrize(
    ("text", "choices", "fact", "code"),
    [
        (" ", ["a", "b"], "f", "question-empty"),
        ("Which?", ["a", "b"], "\n", "fact-empty"),
        ("Which?", [], "f", "too-few-choices"),
        ("Which?", ["a"], "f", "too-few-choices"),
        ("Which?", ["a", ""], "f", "choice-empty"),
        ("Which?", ["a", "b", "c", "d"], "f", "too-many-choices"),
    ],
)
def test_the_reason_is_named_for_programs(
    text: str, choices: list[str], fact: str, code: str
) -> None:
    with pytest.raises(BadChoices) as caught:
        labelled_question(text, choices, fact, most=3)
    assert caught.value.code == code
