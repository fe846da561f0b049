"""A passage with its links, and which of them are needed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from lacuna.train.data.iirc.links import link_questions
from lacuna.train.data.names import NO_NAME
from lacuna.train.papers.encoded.example import (
    PieceBatch,
    PieceExample,
    piece_input,
    piece_part,
)
from lacuna.train.papers.encoded.pieces import PieceTokenizer
from lacuna.train.papers.tokens import Ints, padded
from lacuna.types import Question

LINKS = 14
"""As many as a passage of IIRC has on average (table 2)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkExample(PieceExample):
    """A question with a passage, and the links that are within the length."""

    numbers: tuple[int, ...]
    """Of each such link, its number in the passage."""
    bounds: Ints
    """[links, 2]: the first and last piece of each mention."""
    needed: NDArray[np.bool_]
    """[links]"""


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkBatch(PieceBatch):
    """Passages with their links."""

    bounds: Tensor
    """[texts, links, 2]"""
    link_mask: Tensor
    """[texts, links]"""
    needed: Tensor
    """[texts, links]"""


def gold_titles(question: Question) -> frozenset[str]:
    """The articles that annotators took evidence from, in lower case.

    A question without an answer has no such evidence; then the links that its writer named count.
    """
    gold = question.gold
    if gold is None:
        return frozenset()
    own = question.context.title if question.context else ""
    linked = {document.title for document in question.documents} - {own}
    cited = [piece.document for piece in gold.evidence or () if piece.document in linked]
    known = {link.target.casefold() for link in question.context.links} if question.context else {}
    titles = frozenset(title.casefold() for title in cited if title.casefold() in known)
    return titles or frozenset(title.casefold() for title in gold.links or ())


def link_example(question: Question, tokenizer: PieceTokenizer, longest: int) -> LinkExample | None:
    """A question over its passage; None where there is no link to choose from."""
    context = question.context
    if context is None:
        return None
    made = piece_input(question.text, [context.text], tokenizer, longest)
    covers = [(n, made.cover(0, link.start, link.end)) for n, link in enumerate(context.links)]
    inside = [(number, cover) for number, cover in covers if cover is not None]
    if not inside:
        return None
    wanted = gold_titles(question)
    return LinkExample(
        ids=made.ids,
        group=context.text,
        numbers=tuple(number for number, _ in inside),
        bounds=np.array([cover for _, cover in inside], np.int32),
        needed=np.array([context.links[n].target.casefold() in wanted for n, _ in inside]),
    )


def with_links(questions: Iterable[Question]) -> Iterator[Question | None]:
    """Questions whose passage says where its links are, None for those without.

    A file of snippets names the gold link alone: it competes with other names of the passage, so
    many that there are as many links as IIRC's passages have.
    """
    for question in questions:
        if question.context is not None and question.context.links:
            yield question
        else:
            made = next(link_questions([question], Counter()), None)
            yield made and _with_fewer_names(made)


def _with_fewer_names(question: Question) -> Question:
    context, wanted = question.context, gold_titles(question)
    assert context is not None
    right = [link for link in context.links if link.target.casefold() in wanted]
    names = [link for link in context.links if link.target.casefold() not in wanted]
    names = [link for link in names if not NO_NAME.match(context.text[link.start : link.end])]
    some = Random(question.id).sample(names, min(len(names), max(0, LINKS - len(right))))
    links = sorted((*right, *some), key=lambda link: link.start)
    return replace(question, context=replace(context, links=tuple(links)))


def link_batch(examples: Sequence[LinkExample], pad: int) -> LinkBatch:
    """Several examples as tensors."""
    counts = np.array([len(example.numbers) for example in examples])
    mask = np.arange(counts.max())[None, :] < counts[:, None]
    bounds = padded([example.bounds for example in examples], 0).astype(np.int64)
    needed = padded([example.needed for example in examples], 0)
    return LinkBatch(
        **piece_part(examples, pad),
        bounds=torch.from_numpy(bounds),
        link_mask=torch.from_numpy(mask),
        needed=torch.from_numpy(needed),
    )
