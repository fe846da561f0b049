"""The gold of a HotpotQA file in one go, without the paragraphs that make up nearly all of it.

Scoring needs a hundredth of the file. msgspec skips the rest without making Python objects of it,
several times faster than any parser that builds the whole. Whatever is unusual about a file is
left to the ordinary reader, which can say what is wrong and where.
"""

from __future__ import annotations

from mmap import ACCESS_READ, mmap
from pathlib import Path

import msgspec

from lacuna.answer_text import answer_from_text
from lacuna.datasets.hotpotqa.hotpotqa_format import NO_ANSWER
from lacuna.types import Gold, Question, SupportingFact

NUL = "\0"
LARGEST = 256 << 20
"""Bytes of a file that is read at once; a larger one is streamed."""


class _Entry(msgspec.Struct, rename={"id": "_id"}):
    id: str
    question: str
    answer: str
    supporting_facts: tuple[SupportingFact, ...]
    type: str | None = None
    level: str | None = None


def gold_at_once(path: Path) -> list[Question] | None:
    """All questions with their gold; None where the ordinary reader has to look at the file."""
    try:
        if not path.is_file() or path.stat().st_size > LARGEST:
            return None
        with path.open("rb") as file, mmap(file.fileno(), 0, access=ACCESS_READ) as raw:
            entries = msgspec.json.decode(raw, type=list[_Entry])
    # ValueError: an empty file; RecursionError: one that is nested deeply
    except (msgspec.MsgspecError, OSError, ValueError, RecursionError):
        return None
    questions = []
    for entry in entries:
        if NUL in entry.id or NUL in entry.answer:
            return None
        answers = (answer_from_text(entry.answer, NO_ANSWER),)
        gold = Gold(answers, supporting_facts=entry.supporting_facts)
        labels = {"type": entry.type, "level": entry.level}
        questions.append(Question(entry.id, entry.question, gold=gold, extra=labels))
    return questions if len({question.id for question in questions}) == len(questions) else None
