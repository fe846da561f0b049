"""The answer task's test: a set of questions about a text of our own, with answers."""

from __future__ import annotations

from collections.abc import Iterable

from lacuna.collect.tasks.iirc.sources import ARTICLE, PARAGRAPH
from lacuna.collect.tasks.iirc.trial_text import (
    ARTICLES,
    TEST_ARTICLES,
    TEST_PARAGRAPH,
    TEXT,
    placed,
)
from lacuna.collect.tasks.task import Json, NewItem

BUILT = "first lit in 1887"
STONE = "its stone came by barge from the quarries of Tarrick"
OFF = "The light was turned off when the Estuary Act came into force"
SAVED = "The keeper Jonas Wree saved the crew of the Silver Hind in 1902"


def answer_trial() -> NewItem:
    """The test, and how we answer it."""
    rows = list(_rows())
    questions = [
        {
            "id": f"trial-{number}",
            "paragraph": TEST_PARAGRAPH["id"],
            "text": text,
            "context": [placed(TEXT, context)],
            "links": links,
        }
        for number, (text, context, links, _) in enumerate(rows)
    ]
    payload = {
        "set": "trial",
        "copies": 1,
        "questions": questions,
        "paragraphs": [TEST_PARAGRAPH],
        "articles": TEST_ARTICLES,
    }
    return NewItem("trial-answers", payload, gold={"answers": [gold for *_, gold in rows]})


def _rows() -> Iterable[tuple[str, str, list[str], Json]]:
    """Question, the writer's context, the writer's links, and our answer."""
    yield (
        "How old was the designer of Marl Point Light when it was first lit?",
        BUILT,
        ["Ada Fenn"],
        {
            "kind": "number",
            "number": "36",
            "unit": "years",
            "context": [_in_paragraph(BUILT), _in_article("Ada Fenn", "1851–1929")],
        },
    )
    yield (
        "Had the quarries that gave its stone closed when the light was turned off?",
        STONE,
        ["Tarrick", "Estuary Act"],
        {
            "kind": "yes",
            "context": [
                _in_article("Tarrick", "The quarries closed in 1931"),
                _in_article("Estuary Act", "came into force in 1953"),
            ],
        },
    )
    yield (
        "Who kept the light after the keeper who saved the crew?",
        SAVED,
        ["Jonas Wree"],
        {
            "kind": "span",
            "spans": [_in_article("Jonas Wree", "Peter")],
            "context": [_in_article("Jonas Wree", "His brother Peter kept the light after him")],
        },
    )
    yield (
        "What did the ship carry whose crew the keeper saved?",
        SAVED,
        ["Silver Hind"],
        {
            "kind": "span",
            "spans": [_in_article("Silver Hind", "timber")],
            "context": [_in_article("Silver Hind", "She carried timber")],
        },
    )
    yield (
        "Who voted against the act that turned off the light?",
        OFF,
        ["Estuary Act"],
        {"kind": "none"},
    )
    yield (
        "How many storeys does the river have where the light stands?",
        BUILT,
        ["Orne"],
        {
            "kind": "bad",
            "reason": "senseless",
        },
    )


def _in_paragraph(part: str) -> Json:
    start, end = placed(TEXT, part)
    return {"source": PARAGRAPH, "start": start, "end": end}


def _in_article(title: str, part: str) -> Json:
    start, end = placed(ARTICLES[title], part)
    return {"source": ARTICLE, "title": title, "start": start, "end": end}
