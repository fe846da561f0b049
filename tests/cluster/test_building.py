"""A corpus that a cluster has built at an address is the one that one machine builds."""

from __future__ import annotations

import bz2
import gzip
import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from lacuna.corpus.formats import dumps as parts
from lacuna.corpus.store import store_at
from lacuna.errors import LacunaError
from lacuna.retrieve.bm25 import Bm25Retriever
from lacuna_scale.cluster import building
from lacuna_scale.cluster.workers import Workers

from .mortal_cluster import mortal_cluster

pytest.importorskip("lance")
pa = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")

SMALL = 20_000
QUERIES = ("k7", "k12", "k3 k4", "whale")
"""None has more hits than are looked at, so that equal scores cannot matter."""


def line(number: int, title: str | None = None) -> str:
    text = [
        f"Fish {number} is a herring of the sea, number {number}, of kind k{number % 40}.",
        f' It follows <a href="Fish%20{number - 1}">the one before</a>.',
    ]
    named = title or f"Fish {number}"
    return json.dumps({"id": str(number), "title": named, "text": [text], "text_with_links": text})


@pytest.fixture
def dump(tmp_path: Path) -> Path:
    """Abstracts as HotpotQA's dump has them: broken lines, and a title that comes twice."""
    lines = [line(number) for number in range(300)]
    lines[50] = "{"
    lines[120] = line(120, "Fish 7")
    lines[290] = json.dumps({"title": "Empty", "text": []})
    path = tmp_path / "abstracts.jsonl"
    path.write_text("\n".join(lines) + "\n")
    return path


def told_by(place: Path | str) -> list[Any]:
    """All that a corpus says, but where it is."""
    with store_at(Path(place)) as store:
        retriever = Bm25Retriever(store)
        hits = [
            [(hit.title, hit.score) for hit in retriever.search(query, 10)] for query in QUERIES
        ]
        graph = store.graph()
        links = [(title, graph.in_link_count(title)) for title in store.titles()]
        info = store.info()
        return [
            list(store),
            list(store.redirects()),
            list(store.skipped()),
            store.sources(),
            (info.documents, info.redirects, info.skipped, info.passages),
            links,
            hits,
        ]


def test_the_same_as_on_one_machine(
    lacuna: Any, cluster: Any, dump: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parts, "PART_BYTES", 4000)  # so that there are several parts
    one, there = f"file://{tmp_path}/one", f"file://{tmp_path}/there"
    here = lacuna("index", dump, "--out", one, "--json")
    ran = lacuna("index", dump, "--out", there, "--json", ray=cluster.address)
    assert (here.code, ran.code) == (0, 0), ran.err
    assert json.loads(ran.out)["sources"] == json.loads(here.out)["sources"]
    assert told_by(there) == told_by(one)
    again = lacuna("index", dump, "--out", there, ray=cluster.address)
    assert "has not changed" in again.err


def test_the_streams_of_a_wiki_and_the_rows_of_parquet(
    lacuna: Any, cluster: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parts, "PART_BYTES", 400)  # a part for every stream
    pages = [
        '<page><title>Gone</title><ns>0</ns><redirect title="A"/></page>',
        "<page><title>A</title><ns>0</ns><revision><text>A is a [[B]].</text></revision></page>",
        '<page><title>A</title><ns>0</ns><redirect title="B"/></page>',
        '<page><title>B</title><ns>0</ns><redirect title="A"/></page>',
        "<page><title>B</title><ns>0</ns><revision><text>B is here.</text></revision></page>",
    ]
    wiki, index = (tmp_path / f"w-multistream{end}.bz2" for end in (".xml", "-index.txt"))
    whole, lines = bz2.compress(b"<mediawiki>"), []
    for page in pages:
        lines.append(f"{len(whole)}:1:A")
        whole += bz2.compress(page.encode())
    wiki.write_bytes(whole + bz2.compress(b"</mediawiki>"))
    index.write_bytes(bz2.compress("\n".join(lines).encode()))
    fish = tmp_path / "fish.parquet"
    rows = [{"title": f"Fish {n}", "text": f"Fish {n} is of kind k{n % 40}."} for n in range(60)]
    parquet.write_table(pa.Table.from_pylist(rows), fish, row_group_size=25)
    there = f"file://{tmp_path}/there"
    assert lacuna("index", wiki, fish, "--out", tmp_path / "here").code == 0
    ran = lacuna("index", wiki, fish, "--out", there, ray=cluster.address)
    assert ran.code == 0, ran.err
    assert told_by(there) == told_by(tmp_path / "here")


class _Killer:
    """At each stage, ends the node of a worker that has just been given something to do."""

    def __init__(self, cluster: Any) -> None:
        self.stages: list[str] = []
        self._cluster = cluster
        self._hand_out = Workers.hand_out

    def hand_out(self, workers: Any, tasks: Any) -> None:
        self._hand_out(workers, tasks)
        for worker, task in list(workers._given.values()):
            stage = type(task.item).__name__
            if stage not in self.stages and not worker.is_gone:
                self.stages.append(stage)
                self._cluster.kill_a_node(worker.node)
                self._cluster.grow(2)


def test_a_node_that_is_lost_costs_no_stage(
    lacuna: Any, cluster: Any, own_cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While parts are read, while terms are counted and while the tables are indexed."""
    killer = _Killer(cluster)
    monkeypatch.setattr(parts, "PART_BYTES", 40_000)
    monkeypatch.setattr(Workers, "hand_out", lambda workers, tasks: killer.hand_out(workers, tasks))
    dump, there = tmp_path / "abstracts.jsonl", f"file://{tmp_path}/there"
    dump.write_text("".join(f"{line(number)}\n" for number in range(1500)))
    ran = lacuna("index", dump, "--out", there, ray=cluster.address)
    assert ran.code == 0, ran.err
    assert killer.stages == ["NumberedPart", "CountTerms", "IndexColumn"]
    assert_whole(there, 1500, own_cache)


@pytest.mark.parametrize("emptied", [False, True])
def test_a_killed_run_goes_on(
    lacuna: Any, cluster: Any, tmp_path: Path, own_cache: Path, emptied: bool
) -> None:
    """And begins anew where somebody has cleared away what it wrote."""
    dump, there = tmp_path / "abstracts.jsonl", f"file://{tmp_path}/there"
    dump.write_text("".join(f"{line(number)}\n" for number in range(4000)))
    asked = ("index", dump, "--out", there)
    running = _in_small_parts(*asked, ray=cluster.address)
    journal = _wait_for_journal(running, own_cache)
    running.kill()
    running.communicate()
    done = journal.read_bytes().count(b"\n") - 1
    assert done > 0
    if emptied:
        _wait_for_idle(cluster)
        shutil.rmtree(tmp_path / "there")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(parts, "PART_BYTES", SMALL)
        ran = lacuna(*asked, ray=cluster.address)
    assert ran.code == 0, ran.err
    assert_whole(there, 4000, own_cache)


def test_where_the_head_is_lost_the_same_command_goes_on_later(
    lacuna: Any, cluster: Any, tmp_path: Path, own_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dump, there = tmp_path / "abstracts.jsonl", f"file://{tmp_path}/there"
    dump.write_text("".join(f"{line(number)}\n" for number in range(4000)))
    asked = ("index", dump, "--out", there)
    with mortal_cluster() as other:
        running = _in_small_parts(*asked, ray=other.address)
        _wait_for_journal(running, own_cache)
        other.end_head()
        _, told = running.communicate(timeout=240)
    assert running.returncode == 2, told
    assert "does not answer" in told
    with pytest.raises(LacunaError, match="There is no corpus at"):
        store_at(Path(there))
    monkeypatch.setattr(parts, "PART_BYTES", SMALL)
    ran = lacuna(*asked, ray=cluster.address)
    assert ran.code == 0, ran.err
    assert_whole(there, 4000, own_cache)


def assert_whole(there: str, documents: int, cache: Path) -> None:
    with store_at(Path(there)) as store:
        assert list(store.titles()) == [f"Fish {number}" for number in range(documents)]
        for query in QUERIES[:2]:
            hits = Bm25Retriever(store).search(query, documents)
            named = {f"Fish {n}" for n in range(documents) if n % 40 == int(query[1:])}
            assert {hit.title for hit in hits} == named, "every part of the index is there"
    assert not list(cache.rglob("building.jsonl")), "nothing is left behind"


def _in_small_parts(*arguments: str | Path, ray: str) -> subprocess.Popen[str]:
    script = (
        f"from lacuna.corpus.formats import dumps; dumps.PART_BYTES = {SMALL}; "
        "from lacuna.cli import main; main()"
    )
    return subprocess.Popen(
        [sys.executable, "-c", script, *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "LACUNA_RAY": ray},
    )


def _wait_for_idle(cluster: Any) -> None:
    """Workers whose command was killed write for a moment yet."""
    until = time.monotonic() + 120
    while time.monotonic() < until and cluster.workers():
        time.sleep(0.1)


def _wait_for_journal(running: subprocess.Popen[str], cache: Path) -> Path:
    """Until a few parts are built."""
    until = time.monotonic() + 120
    while time.monotonic() < until and running.poll() is None:
        for journal in cache.rglob("building.jsonl"):
            if journal.read_bytes().count(b"\n") > 3:
                return journal
        time.sleep(0.02)
    raise AssertionError(running.communicate())


def test_no_more_is_in_memory_than_workers_have_room_for(
    lacuna: Any, cluster: Any, own_cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parts, "PART_BYTES", 4000)
    numbered, add = building._numbered, building._Journal.add
    taken = most = 0

    def counting(sources: Any) -> Any:
        nonlocal taken
        for part in numbered(sources):
            taken += 1
            yield part

    def noting(journal: Any, part: Any) -> None:
        nonlocal most
        most = max(most, taken - len(journal.parts))
        add(journal, part)

    monkeypatch.setattr(building, "_numbered", counting)
    monkeypatch.setattr(building._Journal, "add", noting)
    dump, there = tmp_path / "abstracts.jsonl", f"file://{tmp_path}/there"
    dump.write_text("".join(f"{line(number)}\n" for number in range(1500)))
    ran = lacuna("index", dump, "--out", there, ray=cluster.address)
    assert ran.code == 0, ran.err
    assert taken > 20
    assert 0 < most <= 5, "two parts for each of two workers, and one more"


def test_how_much_of_the_sources_is_read_is_told(dump: Path, tmp_path: Path) -> None:
    """For each kind of parts, and of several sources together."""
    packed = tmp_path / "packed.jsonl.gz"
    packed.write_bytes(gzip.compress(dump.read_bytes()))
    fish = tmp_path / "fish.parquet"
    rows = [{"title": f"Fish {n}", "text": "A fish."} for n in range(600)]
    parquet.write_table(pa.Table.from_pylist(rows), fish)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(parts, "PART_BYTES", 4000)
        sources = building.dump_sources([dump, packed, fish], None)
        assert sources is not None
        found = list(building._numbered(sources))
    assert {part.source for part in found} == {1, 2, 3}
    assert all(0 <= part.share < 1 for part in found)
    assert sum(part.share for part in found) == pytest.approx(1)
