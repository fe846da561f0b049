"""Sections for a dialog between a student and a teacher (QuAC, section 2.2).

The paper takes articles about people, found by keywords, with at least 100 incoming links, and
filters their sections by number of paragraphs, number of tokens, and average words per sentence. It
gives no figures for these. The
bounds for tokens and words are those that the middle 98 of 100 sections of its training set keep
to; its files do not tell paragraphs apart, so the bound for these is our own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, fields
from typing import Protocol

from lacuna.corpus.excerpt import Cutter
from lacuna.corpus.mining.paragraphs import first_paragraph, paragraphs_of
from lacuna.corpus.mining.people import is_person
from lacuna.errors import LacunaError
from lacuna.text import WORD_RUN
from lacuna.types import Document, Section

FEWEST_IN_LINKS = 100

TOKEN = re.compile(r"\w+|[^\w\s]")


class LinkGraph(Protocol):
    """Any graph that counts links; where a link leads is read from the documents themselves."""

    def in_link_count(self, title: str) -> int:
        """How many links lead to a title."""
        ...


@dataclass(frozen=True, slots=True)
class SectionBounds:
    """Lowest and highest that is allowed, both included."""

    paragraphs: tuple[int, int] = (1, 12)
    tokens: tuple[int, int] = (297, 1439)
    words_a_sentence: tuple[float, float] = (14.9, 40.1)

    def __post_init__(self) -> None:
        """Refuse bounds that nothing is within."""
        for each in fields(self):
            least, most = getattr(self, each.name)
            if not 0 <= least <= most:
                name = each.name.replace("_", " ")
                raise LacunaError(
                    f"No section has {least} to {most} {name}. Give the least first, then the most."
                )

    def allow(self, section: Document) -> bool:
        """Whether a section is neither too short nor too long for a dialog."""
        text = section.text
        if not (
            _within(len(paragraphs_of(section)), self.paragraphs)
            and _within(len(TOKEN.findall(text)), self.tokens)
        ):
            return False
        sentences = len(section.sentences)
        # Without sentences there is nothing to average over.
        words = len(WORD_RUN.findall(text))
        return not sentences or _within(words / sentences, self.words_a_sentence)


@dataclass(frozen=True, slots=True)
class SectionFilter:
    """Which articles are looked at, and which of their sections are fit for a dialog."""

    fewest_in_links: int = FEWEST_IN_LINKS
    people_only: bool = False
    keywords: tuple[str, ...] = ()
    """Words of which the first paragraph must have one; none for all articles."""
    bounds: SectionBounds = field(default_factory=SectionBounds)

    def allows(self, article: Document) -> bool:
        """Whether an article is of the kind that is wanted, however much it is linked."""
        if self.people_only and not is_person(article):
            return False
        wanted = {word.lower() for word in self.keywords}
        words = WORD_RUN.findall(first_paragraph(article).text) if wanted else ()
        return not wanted or not wanted.isdisjoint(word.lower() for word in words)


@dataclass(frozen=True, slots=True)
class ChosenSection:
    """A section as a document of its own, where it stands, and what the student may see of it."""

    section: Section
    context: Document
    background: str
    """The first paragraph of the article."""


def choose_sections(
    documents: Iterable[Document], graph: LinkGraph, wanted: SectionFilter | None = None
) -> Iterator[ChosenSection]:
    """The sections fit for a dialog, in the order of the documents.

    A section that begins with the article holds its introduction, which the student sees: it is
    never chosen. Neither is a section inside a chosen one.
    """
    wanted = wanted or SectionFilter()
    for document in documents:
        if not document.sections or graph.in_link_count(document.title) < wanted.fewest_in_links:
            continue
        if not wanted.allows(document):
            continue
        cutter = Cutter(document)
        background = first_paragraph(document).text
        introduction = paragraphs_of(document)[:1]
        taken = introduction[0].start + 1 if introduction else 0  # chosen up to here
        for section in document.sections:
            if section.start < taken:
                continue
            context = cutter.cut([(section.start, section.end)]).document
            if wanted.bounds.allow(context):
                taken = section.end
                yield ChosenSection(section, context, background)


def _within(value: float, bounds: tuple[float, float]) -> bool:
    return bounds[0] <= value <= bounds[1]
