"""Fixtures that several test folders share."""

from __future__ import annotations

import datetime
import os
import sys
import zlib
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import settings

from lacuna.cli import main

HERE = Path(__file__).parent

# Tests assert behaviour, not seconds: machines are shared.
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")


LONG = (
    "attack/",
    "cluster/",
    "collect/live/",
    "collect/simulate/",
    "collect/web/browser/",
    "collect/web/forms/",
    "corpus/lance/",
    "retrieve/knowledge/",
    "server/browser/",
    "server/pictures/",
    "train/data/",
    "train/gapqa/",
    "train/papers/",
)
"""Where the tests lie that `make test` leaves out and `make test-all` runs too."""
SHORT = (
    "attack/test_odd_questions.py",
    "attack/test_store_kills.py",
    "collect/web/browser/test_whole_path.py",
    "corpus/lance/test_opening.py",
    "retrieve/knowledge/test_knowledge_base.py",
    "server/browser/test_asking.py",
)
"""What `make test` runs of these all the same: one walk through each surface."""
DAYS = 5
"""After so many days of ``--share today`` every long test has run."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--share",
        choices=["today"],
        help=f"of the long tests, run those whose turn is today (each every {DAYS} days)",
    )


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark what takes long, and leave out what is not today's turn."""
    today = datetime.datetime.now(datetime.UTC).toordinal() % DAYS
    others = []
    for item in items:
        place = item.path.relative_to(HERE).as_posix() if item.path.is_relative_to(HERE) else ""
        if place.startswith(LONG) and not place.startswith(SHORT):
            item.add_marker("long")
            if config.getoption("--share") and zlib.crc32(place.encode()) % DAYS != today:
                others.append(item)
    if others:
        config.hook.pytest_deselected(items=others)
        items[:] = [item for item in items if item not in set(others)]


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """A test file that cannot be imported fails: where doctests are collected it would be skipped,
    as those files of the package are that need torch."""
    report = yield
    reason = str(report.longrepr)
    in_tests = Path(report.nodeid).name.startswith("test_")
    if report.skipped and in_tests and "unable to import module" in reason:
        report.outcome, report.longrepr = "failed", reason
    return report


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    """Bytes do not name a test: a compressed file holds the second it was made in, and where two
    processes share the tests both must know them by the same names."""
    return argname if isinstance(val, bytes) else None


@pytest.fixture(scope="session", autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A cache folder that is empty at first; the demo corpus is indexed into it once."""
    folder = tmp_path_factory.mktemp("cache")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LACUNA_CACHE", str(folder))
        # What a developer has set or asked is theirs.
        patch.setenv("LACUNA_CONFIG", str(folder / "config.toml"))
        patch.setenv("LACUNA_DIALOGS", str(folder / "dialogs"))
        yield folder


@pytest.fixture(scope="session")
def data_folder() -> Path:
    """The real datasets, where they are at hand."""
    folder = os.environ.get("LACUNA_DATA")
    if not folder:
        pytest.skip("LACUNA_DATA does not say where the real datasets are")
    return Path(folder)


@pytest.fixture(scope="session")
def examples() -> Path:
    """The small files that come with the project."""
    return HERE.parent / "examples"


@pytest.fixture(scope="session")
def parity() -> Path:
    """Awkward cases with the scores that the official scorers gave them."""
    return HERE / "parity"


@pytest.fixture
def lab_unloaded(monkeypatch: pytest.MonkeyPatch) -> None:
    """The modules of lacuna-lab are imported anew; afterwards those that were there are back."""
    for name in [name for name in sys.modules if name.startswith("lacuna_lab.")]:
        parent, _, leaf = name.rpartition(".")
        # What is imported anew is noted in the package around it, too.
        if hasattr(sys.modules[parent], leaf):
            monkeypatch.setattr(sys.modules[parent], leaf, getattr(sys.modules[parent], leaf))
    for name in [name for name in sys.modules if name.startswith("lacuna_lab.")]:
        monkeypatch.delitem(sys.modules, name)


@dataclass(frozen=True)
class Ran:
    """What a command did."""

    code: int
    out: str
    err: str


Lacuna = Callable[..., Ran]


@pytest.fixture
def lacuna(capsys: pytest.CaptureFixture[str]) -> Lacuna:
    """Run a command in this process."""

    def run(*arguments: str | Path) -> Ran:
        code = 0
        try:
            main([str(argument) for argument in arguments])
        except SystemExit as stop:
            code = stop.code if isinstance(stop.code, int) else int(stop.code is not None)
        captured = capsys.readouterr()
        return Ran(code, captured.out, captured.err)

    return run
