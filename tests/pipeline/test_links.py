"""Which links are followed."""

from __future__ import annotations

import math

from lacuna.pipeline.links import FEWEST, MOST, spot_links
from lacuna.types import Document, Link, Span


def words(text: str) -> list[str]:
    return text.casefold().split()


def passage(*targets: str) -> Document:
    text = " ".join(targets)
    links, at = [], 0
    for target in targets:
        links.append(Link(at, at + len(target), target))
        at += len(target) + 1
    return Document("Passage", text, links=tuple(links))


def known(title: str) -> str | None:
    return None if title.startswith("lost") else title.capitalize()


def test_links_to_one_target_count_once_with_their_best_score() -> None:
    (one,) = spot_links("?", passage("ferry", "Ferry"), [-4.0, -2.0], known, words)
    assert (one.title, one.score, one.chosen) == ("Ferry", -2.0, True)
    assert one.places == (Span(6, 11), Span(0, 5))


def test_dangling_links_are_told_but_not_followed() -> None:
    found = spot_links("?", passage("lost ship", "ferry"), [5.0, -5.0], known, words)
    assert [(one.title, one.dangling, one.chosen) for one in found] == [
        ("lost ship", True, False),
        ("Ferry", False, True),
    ]


def test_the_best_few_are_always_followed_and_never_too_many() -> None:
    names = [f"a{number}" for number in range(MOST + 3)]
    unlikely = spot_links("?", passage(*names), [-9.0] * len(names), known, words)
    assert sum(one.chosen for one in unlikely) == FEWEST
    likely = spot_links("?", passage(*names), [9.0] * len(names), known, words)
    assert sum(one.chosen for one in likely) == MOST


def test_a_name_in_the_question_speaks_for_its_link() -> None:
    found = spot_links("Who built the ferry ?", passage("island", "ferry"), [0, 0], known, words)
    assert [one.title for one in found] == ["Ferry", "Island"]


def test_the_document_itself_is_left_out() -> None:
    found = spot_links("?", passage("ferry"), [1.0], known, words, leave_out={"Ferry"})
    assert found == ()


def test_a_link_that_the_reader_could_not_score_comes_last() -> None:
    found = spot_links("?", passage("ferry", "ship"), [-math.inf, -3.0], known, words)
    assert [one.title for one in found] == ["Ship", "Ferry"]
    assert all(math.isfinite(one.score) for one in found)
