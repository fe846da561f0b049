"""A model's reply, taken apart; what it claims is not checked here."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

from lacuna.errors import shown
from lacuna.models.llm.chat_server import ReplyProblem
from lacuna.types import AnswerKind

_THOUGHTS = re.compile(r"<think>.*?</think>", re.DOTALL)
_NUMBER = re.compile(r"\[?\s*([0-9]{1,6})\s*\]?")


@dataclass(frozen=True, slots=True)
class ClaimedQuote:
    """A quote and the number of the passage that it is said to stand in."""

    passage: int
    text: str


@dataclass(frozen=True, slots=True)
class LLMReply:
    """What a model says; ``confidence`` is None where it gives none from 0 to 1."""

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
