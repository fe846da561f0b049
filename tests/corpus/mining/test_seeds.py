from __future__ import annotations

from collections.abc import Iterator

from lacuna.types import Document, Link, Span
from lacuna_collect.mining import seeds


def page(title: str, *paragraphs: list[str]) -> Document:
    """A document with a paragraph of links for each list of targets."""
    text = ""
    links, spans = [], []
    for targets in paragraphs:
        start = len(text)
        text += "It met "
        for target in targets:
            links.append(Link(len(text), len(text) + len(target), target))
            text += f"{target}, "
        spans.append(Span(start, len(text)))
        text += "\n\n"
    return Document(title, text, links=tuple(links), paragraphs=tuple(spans))


TEN = [f"Town {number}" for number in range(10)]


def test_ten_links_are_enough_and_nine_are_not() -> None:
    ferry = page("Ferry", TEN[:9], TEN, [])
    (seed,) = seeds([ferry])
    assert seed.targets == tuple(TEN)
    assert seed.context.title == "Ferry"
    assert ferry.text[seed.span.start : seed.span.end] == seed.context.text
    anchors = [seed.context.text[link.start : link.end] for link in seed.context.links]
    assert anchors == TEN


def test_links_must_lead_to_ten_other_articles() -> None:
    twice = [*TEN[:9], TEN[0]]
    itself = [*TEN[:9], "Ferry"]
    assert list(seeds([page("Ferry", twice, itself)])) == []


def test_with_titles_resolved_only_links_to_documents_count() -> None:
    ferry = page("Ferry", TEN)
    assert len(list(seeds([ferry], dict(zip(TEN, TEN, strict=True)).get))) == 1
    assert list(seeds([ferry], {title: title for title in TEN[:9]}.get)) == []
    assert list(seeds([ferry], dict.fromkeys(TEN, "Same").get)) == []


def test_seeds_come_in_order_as_they_are_asked_for() -> None:
    def endless() -> Iterator[Document]:
        number = 0
        while True:
            yield page(f"Page {number}", TEN)
            number += 1

    found = seeds(endless())
    assert [next(found).context.title for _ in range(3)] == ["Page 0", "Page 1", "Page 2"]
