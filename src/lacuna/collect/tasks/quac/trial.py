"""The test of both tasks: a section of our own, questions about it, and how we answer them."""

from __future__ import annotations

from lacuna.collect.tasks.quac.answering import ANSWERING, NO_DIALOG
from lacuna.collect.tasks.quac.span_answers import NONE, SPAN
from lacuna.collect.tasks.task import Json, NewItem

BACKGROUND = (
    "Ada Fenn (1851–1929) was an engineer of bridges and lighthouses. She built Marl Point Light."
)
TEXT = (
    "Fenn was born in Lowick as the daughter of a mason. She was not allowed to study, and learned "
    "her trade in the drawing office of Holm Bridge. Her first own work was a breakwater at Sell, "
    "which a storm destroyed within a year. She moved to Tarrick in 1884, where the quarries gave "
    "her work. There she drew the plans of Marl Point Light. The light was lit in 1887 and stands "
    "to this day."
)
ASKED: tuple[tuple[str, str, str, str], ...] = (
    ("Where was she born?", "Lowick", "x", "m"),
    ("Did she study?", "She was not allowed to study", "n", "y"),
    ("Whom did she marry?", "", "x", "n"),
    ("What was her first work?", "a breakwater at Sell", "x", "y"),
    ("What became of it?", "a storm destroyed within a year", "x", "n"),
    ("Is her lighthouse still there?", "stands to this day", "y", "n"),
)
"""Question, answer, whether it affirms, and whether to go on about it."""


def trial_items() -> tuple[NewItem, ...]:
    """The test."""
    answers = [_answer(*rest) for _, *rest in ASKED]
    sentences, start = [], 0
    for part in TEXT.split(". "):
        sentences.append([start, min(start + len(part) + 1, len(TEXT))])
        start += len(part) + 2
    payload: Json = {
        "kind": ANSWERING,
        "dialog": NO_DIALOG,
        "title": "Ada Fenn",
        "section": "Life and work",
        "background": BACKGROUND,
        "text": TEXT,
        "sentences": sentences,
        "questions": [
            {"id": f"trial-{number}", "text": text} for number, (text, *_) in enumerate(ASKED)
        ],
    }
    return (NewItem("trial", payload, gold={"answers": answers}),)


def _answer(words: str, yes_no: str, follow_up: str) -> Json:
    acts = {"yesno": yes_no, "followup": follow_up}
    if not words:
        return {"kind": NONE, **acts}
    start = TEXT.index(words)
    return {"kind": SPAN, "start": start, "end": start + len(words), **acts}
