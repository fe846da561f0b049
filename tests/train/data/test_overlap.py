"""What is evaluated on must not be trained on."""

from __future__ import annotations

from pathlib import Path

from lacuna.train.data.overlap import Shared, overlapping, train_dev_overlap, unseen
from lacuna.types import Document, Question


def asked(id_: str, text: str, passage: str = "") -> Question:
    return Question(id_, text, context=Document("p", passage) if passage else None)


def test_the_same_words_are_found_whatever_their_case_and_marks() -> None:
    found = overlapping([asked("t", "Who built the ferry?")], [asked("d", "who built  ferry")])
    assert [(one.id, one.dev_id, one.shared) for one in found] == [("t", "d", Shared.QUESTION)]


def test_questions_that_recur_need_the_same_passage() -> None:
    train = [asked("a", "When was he born?", "Ada."), asked("b", "When was he born?", "Ben.")]
    dev = [asked("d", "When was he born?", "ada. ")]
    found = overlapping(train, dev, telling=False)
    assert [(one.id, one.shared) for one in found] == [("a", Shared.BOTH)]


def test_another_question_about_a_dev_passage_counts() -> None:
    found = overlapping([asked("a", "Where?", "Ada.")], [asked("d", "When?", "Ada.")])
    assert [one.shared for one in found] == [Shared.PASSAGE]


def test_what_is_left_of_dev_when_its_passages_were_trained_on() -> None:
    dev = [asked("d", "When?", "Ada."), asked("e", "When?", "Ben.")]
    assert [one.id for one in unseen(dev, [asked("a", "Where?", "Ada.")])] == ["e"]


def test_the_only_passages_in_both_are_squads(data_folder: Path) -> None:
    counts = train_dev_overlap(data_folder)
    passages = {name.split(":")[0] for name in counts if "passage" in name}
    assert passages == {"squad2 in squad1 dev"}
    words = sum(n for name, n in counts.items() if name.endswith(": question"))
    assert words < 50
