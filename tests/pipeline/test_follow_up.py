"""Which questions need the turns before them, and what their pronouns stand for."""

from __future__ import annotations

from pathlib import Path

import pytest

from lacuna.corpus.store import Store
from lacuna.pipeline.follow_up import (
    is_person,
    may_need_calculation,
    names_in,
    needs_context,
    rewrite,
    topic_of,
)
from lacuna.types import Answer, Document, Evidence, Turn


@pytest.mark.parametrize(
    "question",
    [
        "And when did he leave?",
        "Why?",
        "Anyone else?",
        "Where was she born?",
        "How did their messages reach him?",
        "What about the others at the quay?",
        "How was that received?",
        "Did she know Ada Quill?",
    ],
)
def test_these_need_context(question: str) -> None:
    assert needs_context(question)


@pytest.mark.parametrize(
    "question",
    [
        "When did Ada Quill leave her ship?",
        "How high is Carrow Fell above the sea?",
        "Who founded the Bank of Selmory when it was needed?",
        "What did a barrel of herring cost?",
    ],
)
def test_these_stand_by_themselves(question: str) -> None:
    assert not needs_context(question)


@pytest.mark.parametrize(
    ("question", "plain"),
    [
        ("And when did he leave?", "When did Ada Quill leave?"),
        ("What was her ship called?", "What was Ada Quill's ship called?"),
        ("Who paid her for the drawings?", "Who paid Ada Quill for the drawings?"),
        ("Who saw her?", "Who saw Ada Quill?"),
        ("Its length?", "Ada Quill's length?"),
        ("Did he build it himself?", "Did Ada Quill build it himself?"),
        ("Was there a school?", "Was there a school?"),
        ("Why?", "Why?"),
    ],
)
def test_the_topic_takes_the_place_of_a_pronoun(question: str, plain: str) -> None:
    assert rewrite(question, "Ada Quill") == plain


def test_the_topic_is_the_name_that_was_said_last() -> None:
    known = {"Ada Quill", "Marrow", "Port Ellery"}.__contains__
    nobody = set[str]().__contains__
    asked = Turn("Who was the first master of the Marrow?", Answer.span("Ada Quill"))
    assert topic_of("Why?", [asked], "Stony Tarn", known, nobody) == "Ada Quill"
    later = Turn("When was she born?", Answer.number(1897))
    assert topic_of("Why?", [asked, later], "Stony Tarn", known, nobody) == "Ada Quill"
    other = Turn("How large is Port Ellery?", Answer.none())
    assert topic_of("Why?", [asked, later, other], "", known, nobody) == "Port Ellery"


def test_she_is_a_person() -> None:
    known = {"Ada Quill", "Marrow", "Port Ellery"}.__contains__
    person = {"Ada Quill"}.__contains__
    place = Evidence("Ada Quill", 0, 4)
    turn = Turn("How old was the captain when the Marrow sailed?", Answer.number(34, "", place))
    assert topic_of("When was she born?", [turn], "Port Ellery", known, person) == "Ada Quill"
    assert topic_of("When was it built?", [turn], "Port Ellery", known, person) == "Marrow"


def test_the_topic_is_the_title_where_no_known_name_was_said() -> None:
    turn = Turn("Who taught Bram Orde?", Answer.none())
    nobody = set[str]().__contains__
    assert topic_of("Why?", [turn], "Stony Tarn", nobody, nobody) == "Stony Tarn"
    assert topic_of("Why?", [turn], "", nobody, nobody) == "Bram Orde"
    assert topic_of("Why?", [], "", nobody, nobody) == ""


def test_names() -> None:
    assert names_in("Was the Treaty of Orlet signed by Corwin Amory's clerk?") == [
        "Treaty of Orlet",
        "Corwin Amory",
    ]
    assert names_in("") == names_in("Who?") == []


def test_calculations() -> None:
    assert may_need_calculation("For how many years did he lead it?")
    assert may_need_calculation("How much longer was it?")
    assert not may_need_calculation("How did he leave?")


@pytest.fixture
def store(tmp_path: Path) -> Store:
    made = Store.create(tmp_path / "corpus")
    with made.writer() as writer:
        writer.add(
            [
                Document("Ada Quill", "Ada Quill (3 May 1897 – 1960) was a master of ships."),
                Document("Bram Orde", "Bram Orde, born in Port Ellery, taught her."),
                Document("Marrow", "The Marrow was a ship (it was lost). She sailed in 1931."),
            ]
        )
    return made


def test_people_begin_with_a_lifetime(store: Store) -> None:
    assert is_person(store, "Ada Quill")
    assert is_person(store, "bram orde")
    assert not is_person(store, "Marrow")
    assert not is_person(store, "Nobody")
