"""Dialogs: questions that build on each other, asked of one collection."""

from __future__ import annotations

from typing import Any

from lacuna.datasets.fields import HIDDEN, visible
from lacuna.datasets.item import Block, Form, Item, Raw
from lacuna.datasets.real.questions_format import COLLECTION, collection_name, gold_of
from lacuna.files.json_stream import Shape
from lacuna.files.json_write import Encoded
from lacuna.types import Question, Turn

TURN = HIDDEN + "turn"
"""Where a question remembers its number in its dialog, from 1."""


def _looks_like(value: Any) -> bool:
    match value:
        case {"corpus": _, "turns": list()}:
            return True
    return False


def _decode(raw: Raw) -> Item:
    fields = raw.fields
    id_, name = fields.text("id"), collection_name(fields)
    history: tuple[Turn, ...] = ()
    questions = []
    for number, turn in enumerate(fields.objects("turns"), 1):
        text, gold = turn.text("question"), gold_of(turn)
        extra = {**turn.rest(), COLLECTION: name, TURN: number}
        questions.append(Question(f"{id_}.{number}", text, history=history, gold=gold, extra=extra))
        history = (*history, Turn(text, gold.answers[0] if gold else None))
    block = Block(tuple(questions), id=id_, extra={"corpus": name})
    return Item((block,), extra=fields.rest())


def _encode(item: Item) -> Encoded:
    (dialog,) = item.blocks
    turns = [{"question": turn.text, **visible(turn.extra)} for turn in dialog.questions]
    return None, {"id": dialog.id, **dialog.extra, "turns": turns, **item.extra}


DIALOGS = Form("dialogs", (Shape.LIST, Shape.LINES), _looks_like, _decode, _encode)
