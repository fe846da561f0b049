"""The articles behind IIRC's links, from its official file."""

from __future__ import annotations

from collections.abc import Callable, Collection
from pathlib import Path

from lacuna.corpus.formats.dumps.iirc_articles import read_iirc_articles
from lacuna.train.data.data_folder import DataFile
from lacuna.types import Document

ARTICLES = DataFile("iirc", ("iirc/context_articles.json",))
FindsArticle = Callable[[str], Document | None]
"""Gives the article of a title; None where there is none."""


class ArticleTexts:
    """Some articles by their titles, which the file has in lower case."""

    def __init__(self, path: Path, titles: Collection[str]) -> None:
        wanted = {title.casefold() for title in titles}
        self._articles = {
            item.title.casefold(): item
            for item in read_iirc_articles(path)
            if isinstance(item, Document) and item.title.casefold() in wanted
        }

    def __call__(self, title: str) -> Document | None:
        return self._articles.get(title.casefold())
