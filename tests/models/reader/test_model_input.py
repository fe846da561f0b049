from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from lacuna import Answer, Document, Evidence, Question
from lacuna.answers import AnswerMode
from lacuna.models.reader.encode import QuestionEncoder, TextPlace, Tokenizer
from lacuna.types import Span, Turn

FERRY = Document("ferry", "ann built the ferry", sentences=(Span(0, 9), Span(10, 19)))
TEXTS = st.lists(st.text("ab 1é한\u200b", min_size=1, max_size=30), min_size=1, max_size=4)


def test_one_input_as_the_model_gets_it(tokenizer: Tokenizer) -> None:
    question = Question("q", "in", FERRY, (Document("bob", "the word"),))
    read = QuestionEncoder(tokenizer, question, AnswerMode.ASK).input([(0, 1, 3), (1, 0, 2)])

    def ids(text: str) -> list[int]:
        return [int(one) for one in tokenizer.encode(text).ids]

    assert read.ids.tolist() == [
        *(tokenizer.begin, tokenizer.modes[AnswerMode.ASK], *ids("in"), tokenizer.separator),
        *(
            tokenizer.document,
            tokenizer.text,
            *ids("built the"),
        ),  # a passage goes without its title
        *(tokenizer.document, *ids("bob"), tokenizer.text, *ids("the word")),
        tokenizer.separator,
    ]
    assert read.question == TextPlace(2, 2)
    assert read.quote(6, 7) == ("built the", Evidence("ferry", 4, 13))
    assert read.quote(7, 11) is None  # from one document into the next
    assert list(read.places(0, 4, 13)) == [TextPlace(6, 7)]
    assert list(read.places(0, 0, 9)) == []  # only a part of it is here


@given(TEXTS, st.data())
def test_places_and_quotes_are_inverses(
    tokenizer: Tokenizer, texts: list[str], data: st.DataObject
) -> None:
    documents = tuple(Document(str(number), text) for number, text in enumerate(texts))
    encoder = QuestionEncoder(tokenizer, Question("q", "in", None, documents), AnswerMode.ASK)
    read = encoder.whole()
    assert read is not None
    titles = {document.title: i for i, document in enumerate(encoder.encoded.documents)}
    for segment in read.segments:
        size = segment.last - segment.first
        if not size:
            continue
        first = data.draw(st.integers(0, size - 1))
        last = data.draw(st.integers(first, size - 1))
        quoted = read.quote(segment.at + first, segment.at + last)
        assert quoted is not None
        text, evidence = quoted
        document = encoder.encoded.documents[titles[evidence.document]]
        assert document.text[evidence.start : evidence.end] == text != ""
        (place,) = read.places(titles[evidence.document], evidence.start, evidence.end)
        # Tokenizer of one character (한 is three) come together.
        assert place.first <= segment.at + first <= segment.at + last <= place.last
        assert read.quote(*place) == quoted


def test_sentences_are_looked_up_once_for_all_windows(tokenizer: Tokenizer) -> None:
    encoder = QuestionEncoder(tokenizer, Question("q", "in", FERRY), AnswerMode.HOP)
    read = encoder.input([(0, 2, 4)])
    (covers,) = encoder.encoded.sentences
    assert list(read.segments[0].holds(covers)) == [(1, TextPlace(6, 7))]
    assert encoder.encoded.sentences is encoder.encoded.sentences


def test_earlier_answers_are_marked_the_latest_on_top(tokenizer: Tokenizer) -> None:
    def turn(start: int, end: int) -> Turn:
        return Turn("who", Answer.span(FERRY.text[start:end], Evidence("ferry", start, end)))

    history = (turn(0, 3), turn(0, 19), turn(4, 9))
    encoder = QuestionEncoder(
        tokenizer, Question("q", "in", FERRY, history=history), AnswerMode.DIALOG
    )
    read = encoder.whole()
    assert read is not None
    at = read.segments[0].at
    assert read.marks[at : at + 4].tolist() == [2, 1, 2, 2]
    assert not read.marks[:at].any()
    assert encoder.input([(0, 0, 1)]).marks.max() == 2  # a part of an answer is marked too


def test_earlier_answers_in_odd_places_are_left_alone(tokenizer: Tokenizer) -> None:
    twice = Document("ferry", "bob")
    history = (
        Turn("a", Answer.span("x", Evidence("ferry", 900, 905))),
        Turn("b", Answer.span("x", Evidence("elsewhere", 0, 3))),
        Turn("c", Answer.span("ann", Evidence("ferry", 0, 3))),
    )
    question = Question("q", "in", FERRY, (twice,), history=history)
    read = QuestionEncoder(tokenizer, question, AnswerMode.DIALOG).whole()
    assert read is not None
    assert [int(read.marks[segment.at]) for segment in read.segments] == [1, 0]
    assert read.marks.sum() == 1
