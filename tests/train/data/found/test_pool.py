"""The pool that is searched."""

from __future__ import annotations

from lacuna.types import Document, Span
from lacuna_lab.data.found import Pool


def test_paragraphs_of_an_article_are_joined() -> None:
    first, second = (
        Document("Stony_Tarn", "It is a lake. It is deep."),
        Document("stony tarn", "B."),
    )
    pool = Pool()
    for paragraph, source in ((first, ""), (second, "squad-train"), (first, "squad-train")):
        pool.add(paragraph, source)
    (article,) = pool.documents().values()
    assert (article.title, article.text) == ("Stony Tarn", "It is a lake. It is deep.\n\nB.")
    assert article.paragraphs == (Span(0, 25), Span(27, 29))
    assert article.sentences == (Span(0, 13), Span(14, 25), Span(27, 29))
    assert pool.place(second) == ("Stony Tarn", 27)


def test_manuals_with_the_same_title_stay_apart() -> None:
    pool = Pool()
    for source in ("ferry-doc", "harbour-doc"):
        pool.add(Document("Introduction", f"This is {source}."), source)
    assert list(pool.documents()) == ["Introduction", "Introduction (harbour-doc)"]
