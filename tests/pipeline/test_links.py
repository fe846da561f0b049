"""Which links are followed."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence

from lacuna.pipeline.config import PipelineConfig
from lacuna.pipeline.stages import spot_links as spot_links_by
from lacuna.pipeline.state import LinkTarget
from lacuna.types import Document, Link, Span


def words(text: str) -> list[str]:
    return text.casefold().split()


CONFIG = PipelineConfig(fewest_links=3, most_links=6)


def spot_links(
    question: str, text: Document, scores: Sequence[float], *, leave_out: Collection[str] = ()
) -> tuple[LinkTarget, ...]:
    return spot_links_by(question, text, scores, known, words, CONFIG, leave_out=leave_out)


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
    (one,) = spot_links("?", passage("ferry", "Ferry"), [-4.0, -2.0])
    assert (one.title, one.score, one.chosen) == ("Ferry", -2.0, True)
    assert one.places == (Span(6, 11), Span(0, 5))


def test_dangling_links_are_told_but_not_followed() -> None:
    found = spot_links("?", passage("lost ship", "ferry"), [5.0, -5.0])
    assert [(one.title, one.dangling, one.chosen) for one in found] == [
        ("lost ship", True, False),
        ("Ferry", False, True),
    ]


def test_the_best_few_are_always_followed_and_never_too_many() -> None:
    names = [f"a{number}" for number in range(CONFIG.most_links + 3)]
    unlikely = spot_links("?", passage(*names), [-9.0] * len(names))
    assert sum(one.chosen for one in unlikely) == CONFIG.fewest_links
    likely = spot_links("?", passage(*names), [9.0] * len(names))
    assert sum(one.chosen for one in likely) == CONFIG.most_links


def test_a_name_in_the_question_speaks_for_its_link() -> None:
    found = spot_links("Who built the ferry ?", passage("island", "ferry"), [0, 0])
    assert [one.title for one in found] == ["Ferry", "Island"]


def test_the_document_itself_is_left_out() -> None:
    found = spot_links("?", passage("ferry"), [1.0], leave_out={"Ferry"})
    assert found == ()


def test_a_link_that_the_reader_could_not_score_comes_last() -> None:
    found = spot_links("?", passage("ferry", "ship"), [-math.inf, -3.0])
    assert [one.title for one in found] == ["Ship", "Ferry"]
    assert all(math.isfinite(one.score) for one in found)
