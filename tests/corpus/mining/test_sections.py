from __future__ import annotations

import os
import re
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from lacuna.datasets import get_dataset
from lacuna.errors import LacunaError
from lacuna.types import Document, Section, Span
from lacuna_collect.mining import SectionBounds, SectionFilter, choose_sections

DATA = os.environ.get("LACUNA_DATA")
needs_data = pytest.mark.skipif(not DATA, reason="LACUNA_DATA does not say where the real data is")

SENTENCE = "She sang with the band in many towns of the north and the south for twenty long years. "
FIT = (SENTENCE * 25).strip()
INTRO = "Ellen Voss is a singer."


class Graph:
    def __init__(self, **counts: int) -> None:
        self._counts = counts

    def in_link_count(self, title: str) -> int:
        return self._counts.get(title, 0)


KNOWN = Graph(Voss=100)


def article(introduction: str, **sections: list[str]) -> Document:
    """An introduction, and sections by name with their paragraphs, each of whole sentences."""
    text = ""
    paragraphs: list[Span] = []
    sentences: list[Span] = []
    headed: list[Section] = []
    for name, texts in {"": [introduction], **sections}.items():
        start = len(text)
        for paragraph in texts:
            paragraphs.append(Span(len(text), len(text) + len(paragraph)))
            sentences += [
                Span(len(text) + match.start(), len(text) + match.end())
                for match in re.finditer(r"[^.]+\.", paragraph)
            ]
            text += paragraph + "\n\n"
        if name:
            headed.append(Section(("Voss", name), start, len(text)))
    return Document("Voss", text, tuple(sentences), (), tuple(paragraphs), tuple(headed))


def names(documents: list[Document], bounds: SectionBounds | None = None) -> list[str]:
    wanted = SectionFilter(bounds=bounds or SectionBounds())
    return [found.section.path[-1] for found in choose_sections(documents, KNOWN, wanted)]


def test_a_section_with_what_the_student_sees() -> None:
    voss = article(INTRO, Career=[FIT], Death=["She died."])
    (found,) = choose_sections([voss], KNOWN)
    assert found.section.path == ("Voss", "Career")
    assert found.background == INTRO
    assert found.context.text.strip() == FIT
    assert voss.text[found.section.start : found.section.end] == found.context.text
    assert found.context.sentence(24).strip() == SENTENCE.strip()


@pytest.mark.parametrize(("count", "chosen"), [(99, 0), (100, 1)])
def test_an_article_needs_a_hundred_incoming_links(count: int, chosen: int) -> None:
    voss = article(INTRO, Career=[FIT])
    assert len(list(choose_sections([voss], Graph(Voss=count)))) == chosen


def test_bounds_are_included() -> None:
    voss = article(INTRO, Career=[SENTENCE.strip()] * 2)
    fits = SectionBounds((2, 2), (38, 38), (18, 18))
    assert names([voss], fits) == ["Career"]
    for bounds in (
        SectionBounds((3, 9), (38, 38), (18, 18)),
        SectionBounds((1, 1), (38, 38), (18, 18)),
        SectionBounds((2, 2), (39, 99), (18, 18)),
        SectionBounds((2, 2), (1, 37), (18, 18)),
        SectionBounds((2, 2), (38, 38), (18.1, 40)),
        SectionBounds((2, 2), (38, 38), (5, 17.9)),
    ):
        assert names([voss], bounds) == []


@pytest.mark.parametrize("bounds", [(9, 5), (-1, 5)])
def test_bounds_that_nothing_is_within(bounds: tuple[int, int]) -> None:
    with pytest.raises(LacunaError, match="Give the least first"):
        SectionBounds(tokens=bounds)


@pytest.mark.parametrize(
    ("introduction", "wanted", "chosen"),
    [
        ("Ellen Voss (born 1951) is a singer.", SectionFilter(people_only=True), 1),
        ("The Voss is a river of Norway.", SectionFilter(people_only=True), 0),
        ("The Voss is a river of Norway.", SectionFilter(), 1),
        (INTRO, SectionFilter(keywords=("Singer", "athlete")), 1),
        (INTRO, SectionFilter(keywords=("sing", "athlete")), 0),
    ],
)
def test_people_and_keywords(introduction: str, wanted: SectionFilter, chosen: int) -> None:
    voss = article(introduction, Career=[FIT])
    assert len(list(choose_sections([voss], KNOWN, wanted))) == chosen


def test_the_introduction_is_never_chosen() -> None:
    voss = article(FIT, Career=[FIT])
    whole = Section(("Voss",), 0, len(FIT))
    assert names([replace(voss, sections=(whole, *voss.sections))]) == ["Career"]


def test_a_section_inside_a_chosen_one_is_not_chosen_again() -> None:
    text = f"{INTRO} {FIT} {FIT} {FIT}"
    career = Section(("Voss", "Career"), len(INTRO) + 1, len(INTRO) + 2 + 2 * len(FIT))
    early = Section(("Voss", "Career", "Early"), career.start, career.start + len(FIT))
    later = Section(("Voss", "Later"), career.end, len(text))
    voss = Document(
        "Voss", text, paragraphs=(Span(0, len(INTRO)),), sections=(career, early, later)
    )
    assert names([voss]) == ["Career", "Later"]
    # Where the whole is too long, its part may still do.
    assert names([voss], SectionBounds(tokens=(300, 500))) == ["Early", "Later"]


def test_documents_without_sections_or_text_give_none() -> None:
    assert names([Document("Voss", FIT), Document("Voss", "")]) == []


@needs_data
def test_the_real_sections_keep_to_the_bounds() -> None:
    bounds = SectionBounds()
    fit = sections = 0
    with get_dataset("quac").open(Path(DATA or "") / "quac" / "train.json.gz") as reader:
        seen = set()
        for question in reader.questions():
            assert question.context is not None
            text = question.context.text.replace("CANNOTANSWER", "").strip()
            if text in seen:
                continue
            seen.add(text)
            ends = [0, *(m.end() for m in re.finditer(r"(?<=[.!?])\s+", text)), len(text)]
            sentences = tuple(Span(a, b) for a, b in pairwise(ends))
            sections += 1
            fit += bounds.allow(Document("s", text, sentences))
    assert sections > 5000
    assert 0.94 < fit / sections < 0.99
