"""Documents in any number, made of HotpotQA's abstracts so that words stay as frequent."""

from __future__ import annotations

import re
from collections.abc import Iterator

from benchmarks.scaling.made_corpus import MadeCorpus
from lacuna.types import Document, Span

PASSAGES_A_PAGE = 1.456
"""Of the abstracts: 150,270 passages in 103,217 documents."""
SENTENCE = re.compile(r"\S.*?(?:[.!?](?=\s)|$)", re.DOTALL)


def made_documents(passages: int) -> Iterator[Document]:
    """About so many passages; sentences are told apart by their full stops."""
    made = MadeCorpus.of_abstracts()
    for title, text in made.pages(round(passages / PASSAGES_A_PAGE)):
        sentences = tuple(Span(*found.span()) for found in SENTENCE.finditer(text))
        yield Document(title, text, sentences=sentences)
