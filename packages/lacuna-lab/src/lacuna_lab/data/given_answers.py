"""Answers that a reader gave over strangers' documents, right and wrong, to be judged again."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from lacuna.corpus.store import Store
from lacuna.files.writing import replace_bytes, replace_text
from lacuna.models.reader.reader import ModelReader, ScoredAnswer
from lacuna.retrieve.bm25 import Bm25Retriever
from lacuna.retrieve.windows import around, with_sentences
from lacuna.types import AnswerKind, Document, Span
from lacuna_lab.data.found import Found, is_among
from lacuna_lab.data.strangers import (
    SIZE,
    StrangersQuestion,
    collection_files,
    find_quote,
    headed_window,
    opened_collection,
    read_collection,
    trained_collections,
)

READ = 8
"""Windows of a question that are read."""
SEARCHED = 12
AT_ONCE = 4
"""Questions that are read together."""
PARTS = ".parts"
"""The folder beside the file, in which each collection has a file of its own until all are done."""


def write_given_answers(
    data: Path,
    out: Path,
    reader: ModelReader,
    progress: Callable[[int], None] | None = None,
) -> Counter[str]:
    """Read what a search finds for the questions of the training collections, and keep the answers.

    A collection that was done before is not read again. Returns what was left out, and why.
    """
    parts = out.with_name(out.name + PARTS)
    parts.mkdir(parents=True, exist_ok=True)
    left_out: Counter[str] = Counter()
    names = trained_collections(data)
    done = 0
    for name in names:
        part = parts / f"{name}.jsonl"
        questions, archive = collection_files(data, [name])
        asked = list(read_collection(questions, left_out))
        if not part.exists():
            with opened_collection(archive) as store:
                lines = []
                for line in given_answers(store, name, asked, reader):
                    lines.append(line)
                    if progress is not None:
                        progress(done + len(lines))
            with replace_text(part) as file:
                file.writelines(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
        done += len(asked)
        if progress is not None:
            progress(done)
    with replace_bytes(out) as raw, gzip.GzipFile("", "wb", fileobj=raw, mtime=0) as zipped:
        for name in names:
            zipped.write((parts / f"{name}.jsonl").read_bytes())
    return left_out


def given_answers(
    store: Store, collection: str, questions: Sequence[StrangersQuestion], reader: ModelReader
) -> Iterator[dict[str, Any]]:
    """One line a question: the windows that a search finds, and what the reader answers to each."""
    retriever = Bm25Retriever(store)
    documents = {document.title: with_sentences(document) for document in store}
    for start in range(0, len(questions), AT_ONCE):
        some = questions[start : start + AT_ONCE]
        quotes = [[find_quote(documents, *quote) for quote in asked.quotes] for asked in some]
        windows = [
            _windows(retriever, documents, asked.text, [q for q in each if q is not None])
            for asked, each in zip(some, quotes, strict=True)
        ]
        texts = [[_cut(*window) for window in each] for each in windows]
        readable = [reader.readable(asked.text) for asked in some]
        read = reader.read_alone(list(zip(readable, texts, strict=True)))
        for asked, each, found, cut, answers in zip(
            some, quotes, windows, texts, read, strict=True
        ):
            yield {
                "id": asked.id,
                "collection": collection,
                "kind": asked.kind,
                "question": asked.text,
                "answers": list(asked.answers),
                "expression": asked.expression,
                "pair": asked.pair,
                "quotes": len(asked.quotes),
                "windows": [
                    _line(window, document, [q for q in each if q is not None], scored)
                    for window, document, scored in zip(found, cut, answers, strict=True)
                ],
            }


def _windows(
    retriever: Bm25Retriever,
    documents: dict[str, Document],
    question: str,
    quotes: Iterable[Found],
) -> list[Found]:
    """The windows that the search finds, then the windows of quotes that are not among it."""
    found: list[Found] = []
    for hit in retriever.search(question, SEARCHED):
        window = documents[hit.title], around(documents[hit.title], hit.start, hit.end, SIZE)
        if len(found) < READ and not is_among(found, *window):
            found.append(window)
    for document, place in quotes:
        held = any(
            document is other and window.start <= place.start and place.end <= window.end
            for other, window in found
        )
        if not held:
            found.append((document, around(document, *place, SIZE)))
    return found


def _cut(document: Document, window: Span) -> Document:
    sentences = (
        Span(max(start, window.start) - window.start, min(end, window.end) - window.start)
        for start, end in document.sentences
        if start < window.end and window.start < end
    )
    title = headed_window(document, window)
    return Document(title, document.text[slice(*window)], tuple(sentences))


def _line(
    found: Found, cut: Document, quotes: Iterable[Found], scored: ScoredAnswer
) -> dict[str, Any]:
    document, window = found
    answer = scored.prediction.answer
    if answer is None or answer.kind is AnswerKind.NONE:
        said: dict[str, Any] = {}
    else:
        said = {
            "answer": str(answer.kind),
            "texts": list(answer.texts),
            "value": answer.value,
            "unit": answer.unit,
            "expression": answer.expression,
            "found_at": [[place.start, place.end] for place in answer.found_at],
        }
    best = max(scored.sentences, key=lambda pair: pair[1], default=None)
    return {
        "title": cut.title,
        "text": cut.text,
        "sentences": [list(sentence) for sentence in cut.sentences],
        "quotes": [
            [
                max(place.start, window.start) - window.start,
                min(place.end, window.end) - window.start,
            ]
            for other, place in quotes
            if other is document and place.start < window.end and window.start < place.end
        ],
        "whole": [
            other is document and window.start <= place.start and place.end <= window.end
            for other, place in quotes
        ],
        **said,
        "supported_by": None if best is None else list(cut.sentences[best[0].sentence]),
        "scores": [
            round(max(-99.0, min(99.0, score)), 3)
            for score in (scored.total, scored.margin, scored.relevance)
        ],
    }
