"""Prediction files that map an id to a text or to a list of texts (DROP, IIRC, SQuAD)."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from lacuna.answers import answer_from_text, text_from_answer
from lacuna.errors import BadField, ItemError, LacunaError, shown
from lacuna.files.json import Shape, decode_whole, write_items
from lacuna.files.opening import open_text
from lacuna.files.writing import replace_text
from lacuna.types import Answer, AnswerKind, Prediction


def read_map(path: Path) -> dict[str, Any]:
    """A JSON object; an id that stands there twice is an error."""
    with open_text(path) as source:
        if not source.head.startswith("{"):
            raise LacunaError(
                f"{path} holds no predictions: expected one JSON object that maps each question's "
                f"id to its answer, found a file that begins with {source.head[:20]!r}."
            )
        entries: dict[str, Any] = decode_whole(source)
        return entries


def prediction_error(path: Path, id_: str, problem: BadField) -> ItemError:
    """The error for one broken prediction."""
    return ItemError(path, f"prediction for {id_!r}", problem, can_skip=False)


def read_texts(
    path: Path, none: str, *, several: bool = True, yes_no: bool = True
) -> dict[str, Prediction]:
    """Read ``{id: text}`` or, where ``several`` are allowed, ``{id: [text, …]}``."""
    predictions: dict[str, Prediction] = {}
    for id_, value in read_map(path).items():
        if isinstance(value, str):
            answer = answer_from_text(value, none, yes_no=yes_no)
        elif several and isinstance(value, list) and all(isinstance(text, str) for text in value):
            answer = Answer.spans(tuple(value))
        else:
            wanted = "a text or a list of texts" if several else "a text"
            raise prediction_error(path, id_, BadField("answer", wanted, shown(value)))
        predictions[id_] = Prediction(answer)
    return predictions


def read_probabilities(path: Path) -> dict[str, float]:
    """Read ``{id: probability}``; SQuAD 2.0's scorer takes any number for it."""
    probabilities: dict[str, float] = {}
    for id_, value in read_map(path).items():
        if type(value) not in (int, float) or abs(value) > sys.float_info.max:
            raise prediction_error(path, id_, BadField("probability", "a number", shown(value)))
        probabilities[id_] = float(value)
    return probabilities


def write_texts(
    path: Path, predictions: Mapping[str, Prediction], none: str, *, several: bool = True
) -> None:
    """Write ``{id: text}``, and a list of texts for several spans where that is allowed."""

    def value(answer: Answer) -> str | list[str]:
        if several and answer.kind is AnswerKind.SPANS:
            return list(answer.texts)
        return text_from_answer(answer, none)

    with replace_text(path) as out:
        entries = ((id_, value(p.answer)) for id_, p in predictions.items() if p.answer is not None)
        write_items(out, entries, Shape.MAP, {})


def write_confidences(path: Path, predictions: Mapping[str, Prediction]) -> None:
    """Write ``{id: confidence}``, for the predictions that claim one."""
    with replace_text(path) as out:
        claims = ((id_, p.confidence) for id_, p in predictions.items() if p.confidence is not None)
        write_items(out, claims, Shape.MAP, {})
