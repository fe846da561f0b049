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
settings.register_profile("fast", deadline=None, max_examples=25)


LONG = (
    "attack/",
    "benchmarks/scaling/",
    "cli/papers/test_reproduce.py::test_every_table_of_a_paper_is_made_from_the_demo",
    "cli/test_resuming.py::test_a_killed_process_keeps_its_work",
    "cli/test_tune.py::test_the_questions_of_one_collection_can_be_fitted_on",
    "cluster/",
    "collect/database/test_kills.py",
    "collect/live/",
    "collect/release/test_real_families.py",
    "collect/simulate/",
    "collect/tasks/quac/test_validation.py::test_the_human_row",
    "collect/test_people_and_kills.py",
    "collect/web/browser/",
    "collect/web/forms/",
    "corpus/formats/dumps/test_line_formats.py::test_all_abstracts_are_read",
    "corpus/formats/dumps/test_mediawiki.py::test_the_sample_of_a_real_dump",
    "corpus/formats/html/test_nesting.py::test_hostile_pages_are_read",
    "corpus/formats/html/test_real_pages.py",
    "corpus/formats/rst/test_rst.py::test_what_would_take_docutils_too_long_is_read_as_it_is",
    "corpus/lance/",
    "corpus/mining/test_sections.py::test_the_real_sections_keep_to_the_bounds",
    "corpus/test_refresh.py::test_keeping_up_ends_where_reading_anew_does",
    "datasets/describing/test_general.py::test_real_squad_is_close_to_what_quacs_paper_says",
    "datasets/quac/test_description.py::test_the_real_training_set_is_close_to_the_paper",
    "datasets/test_real_data.py",
    "retrieve/knowledge/",
    "server/browser/",
    "server/pictures/",
    "server/test_replicas.py",
    "server/test_stopping.py",
    "server/test_upload_folder.py::test_many_that_start_together",
    "systems/test_error_counts.py::test_a_search_tells_what_it_followed_and_read",
    "systems/test_error_counts.py::test_what_cannot_be_told_is_said",
    "test_deploy_nginx.py",
    "train/data/",
    "train/gapqa/",
    "train/papers/",
)
"""What `make test` leaves out and `make test-all` runs too: folders, files and tests."""
SHORT = (
    "attack/test_odd_questions.py",
    "attack/test_store_kills.py",
    "cli/papers/test_reproduce.py::test_every_table_of_a_paper_is_made_from_the_demo[quac]",
    "cli/test_resuming.py::test_a_killed_process_keeps_its_work[15]",
    "collect/database/test_kills.py::test_nothing_acknowledged_is_lost[sqlite]",
    "collect/web/browser/test_whole_path.py::test_hotpotqa[sqlite]",
    "corpus/formats/html/test_nesting.py::test_hostile_pages_are_read[html0",
    "corpus/formats/rst/test_rst.py::test_what_would_take_docutils_too_long_is_read_as_it_is[deep]",
    "corpus/lance/test_opening.py",
    "retrieve/knowledge/test_knowledge_base.py",
    "server/browser/test_asking.py",
    "server/test_stopping.py::test_what_has_begun_is_finished_and_what_waits_is_told",
)
"""What `make test` runs of these all the same: one walk through each surface."""
FAST = "not long"
"""How `make test` asks for the others; property tests try fewer examples there."""
DAYS = 5
"""After so many days of ``--share today`` every long test has run."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--share",
        choices=["today"],
        help=f"of the long tests, run those whose turn is today (each every {DAYS} days)",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Keep property tests short where only the fast tests are asked for."""
    settings.load_profile("fast" if config.option.markexpr == FAST else "untimed")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Import no file of which no test is asked for: each process that runs tests would."""
    if config.option.markexpr != FAST or not collection_path.is_relative_to(HERE):
        return None
    place = collection_path.relative_to(HERE).as_posix()
    some = any(name.startswith(place) or place.startswith(name) for name in SHORT)
    return True if collection_path.suffix and place.startswith(LONG) and not some else None


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark what takes long, and leave out what is not today's turn."""
    today = datetime.datetime.now(datetime.UTC).toordinal() % DAYS
    others = []
    for item in items:
        name = item.nodeid.removeprefix(f"{HERE.name}/")
        if name.startswith(LONG) and not name.startswith(SHORT):
            item.add_marker("long")
            file = name.partition("::")[0]
            if config.getoption("--share") and zlib.crc32(file.encode()) % DAYS != today:
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
