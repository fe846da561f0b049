"""Questions that are made from documents, and whether an answer is the one they were made for."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import lacuna
from lacuna.corpus.refresh import refresh_source
from lacuna.corpus.store import Store
from lacuna.pipeline.query import Query
from lacuna.pipeline.result import Quote, Result
from lacuna.pipeline.suggesting import (
    CandidateQuestion,
    candidates_after,
    candidates_of_corpus,
    definitions,
    facts,
    from_headings,
    is_answered,
)
from lacuna.types import Answer, Document, Evidence, Prediction, Section, Span

NOTES = {
    "Marrow.md": "# Marrow\n\nThe Marrow is a ferry. It was built by [[Ada Quill]] in 1931.\n",
    "Ada Quill.md": "# Ada Quill\n\nAda Quill was born in Port Ellery. Her ship is the Marrow.\n",
}


def document(title: str, *sentences: str) -> Document:
    text, places = "", []
    for sentence in sentences:
        places.append(Span(len(text), len(text) + len(sentence)))
        text += f"{sentence} "
    return Document(title, text, tuple(places))


@pytest.mark.parametrize(
    ("sentence", "question"),
    [
        ("It was built by Ada Quill in 1931.", ["Who built Marrow?", "When was Marrow built?"]),
        ("Marrow was written on 3 May 1931, in haste.", ["When was Marrow written?"]),
        ("It was drawn by Ada.", ["Who drew Marrow?"]),
        ("It was founded in Port Ellery.", ["Where was Marrow founded?"]),
        ("It had 9,800 inhabitants in 2011.", ["How many inhabitants did Marrow have?"]),
        ("It covers 265 square kilometres.", ["How many square kilometres does Marrow cover?"]),
        ("Its first governor was Idony Cress.", ["Who was the first governor of Marrow?"]),
        ("Its chief town is Kelmouth Bay.", ["What is the chief town of Marrow?"]),
        ("It was cold in winter.", []),
        ("They were built in 1931.", []),
        ("It is 49 metres long.", []),
        ("It was built in 1931", []),
    ],
)
def test_facts(sentence: str, question: list[str]) -> None:
    assert [one for one, _ in facts(document("Marrow", sentence))] == question


@pytest.mark.parametrize(
    ("sentence", "question"),
    [
        ("The Marrow is a ferry.", ["What is the Marrow?"]),
        ("A slice is a kind of reference.", ["What is a slice?"]),
        ("The chief town is Kelmouth.", ["What is the chief town?"]),
        ("The key is a word.", []),
        ("This is a test.", []),
        ("Nobody is a perfect sailor.", []),
        ("Sailing is a trade.", []),
        ("Quarrell was a mine owner.", []),
    ],
)
def test_definitions(sentence: str, question: list[str]) -> None:
    assert [one for one, _ in definitions(document("Marrow", sentence))] == question


def test_a_person_is_asked_for_with_who() -> None:
    who = document("Ada Quill", "Ada Quill was a shipwright.", "She was born in Fenby.")
    assert [one for one, _ in definitions(who)] == ["Who was Ada Quill?"]


def test_headings_that_are_questions() -> None:
    sections = (
        Section(("Does it cost more?",), 0, 4),
        Section(("Help", "Overview"), 4, 8),
        Section(("Why?",), 8, 9),
    )
    page = Document("Prices", "It does.", sections=sections[:2])
    assert list(from_headings(page)) == [("Does it cost more?", Span(0, 4))]


@pytest.fixture
def notes(tmp_path: Path) -> Store:
    folder = tmp_path / "notes"
    folder.mkdir()
    for name, text in NOTES.items():
        (folder / name).write_text(text)
    store = Store.create(tmp_path / "corpus")
    with store.writer() as writer:
        refresh_source(writer, folder)
    return store


def test_of_a_corpus_the_surest_come_first(notes: Store) -> None:
    made = [one.question for one in candidates_of_corpus(notes)]
    assert made[0] == "Where was Ada Quill born?"
    assert "Who built the Marrow?" in made
    assert made[-1] == "What is the Marrow?"
    assert len(made) == len(set(made))


def test_what_says_much_and_leaves_little_comes_first(tmp_path: Path) -> None:
    said = "Use @security to call the whole security team. A team is a group of people."
    (tmp_path / "Help.md").write_text(f"# Help\n\n{said}\n")
    with Store.create(tmp_path / "corpus") as store:
        with store.writer() as writer:
            refresh_source(writer, tmp_path / "Help.md")
        made = [one.question for one in candidates_of_corpus(store)]
    assert made == ["How do I call the whole security team?", "What is a team?"]


def test_what_does_not_lead_to_its_place_is_left_out(tmp_path: Path) -> None:
    louder = "Harbour masters harbour masters harbour masters.\n\n"
    notes = {
        "Port.md": "# Port\n\nHarbour masters are the heads of ports. Harbour masters rest.\n",
        **{f"{name}.md": f"# Harbour masters {name}\n\n{louder}" for name in "abc"},
    }
    folder = tmp_path / "notes"
    folder.mkdir()
    for name, text in notes.items():
        (folder / name).write_text(text)
    with Store.create(tmp_path / "corpus") as store:
        with store.writer() as writer:
            refresh_source(writer, folder)
        assert [one for one, _ in definitions(store.document("Port"))]
        assert not list(candidates_of_corpus(store))


def test_after_an_answer_neither_what_was_asked_nor_what_was_quoted(notes: Store) -> None:
    built = Evidence("Marrow", *notes.document("Marrow").sentences[1])
    made = [one.question for one in candidates_after(notes, ["where was ada quill born?"], [built])]
    assert made == ["What is the ship of Ada Quill?", "What is the Marrow?"]


def result(answer: Answer, *, probable: bool = False) -> Result:
    prediction = Prediction(answer, confidence=0.9)
    return Result("When?", None, prediction, (), (), probable=probable)


def test_answered_is_what_is_sure_new_and_from_there() -> None:
    candidate = CandidateQuestion("When was the Marrow built?", "Marrow", Span(10, 40), "")
    here = Evidence("Marrow", 30, 34)
    assert is_answered(candidate, result(Answer.span("1931", here)))
    assert not is_answered(candidate, result(Answer.span("1931", here), probable=True))
    assert not is_answered(candidate, result(Answer.none(here)))
    assert not is_answered(candidate, result(Answer.span("the Marrow", here)))
    assert not is_answered(candidate, result(Answer.span("1931", replace(here, document="Ada"))))
    assert not is_answered(candidate, result(Answer.span("1931", Evidence("Marrow", 50, 54))))


def test_the_same_words_elsewhere_count() -> None:
    candidate = CandidateQuestion("When?", "Marrow", Span(0, 20), "It was built in 1931.")
    there = Evidence("Other", 4, 8)
    quote = Quote("Other", (), "It was built\nin 1931.", 0, 21, ())
    given = replace(result(Answer.span("1931", there)), quotes=(quote,))
    assert is_answered(candidate, given)


def test_what_is_answered_at_once_is_answered_alike_with_all_hops() -> None:
    """So that a question can be tried at a fraction of the price."""
    islands = lacuna.open_corpus()
    question = "Who designed Osk Point Light?"
    tried, asked = islands.ask(Query(question, hops=0)), islands.ask(question)
    assert tried.answer == asked.answer
    assert tried.confidence == asked.confidence
    assert tried.answer.text == "Maren Askew"


def test_what_most_link_to_is_found_without_looking_titles_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "notes").mkdir()
    for number in range(100):
        target = "Ship 7" if number % 2 else "Ship 8" if number % 3 else f"Ship {number}"
        (tmp_path / "notes" / f"Ship {number}.md").write_text(
            f"# Ship {number}\n\nShip {number} was built in 1931. It followed [[{target}]].\n"
        )
    with Store.create(tmp_path / "store") as store:
        with store.writer() as writer:
            refresh_source(writer, tmp_path / "notes")
        looked_up: list[str] = []
        number_of = store.number

        def noting(title: str) -> int | None:
            looked_up.append(title)
            return number_of(title)

        monkeypatch.setattr(store, "number", noting)
        asked = [next(one) for one in [candidates_of_corpus(store)] for _ in range(2)]
    assert [one.document for one in asked] == ["Ship 7", "Ship 8"]
    assert looked_up == []
