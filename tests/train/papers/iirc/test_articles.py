"""The official articles, and what the stages learn from with them."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("torch")

from lacuna_lab.papers.iirc import ARTICLES, ArticleTexts, annotated_texts


def test_wanted_articles_are_found_by_title_in_any_case(official_data: Path) -> None:
    articles = ArticleTexts(ARTICLES.find(official_data), {"Harbour Act", "Nowhere"})
    article = articles("HARBOUR act")
    assert article is not None
    assert "The Harbour Act was passed in 1958." in article.text
    assert articles("ada quill") is None
    assert articles("Nowhere") is None


def test_annotations_are_found_in_the_articles(official_data: Path) -> None:
    linked = [
        (text.document.text[place.start : place.end], len(text.document.text))
        for _, texts in annotated_texts(official_data)
        for text in texts
        if text.is_linked
        for place in text.annotations
    ]
    assert "The Harbour Act was passed in 1958." in {quote for quote, _ in linked}
    assert all(len(quote) < whole for quote, whole in linked)
