"""The sentence that is quoted around an answer, and what came nearest to one."""

from __future__ import annotations

from pathlib import Path

import pytest

from lacuna.corpus.store import Store
from lacuna.json_form import plain
from lacuna.pipeline.result import Quote, Result
from lacuna.pipeline.stages import AROUND, LONGEST_NEAREST, nearest_quote, quote, sentence_around
from lacuna.places import Origin, Place
from lacuna.types import Answer, Document, Evidence, Gap, Prediction, Section, Span


def test_a_sentence_or_two() -> None:
    page = Document("Ferry", "It sails. It is old.", (Span(0, 9), Span(10, 20)))
    assert sentence_around(page, 10, 12) == Span(10, 20)
    assert sentence_around(page, 3, 12) == Span(0, 20)


def test_what_stands_in_no_sentence_is_quoted_alone() -> None:
    page = Document("Ferry", "Ferry. It sails.", (Span(7, 16),))
    assert sentence_around(page, 0, 5) == Span(0, 5)
    assert sentence_around(Document("Ferry", "It sails."), 3, 8) == Span(3, 8)


@pytest.mark.parametrize("before", [0, 3, 1000])
@pytest.mark.parametrize("after", [0, 3, 1000])
@pytest.mark.parametrize("gap", [" ", "|"])
def test_of_a_table_only_what_is_around(before: int, after: int, gap: str) -> None:
    text = f"cell{gap}" * before + "answer" + f"{gap}cell" * after
    page = Document("Table", text, (Span(0, len(text)),))
    at = text.index("answer")
    found = sentence_around(page, at, at + 6)
    assert found.start <= at < at + 6 <= found.end
    assert found.end - found.start <= 6 + 2 * AROUND
    quoted = text[found.start : found.end]
    assert quoted == quoted.strip()
    if gap == " ":
        assert set(quoted.split()) <= {"cell", "answer"}


def none(nearest: Evidence | None, context: Document | None = None) -> Result:
    gap = Gap("a name", nearest=nearest)
    return Result("Who?", context, Prediction(Answer.none(), gaps=(gap,)), (), ())


def test_the_nearest_evidence_ends_with_a_sentence(tmp_path: Path) -> None:
    sentence = "It was cold. "
    text = sentence * 60
    spans = tuple(Span(at, at + 12) for at in range(0, len(text), 13))
    log = Document("Log", text, spans, sections=(Section(("Log", "End"), 0, len(text)),))
    with Store.create(tmp_path) as store:
        with store.writer() as writer:
            writer.add([log])
        found = nearest_quote(store, none(Evidence("Log", 13, len(text))))
        assert found is not None
        assert found.text.endswith("cold.")
        assert LONGEST_NEAREST - 13 < len(found.text) <= LONGEST_NEAREST
        assert (found.document, found.section) == ("Log", ("Log", "End"))
        assert nearest_quote(store, none(None)) is None
        assert nearest_quote(store, none(Evidence("Gone", 0, 3))) is None
        own = nearest_quote(store, none(Evidence("letter", 0, 2), Document("letter", "Hi.")))
        assert own is not None
        assert own.text == "Hi"


def test_a_quote_says_where_to_look() -> None:
    origin = Origin("guide/setup.md", marks=((0, 1), (10, 4)))
    page = Document("Ferry", "It sails. It is old.", (Span(0, 9), Span(10, 20)), origin=origin)
    assert str(quote(page, Span(0, 20)).place) == "guide/setup.md:1"
    marked = quote(page, Span(0, 20), [Span(16, 19)])
    assert plain(marked)["place"] == {
        "file": "guide/setup.md",
        "line": 4,
        "fragment": "",
        "url": "",
        "text": "guide/setup.md:4",
    }
    assert plain(quote(Document("Ferry", "It sails."), Span(0, 9)))["place"] is None


def test_only_what_is_known_of_a_place_is_told() -> None:
    place = Place("page.html", fragment="tools", url="https://a.example/page.html#tools")
    assert place.as_json() == {
        "file": "page.html",
        "fragment": "tools",
        "url": "https://a.example/page.html#tools",
        "text": "page.html#tools",
    }


def test_a_result_is_one_line_in_python_and_a_card_in_a_notebook() -> None:
    text = "It sails. <i>Old</i> it is."
    said = Quote("Ferry", ("Ferry", "Age"), text, 0, len(text), place=Place("ferry.md", 3))
    answer = Prediction(Answer.span("<i>Old</i>"), confidence=0.914)
    result = Result("How old & worn is it?", None, answer, (said,) * 40, ())
    assert repr(result) == "<Result answer 0.91: '<i>Old</i>' to 'How old & worn is it?'>"
    assert str(result) == "<i>Old</i>"
    card = result._repr_html_()
    assert "<b>&lt;i&gt;Old&lt;/i&gt;</b> <small>answer · 91%</small>" in card
    assert "How old &amp; worn is it?" in card
    assert "<small>Ferry › Age, ferry.md:3</small>" in card
    gap = Gap(missing="how old it is <now>")
    none = Result("How old?", None, Prediction(Answer.none(), gaps=(gap,)), (), ())
    assert repr(none) == "<Result none: 'none' to 'How old?'>"
    assert "<p>how old it is &lt;now&gt;</p>" in none._repr_html_()
