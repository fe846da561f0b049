"""What the texts that were looked at say of a question, though they do not answer it."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from lacuna.corpus.store import Store
from lacuna.pipeline.gaps.names import content_words, names, says
from lacuna.pipeline.gaps.parts import QuestionParts, split_question
from lacuna.pipeline.state import QuestionState
from lacuna.retrieve.bm25 import Bm25Retriever
from lacuna.retrieve.windows import Window
from lacuna.types import Document, Span

TEXTS = 6
"""Texts that are looked at again, the best first."""
ENOUGH = 0.7
"""Share of the words of a part that a sentence and its title must have to speak of it."""
LONGEST_SENTENCE = 160
"""Characters of a sentence that is quoted."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What was found: the first part of a question in two, or one of its names.

    ``title`` is where the name stands, or the nearest text; ``how`` it is there. ``unknown`` is a
    name that no document has.
    """

    first_part: str = ""
    name: str = ""
    title: str = ""
    how: str = ""
    unknown: str = ""


@dataclass(frozen=True, slots=True)
class _Text:
    """A stretch of a document that was looked at."""

    document: Document
    span: Span

    @property
    def title(self) -> str:
        return self.document.title

    @property
    def text(self) -> str:
        return self.document.text[self.span.start : self.span.end]

    def is_about(self, name: str) -> bool:
        """Whether the title is hardly more than the name."""
        title = content_words(self.title)
        return says(self.title, name) and 2 * len(content_words(name)) >= len(title)

    def sentences(self) -> Iterator[Span]:
        """Those that stand in it as a whole."""
        begin = bisect_left(self.document.sentences, Span(self.span.start, 0))
        for sentence in self.document.sentences[begin:]:
            if sentence.end > self.span.end:
                return
            yield sentence


def finding_of(store: Store, state: QuestionState, ranked: Sequence[Window]) -> Finding:
    """What the best texts, and the context if one was given, say of the question."""
    question = state.query.question
    texts = list(_texts(store, state, ranked))
    parts = split_question(question)
    if parts and (first := _first_part(store, parts, texts)):
        return Finding(first_part=first)
    asked = names(question)
    mentioned = [
        (name, text)
        for name in asked
        for text in texts
        if says(text.text, name) or says(text.title, name)
    ]
    seen = {name for name, _ in mentioned}
    for name in asked:
        if name not in seen and not Bm25Retriever(store).search(name, 1, phrases=(name,)):
            return Finding(unknown=name)
    for name, text in mentioned:
        if text.is_about(name):
            return Finding(name=name, title=text.title, how="described")
    for name, text in mentioned:
        return Finding(name=name, title=text.title, how="mentioned")
    return Finding(title=texts[0].title if texts else "")


def _texts(store: Store, state: QuestionState, ranked: Sequence[Window]) -> Iterator[_Text]:
    documents: dict[str, Document] = {}
    if state.focus is not None:
        own = state.focus.original
        documents[own.title] = own
        yield _Text(own, Span(0, len(own.text)))
    for window in ranked[:TEXTS]:
        if window.title not in documents and window.title in store:
            documents[window.title] = store.document(window.title)
        if window.title in documents:
            yield _Text(documents[window.title], Span(window.start, window.end))


def _first_part(store: Store, parts: QuestionParts, texts: Sequence[_Text]) -> str:
    """What a sentence says of it: the one document that it links to, or the sentence."""
    wanted = content_words(parts.first)
    best: tuple[float, Document, Span] | None = None
    for text in texts:
        document, title = text.document, content_words(text.title)
        for sentence in text.sentences():
            said = content_words(document.text[sentence.start : sentence.end])
            # A title alone says nothing: a word must stand in the sentence itself.
            share = len(wanted & (said | title)) / len(wanted) if wanted & said else 0.0
            if share >= ENOUGH and (best is None or share > best[0]):
                best = share, document, sentence
    if best is None:
        return ""
    _, document, sentence = best
    linked = {
        target
        for link in document.links
        if sentence.start <= link.start and link.end <= sentence.end
        if (target := store.resolve(link.target)) is not None and not says(parts.first, target)
    }
    if len(linked) == 1 and not parts.told:
        return f"{parts.first}, {linked.pop()} ({document.title})"
    line = " ".join(document.text[sentence.start : sentence.end].split())
    short = line if len(line) <= LONGEST_SENTENCE else line[: LONGEST_SENTENCE - 1] + "…"
    return f"“{short}” ({document.title})"
