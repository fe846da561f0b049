"""Made wikis read like real ones, fits find the law that made the numbers, and sums add up."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from benchmarks.scaling.growth import Growth, fit, p95
from benchmarks.scaling.made_corpus import WORD, MadeCorpus
from benchmarks.scaling.projection import Machine, Wishes, carried, project
from benchmarks.scaling.report import report
from benchmarks.scaling.unit_costs import UnitCosts, measure

from lacuna.corpus.formats.detect import detect_source
from lacuna.types import Document

SYLLABLES = ("ka", "lo", "mi", "ru", "ter", "von", "sel", "dra", "pin", "qua")


@pytest.fixture(scope="module")
def made() -> MadeCorpus:
    """Out of texts whose words follow Zipf's law."""
    draw = np.random.default_rng(1)
    words = ["".join(draw.choice(SYLLABLES, 4)) for _ in range(5_000)]
    texts = []
    for number in range(400):
        ranks = np.minimum(draw.zipf(1.2, 40), len(words)) - 1
        names = [words[draw.integers(len(words))].title() for _ in range(5)]
        texts.append((f"Page {number}", " ".join([*names, *(words[rank] for rank in ranks)]) + "."))
    return MadeCorpus(texts)


def test_a_dump_can_be_read(made: MadeCorpus, tmp_path: Path) -> None:
    dump = tmp_path / "wiki.xml"
    made.write(dump, 500)
    read = detect_source(dump, None).dump
    assert read is not None
    assert read.read is not None
    documents = [item for item in read.read(dump) if isinstance(item, Document)]
    assert len(documents) == 500
    assert {document.title for document in documents} >= {"Page 0", "Page 399"}
    assert sum(len(document.links) for document in documents) > 1_000


def test_the_vocabulary_grows_as_it_would(made: MadeCorpus) -> None:
    seen: set[str] = set()
    for number, (_, text) in enumerate(made.pages(1_600), 1):
        seen.update(WORD.findall(text.lower()))
        if number == 400:
            assert len(seen) == made.heaps.words
    expected = made.heaps.words * 4**made.heaps.exponent
    assert len(seen) == pytest.approx(expected, rel=0.1)


def test_a_fit_finds_the_exponent_that_made_the_numbers() -> None:
    draw = np.random.default_rng(3)
    sizes = (10_000, 30_000, 100_000)
    costs = {size: 2e-5 * size**0.8 * draw.lognormal(0, 0.05, 30) for size in sizes}
    growth = fit(costs)
    low, high = growth.exponent_interval()
    assert low < 0.8 < high
    assert high - low < 0.1
    low, high = growth.interval_at(1e6)
    assert low < 2e-5 * 1e6**0.8 * 1.01 < high * 1.05
    assert fit(costs, p95).at(30_000) > growth.at(30_000)


def test_growth_is_carried_no_slower_than_it_can_be() -> None:
    slow = fit({100: [10.0], 10_000: [100.0]})
    assert slow.at_least(0.3) is slow
    linear = slow.at_least(1.0)
    assert linear.at(10_000) == pytest.approx(100)
    assert linear.at(1_000_000) == pytest.approx(10_000)
    growth = {"parse": slow, "search": slow, "read": fit({100: [2.0], 10_000: [1.0]})}
    far = carried(growth)
    assert (far["parse"].exponent, far["search"], far["read"].exponent) == (1.0, slow, 0.0)
    assert carried(growth, search_at_least=1.0)["search"].exponent == 1.0


def line(factor: float, exponent: float = 1.0) -> Growth:
    return Growth(factor, exponent, ((factor, exponent),))


def test_what_a_projection_says() -> None:
    growth = {
        "parse": line(1e-3),
        "index": line(2e-3),
        "document_bytes": line(1_000),
        "index_bytes": line(500),
        "search": line(1e-9),
        "search_p95": line(2e-9),
        "read": line(0.5, 0.0),
        "read_p95": line(1.0, 0.0),
    }
    machine, wishes = Machine(cores=10, memory=1e9, disk=1e12), Wishes(efficiency=1.0, busy=1.0)
    small = project(1_000_000, growth, machine, wishes)
    assert (small.shards, small.machines, small.bottleneck) == (1, 1, "memory for the text index")
    assert small.core_hours == pytest.approx(3_000 / 3600)
    assert small.p95 == pytest.approx(1.002)
    few = project(1_000, growth, machine, wishes)
    assert few.bottleneck == "reading"
    large = project(100_000_000, growth, machine, wishes)
    assert (large.shards, large.machines) == (50, 50)
    assert large.stored_bytes == pytest.approx(1.5e11)
    assert large.p95 == pytest.approx(1.004)
    assert large.build_hours == pytest.approx(300_000 / 3600 / 10 / 50)


def test_one_size_is_measured_and_told(made: MadeCorpus, tmp_path: Path) -> None:
    costs: list[UnitCosts] = []
    for size in (50, 100):
        dump = tmp_path / f"{size}.xml"
        made.write(dump, size)
        made_of = measure(dump, ["embedded", "lance"], tmp_path, ["Page 1?", "Kalomi?"], [])
        assert [one.store for one in made_of] == ["embedded", "lance"]
        assert made_of[0].passages == made_of[1].passages
        assert made_of[0].index < made_of[1].index
        costs += made_of[:1]
    assert [one.documents for one in costs] == [50, 100]
    assert all(one.index_bytes > 0 and one.document_bytes > 0 for one in costs)
    assert all(one.parse > 0 and len(one.search) == 2 for one in costs)
    table = report([*costs[:1]])
    assert "| 50 |" in table
