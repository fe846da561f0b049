"""The pool that is searched: the paragraphs of training files, those of one article joined."""

from __future__ import annotations

from dataclasses import dataclass, field

from lacuna.corpus.pages.sentences import sentence_spans
from lacuna.corpus.titles import folded, plain
from lacuna.train.data.evidence_sentences import LINE
from lacuna.types import Document, Span

BETWEEN = "\n\n"
ENCYCLOPEDIA = ("", "wikipedia-abstracts", "squad-train")
"""Sources whose articles are the same ones under the same title."""


@dataclass(slots=True)
class _Article:
    title: str
    paragraphs: list[str] = field(default_factory=list)
    size: int = 0


class Pool:
    """Collects paragraphs, each text once, and says where each of them stands."""

    def __init__(self) -> None:
        self._articles: dict[tuple[str, str], _Article] = {}
        self._titles: set[str] = set()
        self._places: dict[str, tuple[_Article, int]] = {}

    def add(self, paragraph: Document, source: str = "") -> None:
        """Put a paragraph behind the others of its article; one that is there stays there."""
        if paragraph.text in self._places:
            return
        of = "" if source in ENCYCLOPEDIA else source
        key = of, folded(paragraph.title)
        if (article := self._articles.get(key)) is None:
            article = self._articles[key] = _Article(self._free_title(plain(paragraph.title), of))
        start = article.size + len(BETWEEN) * bool(article.paragraphs)
        self._places[paragraph.text] = article, start
        article.paragraphs.append(paragraph.text)
        article.size = start + len(paragraph.text)

    def _free_title(self, title: str, source: str) -> str:
        """Titles are unique in a store; manuals all have an introduction."""
        free = title if folded(title) not in self._titles else f"{title} ({source})"
        self._titles.add(folded(free))
        return free

    def place(self, paragraph: Document) -> tuple[str, int]:
        """The title of a paragraph's article, and where in it the paragraph begins."""
        article, start = self._places[paragraph.text]
        return article.title, start

    def documents(self) -> dict[str, Document]:
        """All articles by their titles."""
        return {article.title: _joined(article) for article in self._articles.values()}


def _joined(article: _Article) -> Document:
    text = BETWEEN.join(article.paragraphs)
    paragraphs, start = [], 0
    for paragraph in article.paragraphs:
        paragraphs.append(Span(start, start + len(paragraph)))
        start += len(paragraph) + len(BETWEEN)
    lines = (Span(*match.span()) for match in LINE.finditer(text))
    return Document(article.title, text, sentence_spans(text, lines), paragraphs=tuple(paragraphs))
