"""A paragraph as an item keeps it: its title and its sentences, whatever becomes of the corpus."""

from __future__ import annotations

from lacuna.collect.tasks.task import Json
from lacuna.corpus.mining.paragraphs import ResolveTitle, first_paragraph
from lacuna.datasets.hotpotqa.hotpotqa_format import document_of, sentences_of
from lacuna.types import Document


def kept_paragraph(document: Document) -> Json:
    """The first paragraph of a document; without sentences where it has no text."""
    paragraph = first_paragraph(document)
    return {"title": document.title, "sentences": _sentences(paragraph)}


def paragraph_document(kept: Json) -> Document:
    """The kept paragraph as a document of its own."""
    return document_of(str(kept["title"]), kept["sentences"])


def anchors(document: Document, target: str, resolve: ResolveTitle) -> list[Json]:
    """Where the first paragraph of a document links to a title: the sentence and its characters."""
    paragraph = first_paragraph(document)
    spans = paragraph.sentences or ((0, len(paragraph.text)),)
    found = []
    for link in paragraph.links:
        if resolve(link.target) != target:
            continue
        for number, (start, end) in enumerate(spans):
            if start <= link.start and link.end <= end:
                place = {"start": link.start - start, "end": link.end - start}
                found.append({"sentence": number, **place})
    return found


def _sentences(paragraph: Document) -> list[str]:
    sentences = sentences_of(paragraph)
    return sentences if any(sentence.strip() for sentence in sentences) else []
