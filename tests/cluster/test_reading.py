"""A corpus that was read on a cluster is the one that was read on one machine."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from lacuna import demo
from lacuna.corpus.store import Store
from lacuna.retrieve.bm25 import Bm25Retriever
from lacuna_scale.cluster import jobs as reading

QUERIES = ("herring strike", "first governor of the bank", "lighthouse keeper", "railway")


def assert_equal(first: Path, second: Path) -> None:
    """The same documents with their links and places, the same graph, the same hits."""
    with Store.open(first) as one, Store.open(second) as other:
        assert len(one) > 0
        assert list(other) == list(one)
        assert list(other.redirects()) == list(one.redirects())
        assert list(other.skipped()) == list(one.skipped())
        for title in one.titles():
            assert other.graph().in_link_count(title) == one.graph().in_link_count(title)
        for query in QUERIES:
            hits = [
                [(hit.title, hit.score) for hit in Bm25Retriever(store).search(query, 10)]
                for store in (one, other)
            ]
            assert hits[1] == hits[0]


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    """The demo's articles many times over, beside files that cannot be read."""
    folder = tmp_path / "pages"
    for number in range(4):
        shutil.copytree(demo.ARTICLES, folder / str(number))
    (folder / "broken.ipynb").write_text("{")
    (folder / "unknown.xyz").write_text("?")
    return folder


@pytest.fixture
def slow_pages(cluster: Any, tmp_path: Path) -> Path:
    """Files that take a tenth of a second each."""
    folder = tmp_path / "slow"
    folder.mkdir()
    for number in range(80):
        (folder / f"Herring {number}.slow").write_text(f"Herring {number} was a herring. " * 9)
    return folder


def test_a_folder(
    lacuna: Any, cluster: Any, pages: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While no more of it is on its way than memory should hold."""
    monkeypatch.setattr(reading, "MOST_BYTES", 20_000)
    most = 0
    begin = reading.ReadingOnCluster.begin

    def watched(self: reading.ReadingOnCluster, *given: Any) -> Any:
        nonlocal most
        begun = begin(self, *given)
        most = max(most, self._bytes)
        return begun

    monkeypatch.setattr(reading.ReadingOnCluster, "begin", watched)
    here = lacuna("index", pages, "--out", tmp_path / "here", "--json")
    there = lacuna("index", pages, "--out", tmp_path / "there", "--json", ray=cluster.address)
    assert (here.code, there.code) == (0, 0), there.err
    assert there.out.replace("there", "here") == here.out
    assert_equal(tmp_path / "here", tmp_path / "there")
    largest = max(path.stat().st_size for path in pages.rglob("*") if path.is_file())
    assert 0 < most <= 20_000 + 2 * largest
    again = lacuna("index", pages, "--out", tmp_path / "there", ray=cluster.address)
    assert "has not changed" in again.err


def test_a_dump(lacuna: Any, cluster: Any, tmp_path: Path) -> None:
    dump = tmp_path / "wiki.xml"
    texts = [f"'''Page {n}''' follows [[Page {n - 1}]]. It has {n} herrings." for n in range(200)]
    pages = "".join(
        f"<page><title>Page {n}</title><ns>0</ns><revision><text>{text}</text></revision></page>"
        for n, text in enumerate(texts)
    )
    moved = '<page><title>Last</title><ns>0</ns><redirect title="Page 199"/></page>'
    dump.write_text(f"<mediawiki>{pages}{moved}</mediawiki>")
    for name, ray in (("here", ""), ("there", cluster.address)):
        ran = lacuna("index", dump, "--out", tmp_path / name, ray=ray)
        assert ran.code == 0, ran.err
    assert_equal(tmp_path / "here", tmp_path / "there")


def test_a_lost_node_costs_only_its_batches(
    lacuna: Any, cluster: Any, slow_pages: Path, tmp_path: Path
) -> None:
    out = tmp_path / "there"
    running = _started("index", slow_pages, "--out", out, ray=cluster.address)
    _wait_for_workers(running, cluster)
    cluster.kill_a_node()
    assert running.poll() is None, "it was not done yet"
    _, told = running.communicate(timeout=240)
    assert running.returncode == 0, told
    assert lacuna("index", slow_pages, "--out", tmp_path / "here").code == 0
    assert_equal(tmp_path / "here", out)


def test_a_killed_run_goes_on(lacuna: Any, cluster: Any, slow_pages: Path, tmp_path: Path) -> None:
    out = tmp_path / "there"
    running = _started("index", slow_pages, "--out", out, ray=cluster.address)
    _wait_for_workers(running, cluster)
    assert running.poll() is None, "it was not done yet"
    running.kill()
    running.communicate()
    ran = lacuna("index", slow_pages, "--out", out, ray=cluster.address)
    assert ran.code == 0, ran.err
    with Store.open(out) as store:
        assert sorted(store.titles()) == sorted(f"Herring {number}" for number in range(80))


def _started(*arguments: str | Path, ray: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "lacuna", *map(str, arguments)]
    return subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "LACUNA_RAY": ray},
    )


def _wait_for_workers(running: subprocess.Popen[str], cluster: Any) -> None:
    """Until both nodes work."""
    until = time.monotonic() + 120
    while time.monotonic() < until and running.poll() is None:
        if cluster.workers() == 2:
            return
        time.sleep(0.02)
    raise AssertionError("no worker was there in time")
