"""QuAC's table 2 and figures 2, 5 and 6."""

from __future__ import annotations

from pathlib import Path

import pytest
from described import Parts, describe_file, describe_items, value

from lacuna.datasets.base import Block, Item
from lacuna.datasets.quac_metric import section_length
from lacuna.types import Answer, DialogActs, Document, Evidence, Gold, Question, YesNo
from lacuna_lab.describe.quac import chunk_of, has_several_answers, is_unanswerable
from lacuna_lab.figures.charts import HeatMap

SECTION = "x" * 120


def at(start: int, size: int = 5) -> Answer:
    return Answer.span("x" * size, Evidence("s", start, start + size))


def asked(*references: Answer, text: str = "What was it?", acts: DialogActs | None = None) -> Gold:
    return Gold(references, given=references[0] if references else None, acts=acts)


def dialog(*golds: Gold, text: str = "What was it?") -> Item:
    questions = tuple(Question(str(n), text, gold=gold) for n, gold in enumerate(golds))
    return Item((Block(questions, Document("s", SECTION + " CANNOTANSWER")),))


def described(*dialogs: Item) -> Parts:
    return describe_items("quac", dialogs)


def test_the_example_is_counted(examples: Path) -> None:
    parts = describe_file("quac", examples / "quac.json")
    assert value(parts["averages"], "dialogs") == 1
    assert value(parts["averages"], "questions a dialog") == 3
    assert value(parts["averages"], "yes/no, %") == pytest.approx(100 / 3)
    assert value(parts["averages"], "unanswerable, %", 1) == pytest.approx(100 / 3)
    assert value(parts["averages"], "yes/no, %", 2) == 26.4


def test_a_section_is_counted_once_without_the_word_for_no_answer() -> None:
    parts = described(dialog(asked(at(0))), dialog(asked(at(0))))
    assert value(parts["averages"], "different sections") == 1
    assert value(parts["averages"], "words a section") == 1
    assert section_length(SECTION + " CANNOTANSWER") == 120


@pytest.mark.parametrize(("start", "chunk"), [(0, 0), (9, 0), (10, 1), (119, 11), (125, 11)])
def test_chunks_are_equal_and_the_last_takes_the_rest(start: int, chunk: int) -> None:
    assert chunk_of(at(start, 1), 120) == chunk


def test_positions_and_steps() -> None:
    none = asked(Answer.none())
    parts = described(dialog(asked(at(0)), asked(at(15)), none, asked(at(15))))
    first, second, third, *_ = parts["positions"].table.rows
    assert (first[1], second[2], third[13]) == (100.0, 100.0, 100.0)
    steps = {row[0]: row[1:] for row in parts["transitions"].table.rows}
    assert steps["1"][1] == 100.0  # from the first chunk to the second
    assert steps["2"][12] == 100.0  # from there to none
    assert steps["none"][1] == 100.0
    assert steps["12"] == (None,) * 13
    assert [row[1] for row in parts["coverage"].table.rows][:3] == [1, 2, 0]
    assert value(parts["chunks_of_dialogs"], "2") == 1


def test_both_heat_maps_have_one_scale() -> None:
    charts = [described(dialog(asked(at(0))))[name].chart for name in ("positions", "transitions")]
    assert [chart.darkest for chart in charts if isinstance(chart, HeatMap)] == [100.0, 100.0]


def test_turns_beyond_the_twelfth_are_counted_with_it() -> None:
    parts = described(dialog(*(asked(at(0)) for _ in range(15))))
    assert len(parts["positions"].table.rows) == 12
    assert value(parts["positions"], "12") == 100.0


@pytest.mark.parametrize(
    ("references", "several", "unanswerable"),
    [
        ((at(0), at(2)), False, False),
        ((at(0), at(5)), True, False),
        ((at(0), at(2), at(50)), True, False),
        ((at(0), Answer.none()), False, True),
        ((at(0), at(50), Answer.none(), Answer.none()), False, True),
        ((at(0),), None, False),
        ((), None, None),
    ],
)
def test_several_answers_and_none(
    references: tuple[Answer, ...], several: bool | None, unanswerable: bool | None
) -> None:
    question = Question("q", "Who?", gold=asked(*references))
    assert has_several_answers(question) is several
    assert is_unanswerable(question) is unanswerable


def test_wh_words() -> None:
    questions = ["What was it?", "What did he do?", "Did he?", ""]
    parts = described(*(dialog(asked(at(0)), text=text) for text in questions))
    chart = parts["wh_words"].chart
    assert [branch.name for branch in chart.branches] == ["what"]  # type: ignore[union-attr]
    assert "66.7 %" in parts["wh_words"].note


def test_what_is_missing_is_named_and_the_rest_shown() -> None:
    parts = described(dialog(asked(at(0)), Gold()))
    assert "2 questions have no field 'yesno'" in parts["averages"].missing
    assert "'yesno'" in parts["turns"].missing
    assert parts["turns"].table.columns == ("turn", "no answer")
    assert value(parts["turns"], "1") == 0.0
    acts = DialogActs(yes_no=YesNo.NO)
    assert described(dialog(asked(at(0), acts=acts)))["averages"].missing == ""


def test_a_file_without_answers_is_described_all_the_same() -> None:
    parts = describe_items("quac", [Item((Block((Question("q", "Did he?"),)),))])
    assert value(parts["averages"], "questions") == 1
    assert parts["wh_words"].chart is None


def test_the_real_training_set_is_close_to_the_paper(data_folder: Path) -> None:
    parts = describe_file("quac", data_folder / "quac" / "train.json.gz")
    for what in ("words a section", "words a question", "words an answer", "questions a dialog"):
        _, ours, paper, *_ = next(row for row in parts["averages"].table.rows if row[0] == what)
        assert ours == pytest.approx(paper, rel=0.02), what
    chart = parts["transitions"].chart
    assert isinstance(chart, HeatMap)
    for chunk in range(1, 11):  # the next answer is in the same or the next chunk, mostly
        near, far = chart.values[chunk][chunk : chunk + 2], chart.values[chunk][:chunk]
        assert sum(share or 0 for share in near) > 30 > max(share or 0 for share in far)
