"""The dataset's own files: passages with questions, and the linked articles."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from pathlib import Path

from lacuna.collect.tasks.iirc.assembly import CollectedQuestion
from lacuna.collect.tasks.iirc.paragraph_sets import SPLITS
from lacuna.collect.tasks.iirc.sources import (
    ARTICLE,
    PARAGRAPH,
    paragraph_of,
    quoted,
    readable_texts,
)
from lacuna.collect.tasks.task import Json
from lacuna.datasets.iirc.iirc_format import MAIN
from lacuna.files.json_stream import Shape
from lacuna.files.json_write import Encoded, write_items
from lacuna.files.writing import replace_text

ARTICLES_FILE = "context_articles.json"


def write_files(kept: Sequence[CollectedQuestion], out: Path) -> Json:
    """Write all files, those without a question too; the counts of each."""
    out.mkdir(parents=True, exist_ok=True)
    articles = _articles(kept)
    names = _names(articles)
    counts: Json = {}
    for split in SPLITS:
        some = [question for question in kept if question.split == split]
        passages = list(_passages(some, names))
        _write(out / f"{split}.json", ((None, passage) for passage in passages), Shape.LIST)
        counts[f"{split}.json"] = {"passages": len(passages), "questions": len(some)}
    _write(
        out / ARTICLES_FILE,
        ((names[title], _html(article)) for title, article in articles.items()),
        Shape.MAP,
    )
    counts[ARTICLES_FILE] = {"articles": len(articles)}
    return counts


def _write(path: Path, items: Iterable[Encoded], shape: Shape) -> None:
    with replace_text(path) as file:
        write_items(file, items, shape, {})


def _articles(kept: Iterable[CollectedQuestion]) -> dict[str, Json]:
    """What the passages of the kept questions link to."""
    articles: dict[str, Json] = {}
    for question in kept:
        for link in paragraph_of(question.payload, question.question)["links"]:
            title = link["target"]
            articles.setdefault(title, question.payload["articles"][title])
    return dict(sorted(articles.items()))


def _names(titles: Iterable[str]) -> dict[str, str]:
    """Titles in lower case, as IIRC has them, unless two would then be the same."""
    by_name: dict[str, list[str]] = {}
    for title in titles:
        by_name.setdefault(title.lower(), []).append(title)
    return {
        title: name if len(same) == 1 else title for name, same in by_name.items() for title in same
    }


def _passages(kept: Iterable[CollectedQuestion], names: dict[str, str]) -> Iterator[Json]:
    by_passage: dict[str, list[CollectedQuestion]] = {}
    for question in kept:
        by_passage.setdefault(question.question["paragraph"], []).append(question)
    for pid, questions in by_passage.items():
        paragraph = paragraph_of(questions[0].payload, questions[0].question)
        yield {
            "pid": pid,
            "title": paragraph["title"],
            "text": paragraph["text"],
            "links": [
                {"target": names[link["target"]], "indices": [link["start"], link["end"]]}
                for link in paragraph["links"]
            ],
            "questions": [_question(question, names) for question in questions],
        }


def _question(answered: CollectedQuestion, names: dict[str, str]) -> Json:
    question, given = answered.question, answered.common
    texts = readable_texts(answered.payload, answered.number)
    context = given.raw.get("context", ()) if given.type != "none" else ()
    return {
        "qid": question["id"],
        "question": question["text"],
        "question_links": [names[title] for title in question["links"]],
        "context": [_quote(span, texts, names) for span in context],
        "answer": _answer(answered, names),
        **({"model_in_loop": question["loop"]} if "loop" in question else {}),
    }


def _quote(span: Json, texts: dict[tuple[str, str], str], names: dict[str, str]) -> Json:
    """A place in the passage with its offsets, one in an article by its title."""
    text = quoted(span, texts)
    if span["source"] == PARAGRAPH:
        return {"passage": MAIN, "text": text, "indices": [span["start"], span["end"]]}
    source = names[span["title"]] if span["source"] == ARTICLE else span["source"]
    return {"passage": source, "text": text}


def _answer(answered: CollectedQuestion, names: dict[str, str]) -> Json:
    given = answered.common
    match given.type:
        case "span":
            texts = readable_texts(answered.payload, answered.number)
            return {
                "type": "span",
                "answer_spans": [_quote(span, texts, names) for span in given.raw["spans"]],
            }
        case "value":
            assert given.answer is not None
            return {
                "type": "value",
                "answer_value": given.answer.texts[0],
                "answer_unit": given.answer.unit,
            }
        case "binary":
            return {"type": "binary", "answer_value": given.raw["kind"]}
    return {"type": "none"}


def _html(article: Json) -> str:
    """An article's paragraphs, as the dataset's file of articles has them."""
    text = article["text"]
    parts = (text[start:end] for start, end in article["paragraphs"])
    return "\n".join(f"<p>{escape(part, quote=False)}</p>" for part in parts if part.strip())
