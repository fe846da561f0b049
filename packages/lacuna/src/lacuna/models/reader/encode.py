"""From a question and its texts to inputs that fit the model; nothing is cut off."""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from threading import Lock
from typing import NamedTuple

import numpy as np
import tokenizers
from numpy.typing import NDArray

from lacuna.answers import AnswerMode
from lacuna.errors import LacunaError, shown
from lacuna.types import Answer, Document, Evidence, Question, Span, Turn

Ints = NDArray[np.int32]
Covers = tuple[Ints, Ints]
"""First and last piece of many segments of a text; first is behind last where no piece is."""
REMEMBERED = 1 << 20
"""Tokens that stay cached, of the texts read last: the questions of a dialog share one section."""
HALF_A_PAIR = re.compile(r"[\ud800-\udfff]")
"""A character that JSON may hold but no tokenizer takes."""


class TokenText(NamedTuple):
    """The pieces of a text; piece ``i`` is ``text[starts[i]:ends[i]]``."""

    ids: Ints
    starts: Ints
    ends: Ints

    def cover(self, start: int, end: int) -> tuple[int, int] | None:
        """The first and last piece that touch a stretch of characters, or None."""
        first = int(np.searchsorted(self.ends, start, "right"))
        last = int(np.searchsorted(self.starts, end, "left")) - 1
        return (first, last) if first <= last else None

    def covers(self, spans: Sequence[tuple[int, int]]) -> Covers:
        """Do ``cover`` for many segments at once."""
        edges = np.array(spans, np.int32).reshape(-1, 2)
        first = np.searchsorted(self.ends, edges[:, 0], "right")
        last = np.searchsorted(self.starts, edges[:, 1], "left") - 1
        return first.astype(np.int32), last.astype(np.int32)


class Tokenizer:
    """A tokenizer file and the special pieces that inputs are built with.

    Several threads may share one.
    """

    def __init__(self, path: Path) -> None:
        try:
            self._tokenizer = tokenizers.Tokenizer.from_file(str(path))
        except Exception as problem:  # the only class that tokenizers raises
            raise LacunaError(
                f"{path} cannot be loaded as a tokenizer; it may be cut short. Get the model "
                f"again. (tokenizers says: {problem})"
            ) from problem
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()
        self._tokenizer.encode_special_tokens = True  # "[SEP]" in a user's text is only text
        self._path = path
        self._seen: OrderedDict[str, TokenText] = OrderedDict()
        self._held = 0
        self._lock = Lock()
        self.pad = self._id("[PAD]")
        self.begin = self._id("[CLS]")
        self.separator = self._id("[SEP]")
        self.document = self._id("[unused1]")
        self.text = self._id("[unused2]")
        self.turn = self._id("[unused3]")
        self.second_look = self._id("[unused4]")
        self.modes = {mode: self._id(f"[unused{20 + i}]") for i, mode in enumerate(AnswerMode)}

    def _id(self, piece: str) -> int:
        found = self._tokenizer.token_to_id(piece)
        if found is None:
            raise LacunaError(
                f"the tokenizer in {self._path} has no piece {piece}; a vocabulary of BERT's is "
                "needed. Get the model again, or train from another encoder."
            )
        return int(found)

    @property
    def vocabulary(self) -> dict[str, int]:
        """Every piece and its number."""
        return dict(self._tokenizer.get_vocab())

    def turn_number(self, turn: int) -> int:
        """The piece that says how far a dialog has gone."""
        return self._id(f"[unused{40 + min(turn, 15)}]")

    def encode(self, text: str) -> TokenText:
        """The pieces of a text, without special ones."""
        with self._lock:
            if (known := self._seen.get(text)) is not None:
                self._seen.move_to_end(text)
                return known
        whole = HALF_A_PAIR.sub("\N{REPLACEMENT CHARACTER}", text)
        encoding = self._tokenizer.encode(whole, add_special_tokens=False)
        offsets = np.array(encoding.offsets, np.int32).reshape(-1, 2)
        ids = np.array(encoding.ids, np.int32)
        made = TokenText(ids, offsets[:, 0].copy(), offsets[:, 1].copy())
        self._remember(text, made)
        return made

    def _remember(self, text: str, made: TokenText) -> None:
        """Keep the pieces of a text, and forget the texts that were read longest ago."""
        with self._lock:
            if text in self._seen:  # another thread was quicker
                return
            self._seen[text] = made
            self._held += len(made.ids) + 1
            while self._held > REMEMBERED:
                _, old = self._seen.popitem(last=False)
                self._held -= len(old.ids) + 1


MAX_TOKENS = 512
MARKED_TURNS = 3
"""Earlier answers of a dialog that are marked in the text, by how many turns ago they were."""


class TextPlace(NamedTuple):
    """The place of a stretch of characters in the input: first and last token, both inclusive."""

    first: int
    last: int


class Segment(NamedTuple):
    """Tokens ``first`` to ``last`` (exclusive) of one document, put in at position ``at``."""

    document: int
    first: int
    last: int
    at: int

    def holds(self, covers: Covers) -> Iterator[tuple[int, TextPlace]]:
        """Find which of many places in the document it holds whole, and their places in the
        input."""
        first, last = covers
        inside = (self.first <= first) & (first <= last) & (last < self.last)
        shift = self.at - self.first
        for index in np.flatnonzero(inside).tolist():
            yield index, TextPlace(int(first[index]) + shift, int(last[index]) + shift)


@dataclass(frozen=True)
class EncodedQuestion:
    """A question's tokens and those of its documents; all its inputs share them."""

    question: TokenText
    documents: tuple[Document, ...]
    tokens: tuple[TokenText, ...]
    titles: tuple[TokenText, ...]
    marked: tuple[tuple[int, Span, int], ...] = ()
    """Earlier answers: document, characters, how many turns ago."""

    @cached_property
    def sentences(self) -> tuple[Covers, ...]:
        """The first and last token of each sentence, one pair of arrays a document.

        Looked up once for all windows, so that a long text does not cost its square.
        """
        pairs = zip(self.documents, self.tokens, strict=True)
        return tuple(tokens.covers(document.sentences) for document, tokens in pairs)


@dataclass(frozen=True, slots=True)
class ModelInput:
    """Token ids with the marks of earlier answers; ``segments`` say what text is where."""

    encoded: EncodedQuestion
    ids: Ints
    marks: Ints
    question: TextPlace
    segments: tuple[Segment, ...]

    def places(self, document: int, start: int, end: int) -> Iterator[TextPlace]:
        """The places of these characters of a document, if this input holds them all."""
        cover = self.encoded.tokens[document].cover(start, end)
        if cover is None:
            return
        for segment in self.segments:
            if (
                segment.document == document
                and segment.first <= cover[0] <= cover[1] < segment.last
            ):
                shift = segment.at - segment.first
                yield TextPlace(cover[0] + shift, cover[1] + shift)

    def within(
        self, segment: Segment, spans: Sequence[tuple[int, int]]
    ) -> Iterator[tuple[int, TextPlace]]:
        """Find which of many places in a document a segment holds whole, and where."""
        return segment.holds(self.encoded.tokens[segment.document].covers(spans))

    def quote(self, first: int, last: int) -> tuple[str, Evidence] | None:
        """The text that tokens ``first`` to ``last`` stand for, if it lies in one document."""
        for segment in self.segments:
            if segment.at <= first <= last < segment.at + segment.last - segment.first:
                shift = segment.first - segment.at
                tokens = self.encoded.tokens[segment.document]
                start, end = int(tokens.starts[first + shift]), int(tokens.ends[last + shift])
                document = self.encoded.documents[segment.document]
                return document.text[start:end], Evidence(document.title, start, end)
        return None


def build(
    tokenizer: Tokenizer,
    encoded: EncodedQuestion,
    head: Sequence[int],
    parts: Iterable[tuple[int, int, int]],
) -> ModelInput:
    """Put ``head``, the question and parts (document, first token, end) into one input."""
    ids = [tokenizer.begin, *head]
    question_ids = encoded.question.ids.tolist()
    place = TextPlace(len(ids), len(ids) + len(question_ids) - 1)
    ids += [*question_ids, tokenizer.separator]
    segments = []
    for document, first, last in parts:
        ids += [tokenizer.document, *encoded.titles[document].ids.tolist(), tokenizer.text]
        segments.append(Segment(document, first, last, len(ids)))
        ids += encoded.tokens[document].ids[first:last].tolist()
    ids.append(tokenizer.separator)
    marks = np.zeros(len(ids), np.int32)
    model_input = ModelInput(encoded, np.array(ids, np.int32), marks, place, tuple(segments))
    for document, span, ago in sorted(encoded.marked, key=lambda marked: -marked[2]):
        for segment in model_input.segments:
            if segment.document == document:
                _mark(marks, encoded.tokens[document], segment, span, ago)
    return model_input


def _mark(marks: Ints, tokens: TokenText, segment: Segment, span: Span, ago: int) -> None:
    """Mark what of an earlier answer lies in this segment, even if that is a part of it."""
    if (cover := tokens.cover(span.start, span.end)) is None:
        return
    first, last = max(cover[0], segment.first), min(cover[1], segment.last - 1)
    if first <= last:
        shift = segment.at - segment.first
        marks[first + shift : last + shift + 1] = ago


MAX_QUESTION = 160
"""Tokens of the question with the earlier questions of its dialog."""
MAX_TITLE = 40
"""Tokens of a title with the headings that its text stands under."""
CHUNK = 240
"""Tokens of a piece that is ranked by itself, if a text must be cut for ranking."""
Part = tuple[int, int, int]


def question_fits(tokenizer: Tokenizer, question: str) -> bool:
    """Tell if the model reads all of a question."""
    return len(tokenizer.encode(question).ids) <= MAX_QUESTION - 2


def _short_enough(tokenizer: Tokenizer, question: Question) -> TokenText:
    """The pieces of a question; one that the model does not read whole is an error."""
    tokens = tokenizer.encode(question.text)
    if len(tokens.ids) > MAX_QUESTION - 2:
        which = f"question {shown(question.id)}" if question.id else "the question"
        raise LacunaError(
            f"{which} has {len(tokens.ids)} tokens, but the model reads "
            f"at most {MAX_QUESTION - 2} of a question. Ask it shorter, or give the long part "
            "as text."
        )
    return tokens


class QuestionEncoder:
    """Builds the inputs of one question."""

    def __init__(self, tokenizer: Tokenizer, question: Question, mode: AnswerMode) -> None:
        question_tokens = _short_enough(tokenizer, question)
        self._tokenizer = tokenizer
        context = [] if question.context is None else _with_text([question.context])
        documents_with_text = _with_text(question.documents)
        documents = (*context, *documents_with_text)
        # In most datasets a context has no title of its own, only the id of its entry in the file.
        titles = [*("" for _ in context), *(document.title for document in documents_with_text)]
        self.encoded = EncodedQuestion(
            question_tokens,
            documents,
            tuple(tokenizer.encode(document.text) for document in documents),
            tuple(_shortened(tokenizer.encode(title)) for title in titles),
            tuple(_marked(question, documents)),
        )
        self._head = self._dialog_head(question.history, mode)
        self._room = MAX_TOKENS - 3 - len(self._head) - len(question_tokens.ids)

    def _dialog_head(self, history: Sequence[Turn], mode: AnswerMode) -> list[int]:
        """The mode; in a dialog also the turn and the latest earlier questions that fit."""
        head = [self._tokenizer.modes[mode]]
        if mode is not AnswerMode.DIALOG:
            return head
        head.append(self._tokenizer.turn_number(len(history)))
        room = MAX_QUESTION - len(self.encoded.question.ids) - len(head)
        earlier: list[int] = []
        for turn in reversed(history[-MARKED_TURNS:]):
            ids = [*self._tokenizer.encode(turn.question).ids.tolist(), self._tokenizer.turn]
            if len(earlier) + len(ids) > room:
                break
            earlier = ids + earlier
        return head + earlier

    def _cost(self, document: int) -> int:
        return 2 + len(self.encoded.titles[document].ids)

    def input(self, parts: Sequence[Part]) -> ModelInput:
        """One input of these parts."""
        return build(self._tokenizer, self.encoded, self._head, parts)

    def whole(self) -> ModelInput | None:
        """Everything in one input, if it fits."""
        sizes = [len(tokens.ids) for tokens in self.encoded.tokens]
        if sum(size + self._cost(i) for i, size in enumerate(sizes)) > self._room:
            return None
        return self.input([(i, 0, size) for i, size in enumerate(sizes)])

    def windows(self) -> list[ModelInput]:
        """Overlapping windows of each document, a quarter of a window shared with the next."""
        parts = [
            part
            for document in range(len(self.encoded.documents))
            for part in self._cut(document, self._room - self._cost(document))
        ]
        return [self.input([part]) for part in parts]

    def chunks(self) -> list[Part]:
        """Tokenizer to rank: whole documents, but long ones cut into overlapping chunks."""
        return [
            part
            for document in range(len(self.encoded.documents))
            for part in self._cut(document, min(CHUNK, self._room - self._cost(document)))
        ]

    def _cut(self, document: int, width: int) -> list[Part]:
        size = len(self.encoded.tokens[document].ids)
        if size <= width:
            return [(document, 0, size)]
        step = width - width // 4
        starts = range(0, size - width // 4, step)
        return [(document, start, min(start + width, size)) for start in starts]

    def pairs(self) -> list[ModelInput]:
        """Every window of the first of two documents beside every window of the second."""
        first, second = (len(tokens.ids) for tokens in self.encoded.tokens)
        room = self._room - self._cost(0) - self._cost(1)
        width = max(room // 2, room - second)
        beside = self._cut(1, room - min(width, first))
        return [self.input([part, other]) for part in self._cut(0, width) for other in beside]

    def best(self, chunks: Sequence[Part], scores: Sequence[float]) -> ModelInput:
        """The best-ranked chunks that fit together in one input, in the order of the documents."""
        chosen: dict[int, list[Part]] = {}
        room = self._room
        for index in np.argsort(-np.asarray(scores), kind="stable"):
            document = chunks[index][0]
            before = chosen.get(document, [])
            after = _merged([*before, chunks[index]])
            more = self._size(after) - self._size(before)
            if more <= room:
                chosen[document] = after
                room -= more
        return self.input([part for document in sorted(chosen) for part in chosen[document]])

    def _size(self, parts: Sequence[Part]) -> int:
        return sum(end - first + self._cost(document) for document, first, end in parts)


def _merged(parts: Sequence[Part]) -> list[Part]:
    """Parts of one document in order, those that touch made one."""
    merged: list[Part] = []
    for document, first, end in sorted(parts):
        if merged and merged[-1][2] >= first:
            merged[-1] = (document, merged[-1][1], max(end, merged[-1][2]))
        else:
            merged.append((document, first, end))
    return merged


def _with_text(documents: Sequence[Document]) -> list[Document]:
    return [document for document in documents if document.text.strip()]


def _shortened(title: TokenText) -> TokenText:
    """A title is a hint, no text to answer from: the beginning of a long one will do."""
    return TokenText(*(array[:MAX_TITLE] for array in title))


def _marked(question: Question, documents: Sequence[Document]) -> list[tuple[int, Span, int]]:
    numbers: dict[str, int] = {}
    for number, document in enumerate(documents):
        numbers.setdefault(document.title, number)  # of equal titles the context's, which is first
    return [
        (numbers[place.document], Span(place.start, place.end), ago)
        for ago, turn in enumerate(reversed(question.history[-MARKED_TURNS:]), 1)
        for place in (turn.answer.found_at if turn.answer else ())
        if place.document in numbers
    ]


def choice_inputs(tokenizer: Tokenizer, question: Question, index: int) -> list[ModelInput]:
    """A choice is read as the context, the fact as a document beside it.

    Nearly always that is one input; where it does not fit, every window of the choice is read
    beside every window of the fact.
    """
    fact = () if question.fact is None else (Document("", question.fact),)
    choice = Document("choice", question.choices[index].text)
    encoder = QuestionEncoder(
        tokenizer, Question(question.id, question.text, choice, fact), AnswerMode.CHOOSE
    )
    if (whole := encoder.whole()) is not None:
        return [whole]
    return encoder.windows() if len(encoder.encoded.documents) == 1 else encoder.pairs()


SECOND_LOOK_TOKENS = 256
"""Of an answer that is read again, with its question and what stands around it."""
LEAST_AROUND = 64
"""Tokens of the passage that are read however long question and answer are."""
MAX_ANSWER = 64
MARK = 1
"""The mark of the answer that is judged: that of a dialog's last answer."""


def second_look_input(
    tokenizer: Tokenizer, question: Question, answer: Answer, passage: Document
) -> ModelInput:
    """A question with an answer that is to be judged, and the passage that it is from.

    The places of the answer are marked in the passage; of a long one, what stands around the first
    of them is read. Yes and no have their place where the sentence stands that decides.
    """
    asked = _short_enough(tokenizer, question)
    said = f"{answer.text} = {answer.expression}" if answer.expression else answer.text
    head = [
        tokenizer.second_look,
        *tokenizer.encode(said).ids.tolist()[:MAX_ANSWER],
        tokenizer.turn,
    ]
    tokens, title = tokenizer.encode(passage.text), _shortened(tokenizer.encode(passage.title))
    places = [
        Span(place.start, place.end) for place in answer.found_at if place.document == passage.title
    ]
    marked = tuple((0, place, MARK) for place in places)
    encoded = EncodedQuestion(asked, (passage,), (tokens,), (title,), marked)
    taken = 5 + len(head) + len(asked.ids) + len(title.ids)
    room = min(len(tokens.ids), max(LEAST_AROUND, SECOND_LOOK_TOKENS - taken))
    covers = (tokens.cover(*place) for place in places)
    first, last = next((cover for cover in covers if cover is not None), (0, 0))
    start = min(max(0, (first + last - room) // 2), len(tokens.ids) - room)
    return build(tokenizer, encoded, head, [(0, start, start + room)])
