"""Two writers to one address: one wins, the other is told; a writer that died is no hindrance."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path

import pytest

from lacuna.corpus.address import place_text
from lacuna.corpus.store import Redirect, new_store_at, store_at
from lacuna.errors import LacunaError
from lacuna.files.cache import StoreBusyError
from lacuna.types import Document
from lacuna_scale.lance import publish
from lacuna_scale.lance import publish as claim
from lacuna_scale.lance.publish import Claim
from lacuna_scale.lance.snapshot import State, StateTable
from lacuna_scale.lance.tables import Tables

from .conftest import Machine


def write(address: Path, *titles: str) -> None:
    with new_store_at(address) as store, store.writer() as writer:
        writer.add(Document(title, f"About {title}.") for title in titles)


def titles(address: Path) -> list[str]:
    with store_at(address) as store:
        assert [document.title for document in store] == list(store.titles())
        return list(store.titles())


def state_of(address: Path) -> StateTable:
    return StateTable(Tables(place_text(address)))


def test_while_one_writes_another_machine_is_told(bucket_address: Path, machine: Machine) -> None:
    write(bucket_address, "Old")
    with new_store_at(bucket_address) as store, store.writer() as writer:
        writer.add([Document("First", "Text.")])
        machine("second")
        with pytest.raises(StoreBusyError, match=rf"being written .*{os.getpid()} on "):
            write(bucket_address, "Second")
        machine("first")
        assert titles(bucket_address) == ["Old"], "nothing is seen before it is published"
    assert titles(bucket_address) == ["Old", "First"]
    machine("second")
    write(bucket_address, "Second")
    assert titles(bucket_address) == ["Old", "First", "Second"]


def test_while_one_writes_another_process_is_told(disk_address: Path, machine: Machine) -> None:
    with (
        new_store_at(disk_address) as store,
        store.writer(),
        pytest.raises(StoreBusyError, match="another process of this machine"),
    ):
        write(disk_address, "Second")


def test_one_that_slept_is_told_and_the_other_stays(
    disk_address: Path, machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(disk_address, "Old")
    monkeypatch.setattr(Claim, "_beat", lambda _: None)
    with (
        pytest.raises(StoreBusyError, match="written by another process meanwhile"),
        new_store_at(disk_address) as store,
        store.writer() as writer,
    ):
        writer.add([Document("Slept", "Text.")])
        machine("second")
        write(disk_address, "Awake")
        machine("first")
    assert titles(disk_address) == ["Old", "Awake"]
    write(disk_address, "Slept")
    assert titles(disk_address) == ["Old", "Awake", "Slept"]


def test_of_two_that_waited_for_a_dead_writer_one_goes_on(
    disk_address: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Claim, "_beat", lambda _: None)
    monkeypatch.setattr(claim, "CLAIM_TIMEOUT_SECONDS", 0)
    dead = Claim(place_text(disk_address), state_of(disk_address))
    dead.__enter__()
    second = Claim(place_text(disk_address), state_of(disk_address))
    waits = second._wait

    def quicker_than_the_second(seen: State) -> State:
        Claim(place_text(disk_address), state_of(disk_address)).__enter__()
        return waits(seen)

    monkeypatch.setattr(second, "_wait", quicker_than_the_second)
    with pytest.raises(StoreBusyError):
        second.__enter__()


def test_a_commit_whose_answer_was_lost_is_no_others(
    disk_address: Path, machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(disk_address, "Old")
    commit = StateTable.commit
    lost: list[State] = []

    def loses_answers(table: StateTable, state: State) -> None:
        version = table.version
        commit(table, state)
        if len(lost) < 3:  # the claim, a sign of life or the release, and what is published
            lost.append(state)
            table.version = version
            raise LacunaError("The answer was lost.")

    monkeypatch.setattr(StateTable, "commit", loses_answers)
    write(disk_address, "New")
    assert lost
    assert titles(disk_address) == ["Old", "New"]


def test_a_failed_publication_is_given_up_for_the_next_writer(
    disk_address: Path, machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(disk_address, "Old")
    commit = StateTable.commit

    def fails_to_publish(table: StateTable, state: State) -> None:
        if state.generation == 2:
            raise LacunaError("No room.")
        commit(table, state)

    with monkeypatch.context() as patch:
        patch.setattr(StateTable, "commit", fails_to_publish)
        with pytest.raises(LacunaError, match="No room"):
            write(disk_address, "New")
    state = state_of(disk_address).read()
    assert state
    assert not state.writer, "nobody has to wait for it"


def test_what_is_published_is_never_cleared_away(
    disk_address: Path, machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(publish, "CLEARED_EVERY", 1)
    monkeypatch.setattr(publish, "KEPT", timedelta(0))
    monkeypatch.setattr(publish, "STAYING", 1)
    write(disk_address, "Old")

    def dies(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Claim, "publish", dies)
        with pytest.raises(KeyboardInterrupt):  # rows are there that were never published
            write(disk_address, "Lost")
    machine("second")
    with new_store_at(disk_address) as store, store.writer() as writer:
        writer.add([Redirect("Older", "Old")])
    assert titles(disk_address) == ["Old"]
    for title in "ABC":
        write(disk_address, title)
    assert titles(disk_address) == ["Old", "A", "B", "C"]


WRITE_AND_WAIT = """
    import sys
    from pathlib import Path
    from lacuna.corpus.store import new_store_at
    from lacuna_scale.lance import publish
    from lacuna.types import Document

    if sys.argv[2] == "publishing":
        def stop(*_):
            print("ready", flush=True)
            sys.stdin.read()
        publish.build_indexes = stop
    with new_store_at(Path(sys.argv[1])) as store, store.writer() as writer:
        writer.add(Document(f"T{number}", "Text.") for number in range(20))
        if sys.argv[2] == "reading":
            print("ready", flush=True)
            sys.stdin.read()
"""


@pytest.mark.parametrize("step", ["reading", "publishing"])
def test_a_killed_writer_leaves_no_half_corpus_and_its_work_is_not_lost(
    disk_address: Path, machine: Machine, step: str
) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(WRITE_AND_WAIT), str(disk_address), step],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout
    assert process.stdout.readline() == "ready\n"
    with pytest.raises(Exception, match="There is no corpus at"):
        store_at(disk_address)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    machine("second")
    write(disk_address, "Other")
    assert titles(disk_address) == ["Other"]
    machine("first")
    write(disk_address, "Mine")
    assert titles(disk_address) == ["Other", "Mine"], "what was based on nothing is read again"


def test_who_reads_stays_with_one_generation_whatever_others_find(
    disk_address: Path, machine: Machine
) -> None:
    write(disk_address, "Old")
    with store_at(disk_address) as store:
        with store.reading():
            write(disk_address, "New")
            with ThreadPoolExecutor(1) as pool:
                assert pool.submit(lambda: store.generation).result() == 2
            assert list(store.titles()) == ["Old"]
            assert store.resolve("New") is None
        assert list(store.titles()) == ["Old", "New"]
