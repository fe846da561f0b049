from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from lacuna import Answer, Document, Evidence, Question
from lacuna.read.packing import Packer
from lacuna.read.sequence import TextPlace
from lacuna.read.style import Style
from lacuna.read.tokens import Pieces
from lacuna.types import Span, Turn

FERRY = Document("ferry", "ann built the ferry", sentences=(Span(0, 9), Span(10, 19)))
TEXTS = st.lists(st.text("ab 1é한\u200b", min_size=1, max_size=30), min_size=1, max_size=4)


def test_one_input_as_the_model_gets_it(pieces: Pieces) -> None:
    question = Question("q", "in", FERRY, (Document("bob", "the word"),))
    read = Packer(pieces, question, Style.ASK).input([(0, 1, 3), (1, 0, 2)])

    def ids(text: str) -> list[int]:
        return [int(one) for one in pieces.encode(text).ids]

    assert read.ids.tolist() == [
        *(pieces.begin, pieces.styles[Style.ASK], *ids("in"), pieces.separator),
        *(pieces.document, pieces.text, *ids("built the")),  # a passage goes without its title
        *(pieces.document, *ids("bob"), pieces.text, *ids("the word")),
        pieces.separator,
    ]
    assert read.question == TextPlace(2, 2)
    assert read.quote(6, 7) == ("built the", Evidence("ferry", 4, 13))
    assert read.quote(7, 11) is None  # from one document into the next
    assert list(read.places(0, 4, 13)) == [TextPlace(6, 7)]
    assert list(read.places(0, 0, 9)) == []  # only a part of it is here


@given(TEXTS, st.data())
def test_places_and_quotes_are_inverses(
    pieces: Pieces, texts: list[str], data: st.DataObject
) -> None:
    documents = tuple(Document(str(number), text) for number, text in enumerate(texts))
    packer = Packer(pieces, Question("q", "in", None, documents), Style.ASK)
    read = packer.whole()
    assert read is not None
    titles = {document.title: i for i, document in enumerate(packer.reading.documents)}
    for stretch in read.stretches:
        size = stretch.last - stretch.first
        if not size:
            continue
        first = data.draw(st.integers(0, size - 1))
        last = data.draw(st.integers(first, size - 1))
        quoted = read.quote(stretch.at + first, stretch.at + last)
        assert quoted is not None
        text, evidence = quoted
        document = packer.reading.documents[titles[evidence.document]]
        assert document.text[evidence.start : evidence.end] == text != ""
        (place,) = read.places(titles[evidence.document], evidence.start, evidence.end)
        # Pieces of one character (한 is three) come together.
        assert place.first <= stretch.at + first <= stretch.at + last <= place.last
        assert read.quote(*place) == quoted


def test_sentences_are_looked_up_once_for_all_windows(pieces: Pieces) -> None:
    packer = Packer(pieces, Question("q", "in", FERRY), Style.HOP)
    read = packer.input([(0, 2, 4)])
    (covers,) = packer.reading.sentences
    assert list(read.stretches[0].holds(covers)) == [(1, TextPlace(6, 7))]
    assert packer.reading.sentences is packer.reading.sentences


def test_earlier_answers_are_marked_the_latest_on_top(pieces: Pieces) -> None:
    def turn(start: int, end: int) -> Turn:
        return Turn("who", Answer.span(FERRY.text[start:end], Evidence("ferry", start, end)))

    history = (turn(0, 3), turn(0, 19), turn(4, 9))
    packer = Packer(pieces, Question("q", "in", FERRY, history=history), Style.DIALOG)
    read = packer.whole()
    assert read is not None
    at = read.stretches[0].at
    assert read.marks[at : at + 4].tolist() == [2, 1, 2, 2]
    assert not read.marks[:at].any()
    assert packer.input([(0, 0, 1)]).marks.max() == 2  # a part of an answer is marked too


def test_earlier_answers_in_odd_places_are_left_alone(pieces: Pieces) -> None:
    twice = Document("ferry", "bob")
    history = (
        Turn("a", Answer.span("x", Evidence("ferry", 900, 905))),
        Turn("b", Answer.span("x", Evidence("elsewhere", 0, 3))),
        Turn("c", Answer.span("ann", Evidence("ferry", 0, 3))),
    )
    question = Question("q", "in", FERRY, (twice,), history=history)
    read = Packer(pieces, question, Style.DIALOG).whole()
    assert read is not None
    assert [int(read.marks[stretch.at]) for stretch in read.stretches] == [1, 0]
    assert read.marks.sum() == 1
