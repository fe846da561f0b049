"""Questions that two simpler ones answer together."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lacuna.pipeline.lookups import LookupOperation, two_lookups


@pytest.mark.parametrize(
    ("question", "first", "second", "operation"),
    [
        (
            "How many more districts does Brannet have than Osk?",
            "How many districts does Brannet have?",
            "How many districts does Osk have?",
            LookupOperation.MINUS,
        ),
        (
            "How many bytes more does a long need than an int?",
            "How many bytes does a long need?",
            "How many bytes does an int need?",
            LookupOperation.MINUS,
        ),
        (
            "How much more does the ferry cost than the bus?",
            "How much does the ferry cost?",
            "How much does the bus cost?",
            LookupOperation.MINUS,
        ),
        (
            "How many metres higher is Mount Osk than Mount Tern?",
            "How high is Mount Osk?",
            "How high is Mount Tern?",
            LookupOperation.MINUS,
        ),
        (
            "How many hectares larger than Tern is Osk?",
            "How large is Osk?",
            "How large is Tern?",
            LookupOperation.MINUS,
        ),
        (
            "By how many metres is Osk's highest hill lower than Tern's?",
            "How high is Osk's highest hill?",
            "How high is Tern's highest hill?",
            LookupOperation.MINUS,
        ),
        (
            "How many more seats has the council of Osk than that of Tern?",
            "How many seats does the council of Osk have?",
            "How many seats does the council of Tern have?",
            LookupOperation.MINUS,
        ),
        (
            "By how much does the fee of the ferry exceed that of the bus?",
            "What is the fee of the ferry?",
            "What is the fee of the bus?",
            LookupOperation.MINUS,
        ),
        (
            "How many months lie between the shortest and the longest term of a lease?",
            "What is the shortest term of a lease?",
            "What is the longest term of a lease?",
            LookupOperation.MINUS,
        ),
        (
            "How many days passed between the launch of the ship and the fire?",
            "When was the launch of the ship?",
            "When was the fire?",
            LookupOperation.TIME_BETWEEN,
        ),
        (
            "How many years after the bank was founded did Ada Quill die?",
            "When did Ada Quill die?",
            "When was the bank founded?",
            LookupOperation.TIME_BETWEEN,
        ),
        (
            "How many years after Tern Abbey was Osk Abbey founded?",
            "When was Osk Abbey founded?",
            "When was Tern Abbey founded?",
            LookupOperation.TIME_BETWEEN,
        ),
        (
            "How many days passed between the launches of probe 1 and 2?",
            "When was the launch of probe 1?",
            "When was the launch of probe 2?",
            LookupOperation.TIME_BETWEEN,
        ),
        (
            "How many more visitors came in 1990 than in 1980?",
            "How many visitors came in 1990?",
            "How many visitors came in 1980?",
            LookupOperation.MINUS,
        ),
        (
            "What is the difference between the soft limit and the hard limit?",
            "What is the soft limit?",
            "What is the hard limit?",
            LookupOperation.MINUS,
        ),
        (
            "Which is longer, the Lune or the Tamble?",
            "How long is the Lune?",
            "How long is the Tamble?",
            LookupOperation.CHOOSE_MORE,
        ),
        (
            "Who is older, Ada Quill or Ellen Voss?",
            "When was Ada Quill born?",
            "When was Ellen Voss born?",
            LookupOperation.CHOOSE_SOONER,
        ),
        (
            "Which city has more districts, Brannet or Osk?",
            "How many districts does Brannet have?",
            "How many districts does Osk have?",
            LookupOperation.CHOOSE_MORE,
        ),
        (
            "Which abbey was founded first, Tern Abbey or Osk Abbey?",
            "When was Tern Abbey founded?",
            "When was Osk Abbey founded?",
            LookupOperation.CHOOSE_SOONER,
        ),
    ],
)
def test_a_clear_form_becomes_two_questions(
    question: str, first: str, second: str, operation: LookupOperation
) -> None:
    lookups = two_lookups(question)
    assert lookups is not None
    assert (lookups.first, lookups.second, lookups.operation) == (first, second, operation)


def test_a_choice_names_what_is_chosen_from() -> None:
    lookups = two_lookups("Which tower is taller, the Old Mill or the church?")
    assert lookups is not None
    assert lookups.names == ("the Old Mill", "the church")


@pytest.mark.parametrize(
    "question",
    [
        "How many districts does Brannet have?",
        "Who wrote the book?",
        "Is Osk larger than Brannet?",
        "How much more is known today?",
        "How many more rooms does the inn have than those by the sea?",
        "How many years lie between the first and the latest edition?",
        "Which rivers are longer?",
        "",
    ],
)
def test_other_questions_stay_whole(question: str) -> None:
    assert two_lookups(question) is None


@given(st.text(max_size=150))
def test_any_text_may_be_asked(text: str) -> None:
    two_lookups(text)
