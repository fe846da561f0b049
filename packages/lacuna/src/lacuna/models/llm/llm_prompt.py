"""The prompt for a language model, and the parts of its reply."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from lacuna.answers import MAY_ABSTAIN, AnswerMode
from lacuna.corpus.passages import Excerpt
from lacuna.errors import shown
from lacuna.models.llm.chat_server import Message, ReplyProblem
from lacuna.retrieve.windows import windows, with_sentences
from lacuna.text import STOP_WORDS, words
from lacuna.types import AnswerKind, Document, Question, Span

ROOM = 12_000
"""Characters of all passages together; with the rest of the prompt and the reply they fit into the
4,096 tokens that many local servers have by default, and that some cut off without a word."""
EARLIER_TURNS = 8

INSTRUCTIONS = """\
You answer a question from numbered passages, and from nothing else. Reply with one JSON object:
{"quotes": [{"passage": 1, "text": "..."}], "kind": "...", "answers": ["..."], "expression": "", \
"missing": "", "confidence": 0.9}
- quotes: what the answer rests on, each copied character by character from one passage, a \
sentence or less, with the number of that passage. Every answer but none needs at least one.
- kind: "span" (one stretch of a quote), "spans" (several), "number" (calculated or counted), \
"yes", "no", "choice" (if choices are offered), "none" (the passages do not say).
- answers: for a span, words copied from a quote, no longer than needed; for spans, one string \
each; for a number, the number and its unit; for a choice, its label; otherwise empty.
- expression: for a number that stands in no quote, how it is calculated from numbers that do, \
such as "1931 - 1897", or "1 + 1 + 1" for a count; otherwise empty.
- missing: if the kind is "none", what the passages do not say; otherwise empty.
- confidence: how sure you are, from 0 to 1.

An example. Passages:
[1] Ada Quill
Ada Quill was born in 1897 and grew up in Ellery.
[2] Marrow
Quill built the Marrow in 1931.
Question: How old was Ada Quill when she built the Marrow?
{"quotes": [{"passage": 1, "text": "Ada Quill was born in 1897"}, {"passage": 2, "text": "Quill \
built the Marrow in 1931."}], "kind": "number", "answers": ["34 years"], "expression": \
"1931 - 1897", "missing": "", "confidence": 0.9}
"""

HABITS = {
    AnswerMode.DIALOG: "The question is one turn of a dialog; answer it with a whole clause or "
    "sentence of a passage.",
    AnswerMode.CHOOSE: "Choose one of the choices by its label.",
}


@dataclass(frozen=True, slots=True)
class NumberedPassage:
    """A text as the model sees it, and the way back to the document it is taken from."""

    number: int
    excerpt: Excerpt

    @property
    def title(self) -> str:
        """The title of the document."""
        return self.excerpt.original.title

    @property
    def text(self) -> str:
        """The text that the model sees."""
        return self.excerpt.document.text


def numbered_passages(question: Question, room: int = ROOM) -> tuple[NumberedPassage, ...]:
    """The context and the documents; if they are too long, what shares most with the question."""
    given = [question.context, *question.documents] if question.context else question.documents
    documents = [document for document in given if document and document.text.strip()]
    if sum(len(document.text) for document in documents) <= room:
        parts = [[Span(0, len(document.text))] for document in documents]
    else:
        parts = _best_parts(question, documents, room)
    excerpts = (Excerpt.of(*pair) for pair in zip(documents, parts, strict=True) if pair[1])
    return tuple(NumberedPassage(number, excerpt) for number, excerpt in enumerate(excerpts, 1))


def _best_parts(question: Question, documents: Sequence[Document], room: int) -> list[list[Span]]:
    """The windows with most words of the question, as many as there is room for."""
    asked = set(words(question.text)) - STOP_WORDS
    ranked: list[tuple[int, int, Span]] = []
    for number, document in enumerate(documents):
        title = set(words(document.title))
        for window in windows(with_sentences(document)):
            text = document.text[window.start : window.end]
            shared = asked & (title | set(words(text)))
            ranked.append((-len(shared), number, Span(window.start, window.end)))
    parts: list[list[Span]] = [[] for _ in documents]
    for _, number, span in sorted(ranked):
        room -= span.end - span.start
        if room < 0:
            break
        parts[number].append(span)
    return parts


def prompt(
    question: Question, passages: Sequence[NumberedPassage], mode: AnswerMode
) -> list[Message]:
    """The messages that ask a question."""
    return [
        {"role": "system", "content": INSTRUCTIONS},
        {"role": "user", "content": "\n".join(_lines(question, passages, mode))},
    ]


def _lines(
    question: Question, passages: Sequence[NumberedPassage], mode: AnswerMode
) -> Iterator[str]:
    yield "Passages:" if passages else "There are no passages."
    for passage in passages:
        yield f"[{passage.number}] {passage.title}\n{passage.text}"
    if question.fact:
        yield f"A fact that helps: {question.fact}"
    if question.history:
        yield "Earlier in the dialog:"
        for turn in question.history[-EARLIER_TURNS:]:
            answer = turn.answer.text if turn.answer else "(not answered)"
            yield f"Question: {turn.question}\nAnswer: {answer}"
    if question.choices:
        yield "Choices:"
        yield from (f"{choice.label}: {choice.text}" for choice in question.choices)
    if mode in HABITS:
        yield HABITS[mode]
    if mode not in MAY_ABSTAIN:
        yield "The question can be answered."
    yield f"Question: {question.text}"


def reply_schema(question: Question) -> dict[str, Any]:
    """The form of a reply as a JSON schema.

    The quotes come first: an answer that is written after its evidence rests on it more often.
    """
    chosen = {AnswerKind.CHOICE, AnswerKind.NONE}
    kinds = [
        str(kind)
        for kind in AnswerKind
        if (kind in chosen if question.choices else kind is not AnswerKind.CHOICE)
    ]
    text = {"type": "string"}
    quote = _schema_object(passage={"type": "integer"}, text=text)
    return _schema_object(
        quotes={"type": "array", "maxItems": 10, "items": quote},
        kind={"type": "string", "enum": kinds},
        answers={"type": "array", "maxItems": 20, "items": text},
        expression=text,
        missing=text,
        confidence={"type": "number"},
    )


def _schema_object(**properties: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def retry_prompt(messages: Sequence[Message], reply: str, problem: str) -> list[Message]:
    """Ask again, with what was wrong with the first reply."""
    return [
        *messages,
        {"role": "assistant", "content": reply},
        {
            "role": "user",
            "content": f"{problem} Reply again, with the JSON object alone.",
        },
    ]


MOST_QUOTES = 50
"""Each is looked for in every passage; the form asks for ten at most."""
_THOUGHTS = re.compile(r"<think>.*?(?:</think>|\Z)", re.DOTALL)
_NUMBER = re.compile(r"\[?\s*([0-9]{1,6})\s*\]?")


@dataclass(frozen=True, slots=True)
class ClaimedQuote:
    """A quote and the number of the passage that it is said to stand in."""

    passage: int
    text: str


@dataclass(frozen=True, slots=True)
class LLMReply:
    """The reply of a model; ``confidence`` is None where it gives none from 0 to 1."""

    kind: AnswerKind
    answers: tuple[str, ...] = ()
    quotes: tuple[ClaimedQuote, ...] = ()
    expression: str = ""
    missing: str = ""
    confidence: float | None = None


def parse_reply(content: str) -> LLMReply:
    """Take a reply apart; what stands around the JSON object is passed over.

    >>> parse_reply('```json\\n{"kind": "none", "missing": "her age"}\\n```').missing
    'her age'
    """
    reply = _object(content)
    kind = reply.get("kind")
    if kind not in tuple(AnswerKind):
        kinds = ", ".join(AnswerKind)
        raise ReplyProblem(f'In the reply, "kind" is {shown(kind)}, but must be one of {kinds}.')
    return LLMReply(
        AnswerKind(kind),
        _texts(reply.get("answers", reply.get("answer"))),
        _quotes(reply.get("quotes")),
        _text(reply.get("expression")),
        _text(reply.get("missing")),
        _share(reply.get("confidence")),
    )


def _object(content: str) -> dict[str, Any]:
    text = _THOUGHTS.sub("", content)
    start = text.find("{")
    if start < 0:
        raise ReplyProblem(f"The reply has no JSON object in it, but is {shown(text.strip())}.")
    try:
        found = json.JSONDecoder(strict=False).raw_decode(text, start)[0]
    except (ValueError, RecursionError) as error:
        raise ReplyProblem(f"The reply is no valid JSON: {error}.") from error
    assert isinstance(found, dict)
    return found


def _texts(value: Any) -> tuple[str, ...]:
    values = value if isinstance(value, list) else [value]
    return tuple(text for text in map(_text, values) if text)


def _text(value: Any) -> str:
    """One line, without what a terminal would obey; a bare number is as good as a string."""
    match value:
        case None | bool() | list() | dict():
            return ""
        case str():
            return " ".join("".join(c if c.isprintable() else " " for c in value).split())
        case _:
            return f"{value}"


def _share(value: Any) -> float | None:
    known = isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1
    return float(value) if known else None


def _quotes(value: Any) -> tuple[ClaimedQuote, ...]:
    if value is None:
        return ()
    if not isinstance(value, list):
        raise ReplyProblem(f'In the reply, "quotes" is {shown(value)}, but must be a list.')
    if len(value) > MOST_QUOTES:
        raise ReplyProblem(f"The reply has more than {MOST_QUOTES} quotes.")
    quotes: list[ClaimedQuote] = []
    for quote in value:
        number = _NUMBER.fullmatch(str(quote.get("passage"))) if isinstance(quote, dict) else None
        if number is None or not isinstance(quote.get("text"), str):
            raise ReplyProblem(
                'In the reply, each of "quotes" must be like {"passage": 1, "text": "..."}, but '
                f"one is {shown(quote)}."
            )
        if text := _text(quote["text"]):
            quotes.append(ClaimedQuote(int(number[1]), text))
    return tuple(quotes)
