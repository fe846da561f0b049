"""The dataset's own files: sections with their dialogs, in QuAC's format."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from lacuna.answer_text import CANNOT_ANSWER
from lacuna.collect.tasks.quac.collected import CollectedDialog
from lacuna.collect.tasks.quac.span_answers import NONE, quoted
from lacuna.collect.tasks.task import Json
from lacuna.files.json_stream import Shape
from lacuna.files.json_write import write_items
from lacuna.files.writing import replace_text


def write_dialogs(path: Path, dialogs: Iterable[CollectedDialog]) -> Json:
    """Write a file of dialogs; its counts."""
    items = [_item(dialog) for dialog in dialogs]
    with replace_text(path) as file:
        write_items(file, ((None, item) for item in items), Shape.DATA, {})
    sections = {(item["title"], item["paragraphs"][0]["context"]) for item in items}
    return {
        "dialogs": len(items),
        "questions": sum(len(item["paragraphs"][0]["qas"]) for item in items),
        "sections": len(sections),
    }


def _item(dialog: CollectedDialog) -> Json:
    payload = dialog.payload
    context = f"{payload['text']} {CANNOT_ANSWER}"
    marked = {"simulated": dialog.work["simulated"]} if dialog.is_simulated else {}
    return {
        "title": payload["title"],
        "section_title": payload["section"],
        "background": payload["background"],
        **marked,
        "paragraphs": [
            {
                "id": dialog.id,
                "context": context,
                "qas": [
                    _question(dialog, number, context) for number in range(len(dialog.answers))
                ],
            }
        ],
    }


def _question(dialog: CollectedDialog, number: int, context: str) -> Json:
    turn, answers = dialog.work["turns"][number], dialog.answers[number]
    given = turn["answer"]
    return {
        "id": f"{dialog.id}_q#{number}",
        "question": turn["question"],
        "answers": [_answer(answer, context) for answer in answers],
        "orig_answer": _answer(given, context),
        "yesno": given["yesno"],
        "followup": given["followup"],
    }


def _answer(answer: Json, context: str) -> Json:
    if answer["kind"] == NONE:
        return {"text": CANNOT_ANSWER, "answer_start": len(context) - len(CANNOT_ANSWER)}
    return {"text": quoted(context, answer), "answer_start": answer["start"]}
