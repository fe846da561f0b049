"""HotpotQA items that wait for their question: two gold paragraphs among eight distractors.

In the paper the distractors are what bigram TF-IDF finds for the question (section 3). Before the
question is written, the pair stands in for it: the titles and first sentences of both paragraphs,
whose words a question about them will use.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from hashlib import blake2b
from random import Random
from typing import Any

from lacuna.corpus.mining.pairs import Pair, shuffled
from lacuna.corpus.mining.paragraphs import first_paragraph
from lacuna.errors import LacunaError
from lacuna.types import Document, Question, Span

DISTRACTORS = 8

Search = Callable[[str, int], Sequence[str]]
"""Titles for a query, best first, at most so many."""


def item_of(
    pair: Pair,
    document: Callable[[str], Document | None],
    search: Search,
    seed: int,
    question: str = "",
) -> Question:
    """The pair's first paragraphs and its distractors', shuffled, as HotpotQA's task writes it.

    ``document`` gives the document of a title. ``question`` is the query once it is written;
    until then the text of the item is empty. ``extra`` holds HotpotQA's ``type``, the
    ``gold_titles``, the ``answer_wanted`` (span, or yes/no) and the comparison pair's ``list``.
    A corpus with fewer than ten paragraphs gives fewer distractors. The order depends on the
    seed and the pair alone, not on what was made before.
    """
    gold = [_paragraph(title, document, pair) for title in (pair.first, pair.second)]
    others: list[Document] = []
    # Two more than needed, since the gold ones are usually found first; the rest as a reserve
    # for titles that lead to the same document or to none.
    for title in search(question or _query(gold), 2 * (DISTRACTORS + 2)):
        article = document(title)
        if article is None or article.title in {other.title for other in (*gold, *others)}:
            continue
        paragraph = _in_sentences(first_paragraph(article))
        if paragraph.text:
            others.append(paragraph)
        if len(others) == DISTRACTORS:
            break
    order = Random(f"{seed}\n{pair.first}\n{pair.second}")
    extra: dict[str, Any] = {
        "type": str(pair.kind),
        "gold_titles": [pair.first, pair.second],
        "answer_wanted": "yes/no" if pair.yes_no else "span",
    }
    if pair.group:
        extra["list"] = pair.group
    documents = tuple(shuffled(order, [*gold, *others]))
    return Question(_id(pair), question, documents=documents, extra=extra)


def _paragraph(title: str, document: Callable[[str], Document | None], pair: Pair) -> Document:
    article = document(title)
    if article is None:
        raise LacunaError(
            f"The pair of {pair.first} and {pair.second} cannot be shown: there is no document "
            f"{title}. Draw pairs from titles that the corpus has."
        )
    return _in_sentences(first_paragraph(article))


def _in_sentences(paragraph: Document) -> Document:
    """HotpotQA's format has sentences, no text; where none are known, the text is one."""
    if paragraph.sentences:
        return paragraph
    return replace(paragraph, sentences=(Span(0, len(paragraph.text)),))


def _query(gold: Sequence[Document]) -> str:
    return " ".join(f"{paragraph.title} {paragraph.sentence(0)}" for paragraph in gold)


def _id(pair: Pair) -> str:
    """The same for the same pair and kind of question, in every run."""
    names = "\n".join((pair.kind, str(pair.yes_no), pair.first, pair.second))
    return blake2b(names.encode(), digest_size=12).hexdigest()
