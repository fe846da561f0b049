"""Windows of a document: a few sentences each, short enough to be ranked one by one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from lacuna.corpus.pages.sentences import sentence_spans
from lacuna.corpus.passages import SectionFinder, split_long
from lacuna.types import Document, Span

SIZE = 420
"""Characters of a window; about 90 tokens."""
ENOUGH = 200
"""A window of so many characters is not joined with the next paragraph."""
LONGEST = 1200
"""A sentence of more characters (most often a table) is split."""


@dataclass(frozen=True, slots=True)
class Window:
    """A span of the document of that title, and the headings above it."""

    title: str
    start: int
    end: int
    section: tuple[str, ...] = ()


def with_sentences(document: Document) -> Document:
    """The document itself; one without sentences gets those that its text is split into."""
    if document.sentences or not document.text.strip():
        return document
    paragraphs = document.paragraphs or (Span(0, len(document.text)),)
    return replace(document, sentences=sentence_spans(document.text, paragraphs))


def windows(document: Document) -> tuple[Window, ...]:
    """All windows in the order of the text; none crosses a heading.

    Sentences of one paragraph stay together as far as they fit; short neighbouring paragraphs
    and list items are joined.
    """
    cut: list[Window] = []
    finder = SectionFinder(document)
    section: tuple[str, ...] = ()
    start = end = -1
    for sentence in _sentences(document):
        at = finder.at(sentence.start)
        here = at.path if at else ()
        if start >= 0:
            whole = sentence.end - start > SIZE
            apart = "\n" in document.text[end : sentence.start] and end - start >= ENOUGH
            if whole or apart or here != section:
                cut.append(Window(document.title, start, end, section))
                start = -1
        if start < 0:
            start, section = sentence.start, here
        end = sentence.end
    if start >= 0:
        cut.append(Window(document.title, start, end, section))
    return tuple(cut)


def _sentences(document: Document) -> Iterator[Span]:
    for sentence in sorted(document.sentences):
        yield from split_long(document.text, sentence, LONGEST, trailing_space=False)
