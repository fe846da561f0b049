"""Supporting sentences that stand there as one text, taken apart again by their articles."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lacuna.corpus.formats.sentences import sentence_spans
from lacuna.types import Document, Span

NEXT_ARTICLE = re.compile(
    r"""(?<=[^\W\d][.!?]|\d[.!?]|[)"”'][.!?]|[.!?]["”)])  # a sentence ends,
    (?=["“(]?[^\W\d_a-z]\w*[^\w.]|(?<!\d\.)\d+[^\d.,%])  # the next begins with no blank
    """,
    re.VERBOSE,
)
INITIALS = re.compile(r"(?:^|[\s.(])[^\W\d_]\.$")
"""Behind these a name goes on ("J.R.Smith"), unless they end a word of their own ("U.S.")."""
OPENING = re.compile(
    r"(?P<title>[^(,;]{2,60}?)"
    r"(?:\s*\(.{0,300}?\))?(?:,.{0,80}?)?,?\s+(?:is|was|are|were|refers)\s",
)
PRONOUN = re.compile(
    r"(?:he|she|it|its|they|their|his|her|this|these|in|on|at|after|the (?:film|album|song|band|"
    r"series|show|book|novel|game|team|company|city|town|school|group|single))\b",
    re.IGNORECASE,
)


def pieces(knowledge: str) -> Iterator[Document]:
    """One untitled document per article, with its sentences.

    >>> [piece.text for piece in pieces("It closed in 1846.First is a magazine. It sells.")]
    ['It closed in 1846.', 'First is a magazine. It sells.']
    """
    start = 0
    for cut in (*_cuts(knowledge), len(knowledge)):
        text = knowledge[start:cut].strip()
        start = cut
        if text:
            yield Document("", text, sentence_spans(text, [Span(0, len(text))]))


def _cuts(knowledge: str) -> Iterator[int]:
    for found in NEXT_ARTICLE.finditer(knowledge):
        cut = found.start()
        # An opening quotation mark looks like a closing one: it has a blank before it.
        quotes = knowledge.count('"', 0, cut)
        if knowledge[cut - 1] == '"' and quotes % 2:
            continue
        if knowledge[cut - 1] == "." and quotes % 2 and knowledge[cut : cut + 1] == '"':
            continue
        if INITIALS.search(knowledge[:cut]) and not knowledge[:cut].endswith("U.S."):
            continue
        yield cut


def opening_title(text: str) -> str:
    """What an article's opening sentence is about; "" where it does not say.

    >>> opening_title("Arthur's Magazine (1844–1846) was an American periodical.")
    "Arthur's Magazine"
    >>> opening_title("It was sold in 1846.")
    ''
    """
    found = OPENING.match(text)
    if not found or PRONOUN.match(text):
        return ""
    title = found["title"].strip(' "')
    return title.removeprefix("The ") if len(title.split()) > 1 else title
