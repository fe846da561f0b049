"""Answers in a file that grows with them."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lacuna.evaluation.kept_answers import KeptAnswer, KeptAnswers
from lacuna.types import (
    Answer,
    DialogActs,
    Evidence,
    FollowUp,
    Gap,
    Prediction,
    Role,
    SupportingFact,
    YesNo,
)

PLACE = Evidence("Ada \ud800", 3, 9, Role.ANSWER, 0.1)
FULL = Prediction(
    Answer.number(1e300, "1e300", PLACE, unit="£", expression="a − b"),
    (PLACE,),
    (Gap("m", ("x",), ("y",), PLACE),),
    (SupportingFact("T", 2),),
    DialogActs(YesNo.NEITHER, FollowUp.MAYBE),
    1 / 3,
)
ABOUT = {"the questions": "1", "the model": "2"}


def reopened(path: Path, **about: str) -> KeptAnswers:
    return KeptAnswers(path, ABOUT | about, resume=True)


@pytest.fixture
def two(tmp_path: Path) -> Path:
    """A file with two lines of answers."""
    path = tmp_path / "0.jsonl"
    kept = KeptAnswers(path, ABOUT, resume=False)
    kept.add({"a": KeptAnswer(FULL, ("Ada", "Tom"))})
    kept.add({"b": KeptAnswer(Prediction()), "c\n": KeptAnswer(Prediction(Answer.yes()), ())})
    kept.close()
    return path


def test_what_was_kept_is_there_again(two: Path) -> None:
    answers = reopened(two).answers
    assert list(answers) == ["a", "b", "c\n"]
    assert answers["a"] == KeptAnswer(FULL, ("Ada", "Tom"))
    assert answers["b"] == KeptAnswer(Prediction(), None)
    assert answers["c\n"].followed == ()


@given(st.text(st.characters()), st.floats(0, 1), st.text(st.characters()))
def test_any_text_comes_back(
    tmp_path_factory: pytest.TempPathFactory, id_: str, confidence: float, text: str
) -> None:
    path = tmp_path_factory.mktemp("kept") / "0.jsonl"
    answer = KeptAnswer(Prediction(Answer.span(text), confidence=confidence))
    kept = KeptAnswers(path, ABOUT, resume=False)
    kept.add({id_: answer})
    kept.close()
    assert reopened(path).answers == {id_: answer}


def test_every_cut_leaves_whole_lines(two: Path) -> None:
    whole = two.read_bytes()
    first, second, _ = (len(line) for line in whole.splitlines(keepends=True))
    for size in range(len(whole)):
        two.write_bytes(whole[:size])
        kept = reopened(two)
        assert list(kept.answers) == (["a"] if size >= first + second else [])
        kept.add({"d": KeptAnswer(Prediction(Answer.no()))})
        kept.close()
        again = reopened(two)
        assert [*kept.answers] == [*again.answers], "it goes on after what was whole"
        again.close()


def test_a_flipped_bit_ends_what_is_read(two: Path) -> None:
    whole = bytearray(two.read_bytes())
    lines = bytes(whole).splitlines(keepends=True)
    for at in range(len(lines[0]), len(whole), 7):
        whole[at] ^= 4
        two.write_bytes(whole)
        kept = reopened(two)
        assert list(kept.answers) == (["a"] if at >= len(lines[0]) + len(lines[1]) else [])
        kept.close()
        whole[at] ^= 4


def test_of_something_else_nothing_is_read(two: Path) -> None:
    before = two.read_bytes()
    kept = reopened(two, **{"the model": "3"})
    assert (kept.differs, kept.answers) == (["the model"], {})
    assert two.read_bytes() == before


def test_a_full_disk_stops_the_keeping_alone(tmp_path: Path) -> None:
    path = tmp_path / "0.jsonl"
    path.symlink_to("/dev/full")
    kept = KeptAnswers(path, ABOUT, resume=False)
    kept.add({"a": KeptAnswer(FULL)})
    assert kept.problem is not None
    assert list(kept.answers) == ["a"], "the run itself goes on with them"
