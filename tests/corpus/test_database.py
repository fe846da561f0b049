import pytest
from hypothesis import given
from hypothesis import strategies as st

from lacuna.corpus.database import pack, unpack
from lacuna.errors import LacunaError
from lacuna.types import Document, Link, Markup, MarkupKind, Picture, Section, Span

ANY_TEXT = st.text(st.characters(exclude_categories=()))  # half surrogates too


@st.composite
def documents(draw: st.DrawFn) -> Document:
    text = draw(ANY_TEXT)
    span = st.tuples(st.integers(0, len(text)), st.integers(0, len(text))).map(
        lambda pair: Span(min(pair), max(pair))
    )
    spans = st.lists(span, max_size=4).map(tuple)
    links = draw(st.lists(st.tuples(span, ANY_TEXT, ANY_TEXT), max_size=4))
    pictures = draw(st.lists(st.tuples(span, ANY_TEXT), max_size=3))
    sections = draw(st.lists(st.tuples(st.lists(ANY_TEXT, max_size=3), span), max_size=4))
    return Document(
        "Title",
        text,
        draw(spans),
        tuple(Link(*place, target, fragment) for place, target, fragment in links),
        draw(spans),
        tuple(Section(tuple(path), *place) for path, place in sections),
        draw(st.dictionaries(ANY_TEXT, st.none() | st.integers() | ANY_TEXT, max_size=3)),
        markup=draw(st.sampled_from([(), (Markup(MarkupKind.CODE, 0, len(text)),)])),
        pictures=tuple(Picture(*place, target) for place, target in pictures),
    )


@given(documents())
def test_a_document_comes_back_exactly(document: Document) -> None:
    assert unpack(document.title, pack(document)) == document


def test_extra_fields_that_are_not_json_are_refused() -> None:
    with pytest.raises(LacunaError, match=r"'Odd'.*extra"):
        pack(Document("Odd", "", extra={"set": {1}}))
