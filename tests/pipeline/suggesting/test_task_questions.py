"""Questions from what manuals say."""

from __future__ import annotations

import pytest

from lacuna.pipeline.suggesting import amounts, defaults, goals, means
from lacuna.types import Document, Span


def document(text: str) -> Document:
    end = text.index(".") + 1
    return Document("Server", text, (Span(0, end),))


@pytest.mark.parametrize(
    ("sentence", "question"),
    [
        ("To stop a server, run `stop now`.", ["How do I stop a server?"]),
        ("To change your password, you can use the menu.", ["How do I change my password?"]),
        ("If you want to stop a server, you should use it.", ["How do I stop a server?"]),
        ("You can stop a server by pressing a key.", ["How do I stop a server?"]),
        ("Use @help to call the whole team.", ["How do I call the whole team?"]),
        ("To instead work on a branch, use it.", ["How do I work on a branch?"]),
        ("Use this to call the whole team.", []),
        ("To find these bugs, use the list.", []),
        ("To do this, run it.", []),
        ("To stop a server is easy.", []),
    ],
)
def test_tasks(sentence: str, question: list[str]) -> None:
    page = document(sentence)
    assert [one for one, _ in (*goals(page), *means(page))] == question


@pytest.mark.parametrize(
    ("text", "question"),
    [
        (
            "Responders should acknowledge within 15 minutes.",
            ["Within how many minutes should responders acknowledge?"],
        ),
        (
            "Ada Quill must answer within 2 days. So Ada must.",
            ["Within how many days must Ada Quill answer?"],
        ),
        (
            "Team members are entitled to up to 14 days of paid leave per year.",
            ["How many days of paid leave are team members entitled to?"],
        ),
        ("They should acknowledge it within 15 minutes.", []),
        ("Responders should acknowledge soon.", []),
    ],
)
def test_amounts(text: str, question: list[str]) -> None:
    assert [one for one, _ in amounts(document(text))] == question


@pytest.mark.parametrize(
    ("sentence", "question"),
    [
        ("The default similarity index is 50%.", ["What is the default similarity index?"]),
        ("The level defaults to 6.", ["What does the level default to?"]),
        ("The default is 5 seconds.", []),
        ("It defaults to 6.", []),
    ],
)
def test_defaults(sentence: str, question: list[str]) -> None:
    assert [one for one, _ in defaults(document(sentence))] == question
