"""The dataset is made in the background: others are served meanwhile."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from zipfile import ZipFile

import pytest
from collect_site import CollectSite

from lacuna.errors import LacunaError
from lacuna_collect.web.services import BROKE_OFF, DatasetArchive


class HeldUp:
    """An export that waits in its middle."""

    def __init__(self) -> None:
        self.may_go_on = threading.Event()
        self.begun = threading.Semaphore(0)

    def __call__(self, out: Path) -> None:
        (out / "part.json").write_text("[1, 2, 3]")
        self.begun.release()
        assert self.may_go_on.wait(60)


@pytest.fixture
def made() -> Iterator[Callable[..., DatasetArchive]]:
    archives: list[DatasetArchive] = []

    def make(export: Callable[[Path], object]) -> DatasetArchive:
        archives.append(DatasetArchive(export))
        return archives[-1]

    yield make
    for archive in archives:
        archive.close()


def wait_for(archive: DatasetArchive) -> None:
    while archive.state().is_being_made:
        time.sleep(0.01)


def test_progress_while_it_is_made(made: Callable[..., DatasetArchive]) -> None:
    export = HeldUp()
    archive = made(export)
    archive.begin()
    export.begun.acquire()
    archive.begin()  # somebody else asks: it is the same one
    state = archive.state()
    assert (state.is_being_made, state.files, state.size, state.made_at) == (True, 1, 9, None)
    assert archive.path is None
    export.may_go_on.set()
    wait_for(archive)
    assert not export.begun.acquire(blocking=False)
    path = archive.path
    assert path is not None
    with ZipFile(path) as packed:
        assert packed.read("part.json") == b"[1, 2, 3]"
    assert archive.state().size == path.stat().st_size


def test_what_went_wrong_is_told_and_the_last_one_is_kept(
    made: Callable[..., DatasetArchive],
) -> None:
    told: list[Exception] = []

    def export(out: Path) -> None:
        if told:
            raise told.pop()
        (out / "a.json").write_text("[]")

    archive = made(export)
    for error, problem in ((LacunaError("Mend it."), "Mend it."), (ValueError("x"), BROKE_OFF)):
        archive.begin()
        wait_for(archive)
        first = archive.state().made_at
        assert first is not None
        told.append(error)
        archive.begin()
        wait_for(archive)
        assert (archive.state().problem, archive.state().made_at) == (problem, first)
        assert archive.path is not None


def test_others_are_served_meanwhile(site: CollectSite) -> None:
    export = HeldUp()
    site.app.state.services.archive._export = export
    requester, worker = site.person("requester", "Rita"), site.person("worker", "Wanda")
    assert requester.refused("GET", "console/export/file")[1]["code"] == "no-such-export"
    assert requester.post("console/export")["is_being_made"]
    export.begun.acquire()
    worker.pass_test()
    worker.submit(worker.next())
    assert requester.get("console/export")["files"] == 1
    export.may_go_on.set()
    while requester.get("console/export")["is_being_made"]:
        time.sleep(0.01)
    assert requester.call("GET", "console/export/file").content.startswith(b"PK")
