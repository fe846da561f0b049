from __future__ import annotations

from lacuna.types import Document, Link, Span
from lacuna_collect.mining import first_paragraph, other_articles, paragraphs_of


def test_paragraphs_that_are_blank_do_not_count() -> None:
    document = Document("T", " \n\nReal.", paragraphs=(Span(0, 2), Span(3, 8)))
    assert paragraphs_of(document) == (Span(3, 8),)
    assert first_paragraph(document).text == "Real."


def test_a_document_that_knows_of_no_paragraphs_is_one() -> None:
    assert paragraphs_of(Document("T", "All.")) == (Span(0, 4),)
    assert first_paragraph(Document("T", "")).text == ""


def test_links_to_itself_and_nowhere_do_not_count_and_others_once() -> None:
    titles = ["Ferry", "Lake", "", "USA", "Lake", "Gone"]
    document = Document("Ferry", "x", links=tuple(Link(0, 1, title) for title in titles))
    assert other_articles(document) == ["Lake", "USA", "Gone"]
    redirects = {"Lake": "Lake", "USA": "United States", "Gone": None, "Ferry": "Ferry"}
    assert other_articles(document, redirects.get) == ["Lake", "United States"]
