from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import pytest

from lacuna import Answer, Document, Evidence, Prediction, Question, get_dataset
from lacuna.answers import AnswerMode
from lacuna.evaluation import system as reading
from lacuna.evaluation.system import ReaderSystem
from lacuna.types import DialogActs, Turn, YesNo

ACTS = DialogActs(YesNo.YES)


class FakeReader:
    """Answers with the question's id, and remembers what it was shown."""

    def __init__(self) -> None:
        self.calls: list[list[Question]] = []

    def read(
        self,
        questions: Sequence[Question],
        *,
        mode: AnswerMode = AnswerMode.ASK,
        progress: Callable[[int], None] | None = None,
    ) -> list[Prediction]:
        self.calls.append(list(questions))
        if progress:
            progress(len(questions))
        return [
            Prediction(Answer.span(question.id, Evidence("T", 0, 1)), acts=ACTS, confidence=0.5)
            for question in questions
        ]


def predict(
    reader: FakeReader,
    dataset: str,
    setting: str | None,
    questions: Iterable[Question],
    progress: Callable[[int], None] | None = None,
) -> dict[str, Prediction]:
    chosen = get_dataset(dataset).setting(setting)
    arranged = map(chosen.arrange, questions)
    return ReaderSystem(reader).predict(arranged, setting=chosen, progress=progress)


def dialog(name: str, turns: int) -> list[Question]:
    passage = Document(name, f"About {name}. CANNOTANSWER")
    history = tuple(Turn(f"{name}{n}?", Answer.span("gold")) for n in range(turns))
    return [
        Question(f"{name}_q#{n}", f"{name}{n}?", passage, history=history[:n]) for n in range(turns)
    ]


def test_questions_are_read_in_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "CHUNK", 2)
    reader, seen = FakeReader(), list[int]()
    questions = (Question(str(n), "?", Document("T", "x")) for n in range(5))
    found = predict(reader, "squad", None, questions, progress=seen.append)
    assert list(found) == ["0", "1", "2", "3", "4"]
    assert [len(call) for call in reader.calls] == [2, 2, 1]
    assert seen == [2, 4, 5]


def test_nothing_to_read() -> None:
    assert predict(FakeReader(), "squad", "may-abstain", []) == {}
    assert predict(FakeReader(), "quac", "predicted-history", []) == {}


@pytest.mark.parametrize("chunk", [1, 2, 3, 512])
def test_dialogs_go_turn_by_turn_on_their_own_answers(
    monkeypatch: pytest.MonkeyPatch, chunk: int
) -> None:
    monkeypatch.setattr(reading, "CHUNK", chunk)
    reader, seen = FakeReader(), list[int]()
    questions = [*dialog("a", 3), *dialog("b", 1), *dialog("c", 2)]
    found = predict(reader, "quac", "predicted-history", questions, progress=seen.append)
    assert list(found) == [question.id for question in questions], "in the order of the file"
    assert seen[-1] == 6
    shown = {question.id: question for call in reader.calls for question in call}
    for question in shown.values():
        for number, turn in enumerate(question.history):
            said = found[f"{question.id[0]}_q#{number}"]
            assert (turn.answer, turn.acts) == (said.answer, said.acts)
    if chunk == 512:
        ids = [[question.id for question in call] for call in reader.calls]
        assert ids == [["a_q#0", "b_q#0", "c_q#0"], ["a_q#1", "c_q#1"], ["a_q#2"]]


def test_dialogs_about_one_text_are_told_apart() -> None:
    reader = FakeReader()
    predict(reader, "quac", "predicted-history", [*dialog("a", 2), *dialog("a", 2)[:1]])
    assert [len(call) for call in reader.calls] == [2, 1]


def test_a_turn_whose_past_is_not_there_has_no_answers_before_it() -> None:
    reader = FakeReader()
    predict(reader, "quac", "predicted-history", dialog("a", 3)[1:])
    (first,), (second,) = reader.calls
    assert [turn.answer for turn in first.history] == [None]
    assert second.history[0].answer is None
    assert second.history[1].answer is not None


def test_gold_history_is_read_at_once() -> None:
    reader = FakeReader()
    predict(reader, "quac", "gold-history", dialog("a", 3))
    ((_, _, last),) = reader.calls
    assert [turn.answer for turn in last.history] == [Answer.span("gold")] * 2
