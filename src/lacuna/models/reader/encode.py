"""From a question and its texts to inputs that fit the model; nothing is cut off in silence."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lacuna.answer_mode import AnswerMode
from lacuna.errors import LacunaError, shown
from lacuna.models.reader.model_input import (
    MARKED_TURNS,
    MAX_TOKENS,
    EncodedQuestion,
    ModelInput,
    build,
)
from lacuna.models.tokenizer import Tokenizer, TokenText
from lacuna.types import Document, Question, Span, Turn

MAX_QUESTION = 160
"""Tokens of the question with the earlier questions of its dialog."""
MAX_TITLE = 24
CHUNK = 240
"""Tokens of a piece that is ranked by itself, if a text must be cut for ranking."""
Part = tuple[int, int, int]


def question_fits(tokenizer: Tokenizer, question: str) -> bool:
    """Whether the model reads all of a question."""
    return len(tokenizer.encode(question).ids) <= MAX_QUESTION - 2


class QuestionEncoder:
    """Builds the inputs of one question."""

    def __init__(self, tokenizer: Tokenizer, question: Question, mode: AnswerMode) -> None:
        question_tokens = tokenizer.encode(question.text)
        if len(question_tokens.ids) > MAX_QUESTION - 2:
            which = f"question {shown(question.id)}" if question.id else "the question"
            raise LacunaError(
                f"{which} has {len(question_tokens.ids)} tokens, but the model reads "
                f"at most {MAX_QUESTION - 2} of a question. Ask it shorter, or give the long part "
                "as text."
            )
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
