from __future__ import annotations

import pytest
from gap_toys import pieces_of, shipped_pieces
from hypothesis import given, settings
from hypothesis import strategies as st

from lacuna.answers import AnswerMode
from lacuna.errors import LacunaError
from lacuna.models.gapqa.rows import LONGEST, Part, Row, RowMaker, padded

PIECES = shipped_pieces()
TEXTS = st.text(st.characters(codec="utf-8"), max_size=40)


def encoded(text: str) -> list[int]:
    return [int(one) for one in PIECES.encode(text).ids]


def test_the_question_stands_beside_the_fact_as_in_the_readers_inputs() -> None:
    row = RowMaker(PIECES).question_row("What is warm?", "stars are warm")
    assert row.ids.tolist() == [
        *(PIECES.begin, PIECES.modes[AnswerMode.EXTRACT]),
        *encoded("What is warm?"),
        *(PIECES.separator, PIECES.document, PIECES.text),
        *encoded("stars are warm"),
        PIECES.separator,
    ]


@settings(max_examples=50)
@given(TEXTS, TEXTS, TEXTS)
def test_every_piece_has_its_part(one: str, two: str, three: str) -> None:
    maker = RowMaker(PIECES)
    asked, chosen = maker.question_row(one, two), maker.choice_row(one, two, three)
    line = maker.knowledge_row(one, two, three)
    for row, texts in (
        (asked, {Part.QUESTION: one, Part.FACT: two}),
        (chosen, {Part.QUESTION: one, Part.CHOICE: two, Part.FACT: three}),
        (line, {Part.SPAN: one, Part.CHOICE: two, Part.KNOWLEDGE: three}),
    ):
        assert {part: pieces_of(row, part) for part in texts} == {
            part: encoded(text) for part, text in texts.items()
        }
        glue = len(row.ids) - sum(len(encoded(text)) for text in texts.values())
        assert len(pieces_of(row, Part.GLUE)) == glue
    start = maker.start_of_fact(one)
    assert asked.ids[start:-1].tolist() == encoded(two)


def test_without_a_fact_there_is_none() -> None:
    row = RowMaker(PIECES).choice_row("What is warm?", "the sun", None)
    assert set(row.parts.tolist()) == {Part.GLUE, Part.QUESTION, Part.CHOICE}


def test_a_long_line_is_cut_and_nothing_else() -> None:
    row = RowMaker(PIECES).knowledge_row("metal", "a steel spoon", "iron " * 2 * LONGEST)
    assert len(row.ids) == LONGEST
    assert row.ids[-1] == PIECES.separator
    assert pieces_of(row, Part.CHOICE) == encoded("a steel spoon")
    short = RowMaker(PIECES).knowledge_row("metal", "a steel spoon", "iron " * 400)
    assert len(pieces_of(short, Part.KNOWLEDGE)) == 400


def test_what_is_too_long_to_read_is_refused() -> None:
    maker, long = RowMaker(PIECES), "iron " * LONGEST
    with pytest.raises(LacunaError, match=r"question, a choice and the fact .* shorter"):
        maker.choice_row(long, "a spoon", "metal is hard")
    with pytest.raises(LacunaError, match="key span and a choice"):
        maker.knowledge_row("metal", long, "metal is hard")


def test_padding_comes_behind() -> None:
    rows = [Row.joined([(Part.FACT, [5, 6, 7])]), Row.joined([(Part.QUESTION, [8])])]
    ids, parts = padded(rows)
    assert ids.tolist() == [[5, 6, 7], [8, 0, 0]]
    assert parts.tolist() == [[Part.FACT] * 3, [Part.QUESTION, Part.PADDING, Part.PADDING]]
