"""A labelling sheet: a CSV file with a row for each question and empty cells for its labels."""

from __future__ import annotations

import csv
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from lacuna.answer_text import CANNOT_ANSWER
from lacuna.datasets.describing.labelling import LabellingTask
from lacuna.errors import LacunaError
from lacuna.files.writing import replace_text
from lacuna.types import Answer, Prediction, Question

ROW, ID = "row", "id"
LONGEST_CELL = 30_000
"""Spreadsheets cut cells off at 32,767 characters."""
FORMULA = ("=", "+", "-", "@", "\t")
"""What a spreadsheet takes for the beginning of a formula, and would run."""

NUMBER_OR_DATE = re.compile(r"[0-9][0-9./:,-]*")


def write_sheet(
    path: Path,
    task: LabellingTask,
    questions: Sequence[Question],
    predictions: Mapping[str, Prediction],
) -> None:
    """Write a sheet to fill; ``predictions`` are by the questions' ids, for sheets of errors."""
    refuse_existing(path)
    _check_ids(questions)
    rows = [
        _material(question, predictions.get(question.id), task.material(question))
        for question in questions
    ]
    shown = list(dict.fromkeys(name for row in rows for name in row))
    labels = [header(name, allowed) for name, allowed in task.columns().items()]
    with replace_text(path) as out:
        sheet = csv.writer(out, lineterminator="\n")
        sheet.writerow((ROW, ID, *shown, *labels))
        for number, (question, row) in enumerate(zip(questions, rows, strict=True), 1):
            cells = (written_cell(row.get(name, "")) for name in shown)
            first = row_name(number, len(questions)), written_id(question.id)
            sheet.writerow((*first, *cells, *([""] * len(labels))))


def refuse_existing(path: Path) -> None:
    """A sheet that is there already is never replaced: somebody may have filled it."""
    if path.exists():
        raise LacunaError(
            f"{path} exists already, and its labels would be lost. Give another name, or remove it."
        )


def _check_ids(questions: Sequence[Question]) -> None:
    """Find out before people label it that a sheet could not be read again."""
    seen: set[str] = set()
    for question in questions:
        id_ = written_id(question.id)
        if not id_ or id_ in seen:
            raise LacunaError(
                f"Two questions have the id {question.id!r}, so labels could not tell them apart. "
                "Make a sheet of one file at a time."
                if id_
                else "A question has an empty id, so labels could not name it. Give it one."
            )
        seen.add(id_)


def header(column: str, allowed: Sequence[str]) -> str:
    """The name of a column with the labels that it takes.

    >>> header("reasoning", ("numeric", "temporal"))
    'reasoning [numeric | temporal]'
    """
    return f"{column} [{' | '.join(allowed)}]"


def column_of(name: str) -> str:
    """The column that a header is of.

    >>> column_of("Reasoning [numeric | temporal]")
    'reasoning'
    """
    return name.split("[")[0].strip().casefold()


def row_name(number: int, total: int) -> str:
    """The number of a row; in words, since spreadsheets take 1/7 for a day.

    >>> row_name(1, 7)
    '1 of 7'
    """
    return f"{number} of {total}"


def written_id(id_: str) -> str:
    """An id that no spreadsheet takes for a number or a date, and writes otherwise.

    >>> written_id("9-37"), written_id("q_1")
    ("'9-37", 'q_1')
    """
    cell = written_cell(id_)
    return f"'{cell}" if NUMBER_OR_DATE.fullmatch(cell) else cell


def written_cell(text: str) -> str:
    """A text on one line that no spreadsheet takes for a formula.

    >>> written_cell("=1+1")
    "'=1+1"
    """
    line = " ".join(text.split())
    line = line if len(line) <= LONGEST_CELL else line[:LONGEST_CELL] + "…"
    return f"'{line}" if line.startswith(FORMULA) else line


def _material(
    question: Question, prediction: Prediction | None, more: Mapping[str, str]
) -> dict[str, str]:
    """What somebody needs to see for labelling, without what is empty."""
    gold = question.gold
    cells = {
        "question": question.text,
        "fact": question.fact or "",
        "choices": "; ".join(f"{choice.label}: {choice.text}" for choice in question.choices),
        "dialog so far": " / ".join(
            f"{turn.question} → {_said(turn.answer)}" for turn in question.history
        ),
        "answer": _said(gold.answers[0]) if gold and gold.answers else "",
        "prediction": _said(prediction.answer) if prediction else "",
        "links": "; ".join((gold and gold.links) or ()),
        "evidence": " / ".join(_evidence(question)),
        "title": question.context.title if question.context else "",
        "text": question.context.text.removesuffix(CANNOT_ANSWER) if question.context else "",
        **more,
    }
    return {name: text for name, text in cells.items() if text}


def _said(answer: Answer | None) -> str:
    return answer.text if answer else "?"


def _evidence(question: Question) -> list[str]:
    """The sentences or stretches that the annotators pointed to, each with its title."""
    gold = question.gold
    if gold is None:
        return []
    documents = {document.title: document for document in question.documents}
    if question.context is not None:
        documents.setdefault(question.context.title, question.context)
    pieces = []
    for title, number in gold.supporting_facts or ():
        document = documents.get(title)
        if document and number < len(document.sentences):
            pieces.append(f"{title}: {document.sentence(number).strip()}")
    pieces.extend(
        f"{piece.document}: {document.text[piece.start : piece.end]}"
        for piece in gold.evidence or ()
        if (document := documents.get(piece.document))
    )
    return pieces
