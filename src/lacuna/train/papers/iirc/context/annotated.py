"""The texts of IIRC's answerable questions, with what annotators marked in them.

With the official articles, these are the articles that evidence was taken from, and the passage.
Without them, quotes of other articles stand around the gold quote, and make up a text to look in.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

from lacuna.train.data.data_folder import TRAIN, read
from lacuna.train.data.iirc.quoted_question import QuotedQuestion, quoted_question
from lacuna.train.data.text_search import SimilarTexts
from lacuna.train.papers.iirc.articles import ARTICLES, ArticleTexts, FindsArticle
from lacuna.train.papers.iirc.context.windows import located
from lacuna.types import Document, Question, Span

FILE = TRAIN["iirc"]
AROUND = 40
"""Quotes that stand around the gold one where there is no article."""


@dataclass(frozen=True, slots=True)
class AnnotatedText:
    """A text with the places that a question's answer rests on."""

    document: Document
    annotations: tuple[Span, ...]
    is_linked: bool
    """An article, and not the passage itself."""


def annotated_texts(data: Path) -> Iterator[tuple[Question, list[AnnotatedText]]]:
    """Each question with its texts; unanswerable ones have none."""
    path = ARTICLES.find_optional(data)
    if path is None:
        yield from _among_quotes(data)
        return
    titles = {document.title for question in read(FILE, data) for document in question.documents}
    articles = ArticleTexts(path, titles)
    for question in read(FILE, data):
        yield question, in_articles(question, articles)


def in_articles(question: Question, article_of: FindsArticle) -> list[AnnotatedText]:
    """The articles that evidence was taken from, and the passage if some stands in it."""
    evidence = (question.gold and question.gold.evidence) or ()
    texts = []
    for quoted in question.documents:
        article = article_of(quoted.title)
        pieces = [piece for piece in evidence if piece.document == quoted.title]
        places = (
            located(quoted.text[piece.start : piece.end], article.text) if article else None
            for piece in pieces
        )
        if article is not None and (marked := tuple(place for place in places if place)):
            texts.append(AnnotatedText(article, marked, True))
    passage = question.context
    if passage is not None:
        own = [Span(p.start, p.end) for p in evidence if p.document == passage.title]
        if own:
            texts.append(AnnotatedText(passage, tuple(own), False))
    return texts


def _among_quotes(data: Path) -> Iterator[tuple[Question, list[AnnotatedText]]]:
    asked = [
        quoted_question(question)
        for question in read(FILE, data)
        if question.gold and question.gold.answers
    ]
    quotes = [quoted.quote.text for quoted in asked if quoted.quote]
    similar = SimilarTexts(quotes)
    best = similar.best((quoted.question.text for quoted in asked), AROUND)
    for quoted, numbers in zip(asked, best, strict=True):
        around = [quotes[number] for number in numbers]
        yield quoted.question, [_stand_in(quoted, around)] if quoted.quote else []


def _stand_in(quoted: QuotedQuestion, around: list[str]) -> AnnotatedText:
    assert quoted.quote is not None
    gold = quoted.quote.text
    others = [text for text in around if text != gold]
    at = Random(quoted.question.id).randint(0, len(others))
    before = "".join(f"{text}\n" for text in others[:at])
    whole = "\n".join([gold, *others[at:]])
    place = Span(len(before), len(before) + len(gold))
    return AnnotatedText(Document(quoted.quote.title, before + whole), (place,), True)
