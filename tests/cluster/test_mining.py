"""Mining on a cluster gives what it gives in one process, in the same order."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from lacuna import demo
from lacuna_scale.cluster import mining
from lacuna_scale.cluster.workers import Finished, in_order


@pytest.mark.parametrize(
    "asked",
    [
        (
            *("sections", "--set", "fewest_in_links=3", "--set", "people_only=true"),
            *("--set", "tokens=[20,2000]"),
        ),
        ("pairs", "--count", "40"),
        ("pairs", "--count", "40", "--curated", "{titles}"),
    ],
)
def test_the_same_as_in_one_process(
    lacuna: Any, cluster: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, asked: tuple[str]
) -> None:
    monkeypatch.setattr(mining, "DOCUMENTS_AT_ONCE", 20)  # so that there are several parts
    titles = tmp_path / "titles.txt"
    titles.write_text("Torrow\nOsk\nKelmouth\n")
    given = [each.format(titles=titles) for each in asked]
    here = lacuna("corpus", *given, demo.ARTICLES)
    there = lacuna("corpus", *given, demo.ARTICLES, ray=cluster.address)
    assert (here.code, there.code) == (0, 0), there.err
    assert there.out == here.out
    assert here.out, "there is something to compare"


def test_a_corpus_at_an_address(lacuna: Any, cluster: Any, tmp_path: Path) -> None:
    address = f"file://{tmp_path}/corpus"
    assert lacuna("index", demo.ARTICLES, "--out", address).code == 0
    asked = ("corpus", "seeds", "--links", "3", address)
    here, there = lacuna(*asked), lacuna(*asked, ray=cluster.address)
    assert (here.code, there.code) == (0, 0), there.err
    assert there.out == here.out


def test_what_comes_early_waits_for_what_is_before_it() -> None:
    coming: list[Finished[str, None]] = [Finished(number, "item") for number in (2, 0, 1, 3)]
    assert [each.number for each in in_order(coming)] == [0, 1, 2, 3]
