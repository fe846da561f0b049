"""The kind of answer that a question asks for."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lacuna.pipeline.fitting import ExpectedKind, expected_kind

QUESTIONS = {
    ExpectedKind.PERSON: (
        "Who painted the ceiling?",
        "Who is the head of the botanical garden?",
        "By whom was the lighthouse built?",
        "Which engineer designed the viaduct?",
        "After the fire, who led the rebuilding?",
    ),
    ExpectedKind.PLACE: (
        "Where are the log files kept?",
        "In which city was the treaty signed?",
        "What country borders the lake?",
        "Which directory holds the templates?",
        "What is the capital of Norway?",
    ),
    ExpectedKind.DATE: (
        "When did the ferry sink?",
        "In what year was the abbey dissolved?",
        "Which month has the most rain?",
        "Since when has the museum been open?",
        "What was the date of the vote?",
    ),
    ExpectedKind.DURATION: (
        "How long may a visitor stay?",
        "How long does the dough rest?",
        "What is the default timeout of a session?",
        "For how long are backups kept?",
        "What is the retention period for invoices?",
        "How long are log files kept?",
    ),
    ExpectedKind.FREQUENCY: ("How often does the committee meet?",),
    ExpectedKind.NUMBER: (
        "How many bees live in a hive?",
        "Which port does the mail server listen on?",
        "What number does the exit code have?",
        "About how many eggs does she lay?",
        "What is the minimum version of the compiler?",
    ),
    ExpectedKind.AMOUNT: (
        "How high is the tower?",
        "How much does a ticket cost?",
        "What percentage of the votes did she get?",
        "What is the population of Brannet?",
        "How long is the bridge?",
        "What is the maximum size of an upload?",
    ),
    ExpectedKind.YES_NO: (
        "Is the bridge open at night?",
        "Does the pump need oil?",
        "May guests bring dogs?",
    ),
    ExpectedKind.LIST: (
        "What are the phases of the moon?",
        "Which three rivers meet at Osk?",
        "Name the members of the band.",
        "List all supported file formats.",
        "Which languages are spoken in the valley?",
        "What types of rock are found there?",
        "Who are the editors of the journal?",
        "Which organisations paid for the dam?",
        "In which events did she compete?",
        "What ingredients does the soup need?",
        "What are its four chambers?",
    ),
    ExpectedKind.DEFINITION: (
        "What is a sextant?",
        "What is photosynthesis?",
        "What does the cron daemon do?",
        "What does HTTP stand for?",
        "What are quarks?",
        "What is the purpose of the valve?",
        "What is the flag -x for?",
        "What does 'idempotent' mean?",
    ),
    ExpectedKind.REASON: (
        "Why did the dam break?",
        "For what reason was she dismissed?",
        "What caused the outage?",
    ),
    ExpectedKind.METHOD: ("How do I undo a commit?", "How is cheese made?"),
    ExpectedKind.OTHER: (
        "Which is older, the abbey or the castle?",
        "What is the name of the ship?",
        "Which command deletes a branch?",
        "What happens when the disk is full?",
        "Was she born in Brannet or in Osk?",
        "",
    ),
}


@pytest.mark.parametrize(
    ("kind", "question"),
    [(kind, question) for kind, questions in QUESTIONS.items() for question in questions],
)
def test_the_form_tells_the_kind(kind: ExpectedKind, question: str) -> None:
    assert expected_kind(question) is kind


@given(st.text(max_size=200))
def test_any_text_has_a_kind(text: str) -> None:
    assert expected_kind(text) in ExpectedKind
