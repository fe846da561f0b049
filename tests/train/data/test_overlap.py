"""What is evaluated on must not be trained on."""

from __future__ import annotations

from pathlib import Path

from lacuna.types import Document, Question
from lacuna_lab.data.sources import DevQuestions, SharedText, train_dev_overlap


def asked(id_: str, text: str, passage: str = "") -> Question:
    return Question(id_, text, context=Document("p", passage) if passage else None)


def shared(train: Question, *dev: Question, distinctive: bool = True) -> SharedText | None:
    overlap = DevQuestions(dev, distinctive=distinctive).overlap(train)
    return overlap and overlap.shared


def test_the_same_words_are_found_whatever_their_case_and_punctuation() -> None:
    dev = DevQuestions([asked("d", "who built  ferry")])
    overlap = dev.overlap(asked("t", "Who built the ferry?"))
    assert overlap is not None
    assert overlap == ("t", "d", SharedText.QUESTION)


def test_questions_that_recur_need_the_same_passage() -> None:
    dev = asked("d", "When was he born?", "ada. ")
    same, other = (asked("a", "When was he born?", text) for text in ("Ada.", "Ben."))
    assert shared(same, dev, distinctive=False) is SharedText.BOTH
    assert shared(other, dev, distinctive=False) is None


def test_another_question_about_a_dev_passage_counts() -> None:
    found = shared(asked("a", "Where?", "Ada."), asked("d", "When?", "Ada."))
    assert found is SharedText.PASSAGE


def test_a_paragraph_is_the_same_with_other_spaces_and_marks() -> None:
    dev = Question(
        "d", "When?", documents=(Document("p", "Ada (a pilot) sailed."), Document("", ""))
    )
    assert shared(asked("a", "Where?", "ada ( a pilot ) sailed ."), dev) is SharedText.PASSAGE
    assert shared(asked("a", "Where?"), dev) is None


def test_few_datasets_share_passages(data_folder: Path) -> None:
    counts = train_dev_overlap(data_folder)
    passages = {name.split(":")[0] for name, n in counts.items() if "passage" in name and n > 30}
    # BoolQ and QED ask about the same paragraphs; some synthetic questions about HotpotQA's.
    assert passages == {
        "squad2 in squad1 dev",
        *(f"{one} in {other} dev" for one in ("boolq", "qed") for other in ("boolq", "qed")),
        *(f"synthetic_{kind} in hotpotqa dev" for kind in ("fact", "yes", "no")),
    }
    words = sum(n for name, n in counts.items() if name.endswith(": question"))
    assert words < 50
