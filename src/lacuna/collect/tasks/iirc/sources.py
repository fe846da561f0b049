"""The texts that an answer can be taken from: question, paragraph, linked articles."""

from __future__ import annotations

from typing import Any

from lacuna.collect.tasks.iirc.checking import targets
from lacuna.collect.tasks.task import Json

QUESTION, PARAGRAPH, ARTICLE = "question", "paragraph", "article"
Source = tuple[str, str]
"""What kind of text it is, and the title of an article."""


def readable_texts(payload: Json, number: int) -> dict[Source, str]:
    """The texts of one question of a set."""
    question = payload["questions"][number]
    paragraph = paragraph_of(payload, question)
    articles = {
        (ARTICLE, title): payload["articles"][title]["text"] for title in targets(paragraph)
    }
    return {
        (QUESTION, ""): question["text"],
        (PARAGRAPH, ""): paragraph["text"],
        **articles,
    }


def paragraph_of(payload: Json, question: Json) -> Json:
    """The paragraph that a question is about."""
    found: Json = next(one for one in payload["paragraphs"] if one["id"] == question["paragraph"])
    return found


def source_text(span: Any, texts: dict[Source, str]) -> str | None:
    """The text that a marked place names, if it is one of these."""
    match span:
        case {"source": "article", "title": str(title)}:
            return texts.get((ARTICLE, title))
        case {"source": "question" | "paragraph" as source}:
            return texts.get((source, ""))
    return None


def quoted(span: Json, texts: dict[Source, str]) -> str:
    """What stands in a marked place that was checked."""
    text = source_text(span, texts)
    assert text is not None
    return text[span["start"] : span["end"]]
