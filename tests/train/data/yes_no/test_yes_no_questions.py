"""Questions for yes or no."""

from __future__ import annotations

import re
from collections import Counter
from itertools import islice
from pathlib import Path

import pytest

from lacuna.types import Answer, AnswerKind, Document, Evidence, Gold, Question, Turn
from lacuna_lab.data.sources import training_questions
from lacuna_lab.data.yes_no import yes_no_questions

TEXT = (
    "The ferry Marrow was built in 1919 in Port Ellery. It was sold in 1931. "
    "The school moved to Stony Tarn. The tower was designed by Ada Quill. "
    "The bridge was designed by Ben Hollow."
)


def source(text: str, answer: Answer, **extra: object) -> Question:
    gold = Gold((answer,), evidence=(Evidence("p", 0, 10),))
    return Question("q", text, Document("p", TEXT), gold=gold, extra=extra)


def both_forms(question: Question) -> dict[str, set[str]]:
    """All that is made of a question, over many seeds."""
    found: dict[str, set[str]] = {"yes": set(), "no": set()}
    for seed in range(60):
        for made in yes_no_questions([question], seed=seed, at_most=2):
            assert made.gold is not None
            found[made.gold.answers[0].text].add(made.text)
    return found


def test_comparisons_swap_the_two() -> None:
    found = both_forms(source("Who is older, Ada Quill or Ben Hollow?", Answer.span("Ada Quill")))
    assert found == {
        "yes": {"Is Ada Quill older than Ben Hollow?"},
        "no": {"Is Ben Hollow older than Ada Quill?"},
    }


@pytest.mark.parametrize(
    ("text", "answer", "yes"),
    [
        (
            "Which ship was built first, Marrow or Ellery?",
            "Marrow",
            "Was Marrow built before Ellery?",
        ),
        ("Which film came out first, Ash or Elm?", "Ash", "Did Ash come out before Elm?"),
        (
            "Which genus has more species, Ash or Elm?",
            "Elm",
            "Does Elm have more species than Ash?",
        ),
        ("Is Ash or Elm further west?", "Elm", "Is Elm further west than Ash?"),
        ("Which band is from London, Ash or Elm?", "Elm", "Is Elm from London?"),
        (
            "Which film has the director born later, Ash or Elm?",
            "Ash",
            "Was the director of Ash born after the director of Elm?",
        ),
    ],
)
def test_comparisons(text: str, answer: str, yes: str) -> None:
    assert both_forms(source(text, Answer.span(answer)))["yes"] == {yes}


def test_when_takes_another_year_of_the_text_or_calculates() -> None:
    found = both_forms(source("When was the ferry built?", Answer.span("1919")))
    assert "Was the ferry built in 1919?" in found["yes"]
    assert "Was the ferry built in 1931?" in found["no"]
    for label, texts in found.items():
        for text in texts:
            words = text.rstrip("?").split()
            year = int(words[-1])
            true = {"in": year == 1919, "before": year > 1919, "after": year < 1919}[words[-2]]
            assert true == (label == "yes")


def test_where_takes_another_place() -> None:
    found = both_forms(source("Where was the ferry built?", Answer.span("Stony Tarn")))
    assert found["yes"] == {"Was the ferry built in Stony Tarn?"}
    assert found["no"] == {"Was the ferry built in Port Ellery?"}


def test_who_takes_another_name_of_its_kind() -> None:
    found = both_forms(source("Who designed the tower?", Answer.span("Ada Quill")))
    assert found["yes"] == {"Did Ada Quill design the tower?"}
    assert found["no"] == {"Did Ben Hollow design the tower?"}


def test_another_answer_of_the_same_kind_is_asked_for() -> None:
    asked = [
        source("Which town was it sold to?", Answer.span("Stony Tarn")),
        source("Which town did the yard stand in?", Answer.span("Port Ellery")),
    ]
    texts = [made.text for made in yes_no_questions(asked, seed=1, at_most=9)]
    assert texts == [
        "Was it sold to Stony Tarn?",
        "Was it sold to Port Ellery?",
        "Did the yard stand in Port Ellery?",
        "Did the yard stand in Stony Tarn?",
    ]


@pytest.mark.parametrize(
    ("text", "yes"),
    [
        ("Who did the mayor meet in May?", "Did the mayor meet Ada Quill in May?"),
        ("Who was the builder of the tower?", "Was Ada Quill the builder of the tower?"),
        ("What was the name of the builder?", "Was the builder called Ada Quill?"),
        ("For which builder did they work?", "Did they work for Ada Quill?"),
    ],
)
def test_names(text: str, yes: str) -> None:
    found = both_forms(source(text, Answer.span("Ada Quill")))
    assert found["yes"] == {yes}
    assert found["no"] == {yes.replace("Ada Quill", "Ben Hollow")}


@pytest.mark.parametrize(
    ("text", "answer", "amount"),
    [
        ("What is the population of Ellery?", "5,000", r"(more|higher|less|lower) than ([\d,]+)\?"),
        ("What percentage of boats are old?", "40%", r"(more|less) than ([\d,]+)% of"),
        ("How much did the ferry cost in May?", "$600", r"(more|less) than \$([\d,]+) in"),
    ],
)
def test_amounts_are_compared(text: str, answer: str, amount: str) -> None:
    value = int(re.sub(r"\D", "", answer))
    for label, texts in both_forms(source(text, Answer.span(answer))).items():
        assert texts
        for made in texts:
            found = re.search(amount, made)
            assert found
            other = int(found[2].replace(",", ""))
            true = value > other if found[1] in ("more", "higher") else value < other
            assert true == (label == "yes")


def test_numbers_are_compared() -> None:
    found = both_forms(source("How many goals did Ada score in May?", Answer.number(12)))
    assert "Did Ada score 12 goals in May?" in found["yes"]
    assert any(text.startswith("Did Ada score more than") for text in found["no"])
    for label, texts in found.items():
        for text in texts:
            words = text.split()
            number = int(words[words.index("goals") - 1])
            true = number < 12 if "more" in words else number > 12 if "fewer" in words else None
            assert (number == 12 if true is None else true) == (label == "yes")


def test_ages_are_compared() -> None:
    found = both_forms(source("How old was Ada when she left?", Answer.number(40)))
    for label, texts in found.items():
        for text in texts:
            number = int(text.split()[4])
            assert ((number < 40) if "older" in text else (number > 40)) == (label == "yes")


def test_both_are_dated_by_the_evidence() -> None:
    evidences = [["Ash", "date of birth", "6 June 1942"], ["Elm", "date of birth", "May 1892"]]
    question = source("Which one?", Answer.span("Elm"), evidences=evidences)
    for label, texts in both_forms(question).items():
        assert texts
        for text in texts:
            year = int(text.rstrip("?").split()[-1])
            true = year > 1942 if "before" in text else year < 1892
            assert text.startswith("Were both Elm and Ash born ")
            assert true == (label == "yes")


def test_what_does_not_fit_gives_nothing() -> None:
    odd = [
        source("Why did the ferry sink?", Answer.span("a storm")),
        source("When did it sink?", Answer.none()),
        source("When did it sink after 1919?", Answer.span("1931")),
    ]
    assert not list(yes_no_questions(odd, seed=1, at_most=9))
    dialog = Question("d", "When was it sold?", Document("p", TEXT), history=(Turn("Who?"),))
    assert not list(yes_no_questions([dialog], seed=1, at_most=9))


def test_texts_and_evidence_stay_and_ids_tell_the_answer() -> None:
    question = source("When was the ferry built?", Answer.span("1919"))
    assert question.gold is not None
    pair = list(yes_no_questions([question], seed=3, at_most=5))
    assert [made.id for made in pair] == ["q/yes", "q/no"]
    for made in pair:
        assert made.gold is not None
        assert made.context == question.context
        assert made.gold.evidence == question.gold.evidence
        assert made.id == f"q/{made.gold.answers[0].text}"


def test_no_rule_makes_more_than_its_share() -> None:
    asked = [source(f"How old was Ada in {year}?", Answer.number(40)) for year in range(1900, 1990)]
    made = list(yes_no_questions(asked, seed=1, at_most=100, of_one_rule=0.2))
    assert len(made) == 20
    assert len(list(yes_no_questions(asked, seed=1, at_most=100))) == 100


def test_real_questions_are_balanced_and_the_same_every_time(data_folder: Path) -> None:
    def some() -> list[Question]:
        questions = training_questions("twowiki", data_folder, seed=1, evaluated=())
        return list(yes_no_questions(islice(questions, 800), seed=7, at_most=300))

    first = some()
    assert first == some()
    counts = Counter(q.gold.answers[0].kind for q in first if q.gold)
    assert sum(counts.values()) == 300
    assert abs(counts[AnswerKind.YES] - counts[AnswerKind.NO]) <= 8
