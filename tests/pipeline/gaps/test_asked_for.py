"""What a question asks for, as a phrase."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lacuna.pipeline.gaps import asked_for, names, split_question

WORDS = st.lists(
    st.sampled_from(
        [
            "who",
            "what",
            "which",
            "how",
            "many",
            "long",
            "when",
            "where",
            "did",
            "does",
            "do",
            "is",
            "was",
            "can",
            "the",
            "a",
            "of",
            "that",
            "ferry",
            "Osk",
            "built",
            "leave",
            "die",
            "it's",
            ",",
            "?",
            ".",
            "“",
            "Ellen's",
        ]
    ),
    max_size=12,
)


@pytest.mark.parametrize(
    ("question", "phrase"),
    [
        ("When did Mara Lind leave Osk?", "when Mara Lind left Osk"),
        ("How many pupils does Hobwick Academy have?", "how many pupils Hobwick Academy has"),
        ("What do I pay?", "what I pay"),
        ("Where is the ferry?", "where the ferry is"),
        ("what is Osk", "what Osk is"),
        ("Who was in charge of the ferry?", "who was in charge of the ferry"),
        ("Who was captain before Mara Lind?", "who was captain before Mara Lind"),
        ("What's the toll?", "what the toll is"),
        ("What is the hut for?", "what the hut is for"),
        ("What is the ferry built of?", "what the ferry is built of"),
        ("What was the old ferry built by Lind?", "what the old ferry built by Lind was"),
        ("Which ferries are named in it?", "which ferries are named in it"),
        ("Which ferry is the oldest?", "which ferry is the oldest"),
        ("Which year was the ferry built?", "which year the ferry was built"),
        ("In which year was the ferry built?", "in which year the ferry was built"),
        ("Whose idea was the ferry?", "whose idea the ferry was"),
        ("How old was Lind when she died?", "how old Lind was when she died"),
        ("How many seats are there on deck?", "how many seats there are on deck"),
        ("How many people live in Osk?", "how many people live in Osk"),
        ("Where was the ferry expected to be built?", "where the ferry was expected to be built"),
        ("What happens if the ferry is late?", "what happens if the ferry is late"),
        ("May I take a dog?", "whether I may take a dog"),
        ("Was the ferry built in Osk?", "whether the ferry was built in Osk"),
        ("Name the ports of Osk.", "the ports of Osk"),
    ],
)
def test_turned_round(question: str, phrase: str) -> None:
    assert asked_for(question) == phrase


@pytest.mark.parametrize(
    "question",
    [
        "Is the ferry the oldest of them?",  # where the subject ends cannot be told
        "What does the ferry weigh?",  # not a verb that is known
        "Who is older, Ada or Mara?",
        "How many years after it was first written did she leave?",
        "Why?",
        "ferry to Osk",
    ],
)
def test_what_cannot_be_turned_for_sure_is_quoted(question: str) -> None:
    assert asked_for(question) == f"“{question}”"


@given(WORDS)
def test_any_words_give_a_phrase(question: list[str]) -> None:
    text = " ".join(question)
    assert asked_for(text)
    split_question(text)
    assert all(name in text for name in names(text))


@pytest.mark.parametrize(
    ("question", "first", "rest"),
    [
        (
            "What are the people of the city where Ada was born called?",
            "the city where Ada was born",
            "What are the people of that city called?",
        ),
        (
            "What is the fare on the ferry that sails to Osk?",
            "the ferry that sails to Osk",
            "What is the fare on that ferry?",
        ),
        (
            "What does the pilot who guides the ferry do?",
            "the pilot who guides the ferry",
            "What does that pilot do?",
        ),
        ("When was Ellen's captain born?", "Ellen's captain", "When was that captain born?"),
        (
            "How old is the isle to which the ferry is sent?",
            "the isle to which the ferry is sent",
            "How old is that isle?",
        ),
    ],
)
def test_two_parts(question: str, first: str, rest: str) -> None:
    parts = split_question(question)
    assert parts is not None
    assert (parts.first, parts.rest) == (first, rest)


@pytest.mark.parametrize(
    "question",
    [
        "Who is the author of The Salt Road?",
        "What is the city where Ada was born?",
        "When did the ferry that Lind built start its last run?",  # where the clause ends is unsure
        "How high is Carrow Fell?",
    ],
)
def test_one_part(question: str) -> None:
    assert split_question(question) is None


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("May I ask Mara Lind of the Bank of Osk?", ["Mara Lind of the Bank of Osk"]),
        ("Was the Ellen's keel laid in Osk in 1931?", ["Ellen", "Osk"]),
        ("Ferries are slow. What is Osk 15?", ["Osk 15"]),
        ("Is gc.auto or my_path set with --force?", ["gc.auto", "my_path", "--force"]),
        ("how long is it", []),
    ],
)
def test_names(question: str, found: list[str]) -> None:
    assert names(question) == found
