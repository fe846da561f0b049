"""One system call fails, once or from then on: the store is as before or as after, never between.

`strace` makes the calls fail. A run without faults says which calls there are; each round lets one
of them fail in one command, in whichever of its threads and child processes makes so many of them.
"""

from __future__ import annotations

import os
import random
import re
import shutil
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib.util import cache_from_source, find_spec
from pathlib import Path

import pytest

from lacuna.corpus.check import check_store
from lacuna.corpus.refresh import refresh_source
from lacuna.corpus.store import Store
from lacuna.errors import LacunaError
from lacuna.retrieve.bm25 import Bm25Retriever
from lacuna_collect.board.board import Board

Rounds = Callable[..., Iterator[random.Random]]
Documents = dict[str, str]
FAULTS = {
    "write": ("EIO", "ENOSPC"),
    "pwrite64": ("EIO", "ENOSPC"),
    "fsync": ("EIO", "ENOSPC"),
    "fdatasync": ("EIO", "ENOSPC"),
    "rename": ("EIO", "ENOSPC"),
    "unlink": ("EIO",),
    "openat": ("EMFILE", "EIO", "ENOSPC"),
    "read": ("EIO",),
    "pread64": ("EIO",),
    "fcntl": ("ENOLCK", "ENOSPC"),
    "flock": ("ENOLCK",),
    "ftruncate": ("EIO", "ENOSPC"),
    "mmap": ("ENOMEM", "EMFILE"),
    "pipe2": ("EMFILE",),
    "vfork": ("EAGAIN",),
}
"""The system calls that may fail, and how."""
OWN = "lacuna/cli/app"
"""From the first call for this file on, errors are ours to tell and no longer the interpreter's."""
CALL = re.compile(r"^(\d+) +(\w+)\(", re.MULTILINE)
SECONDS = 120
PAGES = 4
LEFT_OUT = "it cannot be read: Input/output error"
"""What one document may be skipped for, until the next run."""


def page(number: int, version: int = 0) -> str:
    keyword, after = f"word{number}x{version}", f"p{(number + 1) % PAGES}.md"
    return f"# Page {number}\n\nThe keyword of page {number} is {keyword}. See [next]({after}).\n"


@dataclass(frozen=True)
class Command:
    """A command, and what it works on."""

    name: str
    arguments: tuple[str, ...]
    has_corpus: bool = True
    """Whether there is one at first."""


@dataclass(frozen=True)
class Survey:
    """What a command does where nothing fails."""

    after: list[object]
    """The state that it leaves."""
    out: str
    """What it prints."""
    calls: Sequence[tuple[str, int]]
    """The calls that it makes, each as the so-and-so-many-th of its thread."""


QUESTION = "What is the keyword of page 2?"
COMMANDS = (
    Command("index", ("index", "notes", "--out", "corpus"), has_corpus=False),
    Command("index again", ("index", "notes", "--out", "corpus")),
    Command("remove", ("corpus", "remove", "corpus", "Page 2")),
    Command("backup", ("corpus", "backup", "corpus", "copy")),
    Command("ask", ("ask", QUESTION, "--corpus", "corpus")),
    Command("ask a folder", ("ask", QUESTION, "--corpus", "notes"), has_corpus=False),
    Command("board", ("board", "init", "board", "--title", "A board"), has_corpus=False),
)


@dataclass(frozen=True)
class Fault:
    """A call that fails: the so-and-so-many-th of a thread, or every one from then on."""

    call: str
    error: str
    number: int
    on: bool

    @property
    def injection(self) -> str:
        return f"inject={self.call}:error={self.error}:when={self.number}{'+' if self.on else ''}"


class Room:
    """A folder with documents, the corpus that commands change, and its states to begin with."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.notes, self.corpus, self.cache = folder / "notes", folder / "corpus", folder / "cache"
        self._kept = folder / "kept"
        self._log = folder / "calls"
        self._surveys: dict[str, Survey] = {}
        self.failed = 0
        """In how many runs a call did fail: not every run makes as many."""

    def write_notes(self, version: int) -> None:
        """The documents: of version 1, one has changed, one is new, and one is gone."""
        self.notes.mkdir(exist_ok=True)
        for number in range(PAGES + version):
            changed = version if number in (1, PAGES) else 0
            (self.notes / f"p{number}.md").write_text(page(number, changed))
        if version:
            (self.notes / "p2.md").unlink()

    def begin(self, command: Command) -> None:
        """As it was when this command is given."""
        for name in ("corpus", "copy", "board", "cache", "notes"):
            shutil.rmtree(self.folder / name, ignore_errors=True)
        self.write_notes(0)
        if command.has_corpus:
            if not self._kept.exists():
                self.refresh()
                shutil.copytree(self.corpus, self._kept)
            else:
                shutil.copytree(self._kept, self.corpus)
        if command.name == "index again":
            self.write_notes(1)

    def refresh(self) -> None:
        with Store.create(self.corpus) as store, store.writer() as writer:
            refresh_source(writer, self.notes)

    def run(self, command: Command, *options: str) -> subprocess.CompletedProcess[str]:
        tool = shutil.which("strace")
        assert tool
        environment = {**os.environ, "LACUNA_CACHE": str(self.cache), "OMP_NUM_THREADS": "1"}
        return subprocess.run(
            [
                tool,
                "-f",
                "-qq",
                "-o",
                str(self._log),
                *options,
                sys.executable,
                "-P",
                "-m",
                "lacuna",
                *command.arguments,
            ],
            cwd=self.folder,
            env=environment,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=SECONDS,
            check=False,
        )

    def has_failed(self) -> bool:
        """Tell if a call was made to fail in the last run."""
        return "(INJECTED)" in self._log.read_text(errors="replace")

    def survey(self, command: Command) -> Survey:
        """Run it without faults, once."""
        if command.name not in self._surveys:
            self._surveys[command.name] = self._surveyed(command)
        return self._surveys[command.name]

    def _surveyed(self, command: Command) -> Survey:
        self.begin(command)
        ran = self.run(command, "-e", f"trace={','.join(FAULTS)}")
        assert ran.returncode == 0, ran.stderr
        counts: Counter[tuple[str, str]] = Counter()
        begun: Counter[str] | None = None
        found: list[tuple[str, int]] = []
        for line in self._log.read_text(errors="replace").splitlines():
            if (called := CALL.match(line)) is None:
                continue
            process, call = called.groups()
            counts[process, call] += 1
            if begun is None and OWN in line:  # the first process is the only one until here
                begun = Counter({call: count for (_, call), count in counts.items()})
            # Each process and thread counts for itself: of fewer calls, the interpreter dies first.
            if begun is not None and counts[process, call] > begun[call]:
                found.append((call, counts[process, call]))
        return Survey(self.state(), ran.stdout, found)

    def state(self) -> list[object]:
        """The documents of the corpus and of its copy, and the title of the board."""
        return [self.documents("corpus"), self.documents("copy"), self.board()]

    def board(self) -> str | None:
        """The title of the board; None where there is none."""
        try:
            board = Board.open(self.folder / "board")
        except LacunaError as error:
            if "is no board" in str(error):
                return None
            raise
        board.database.close()
        return board.settings.title

    def documents(self, name: str) -> Documents | None:
        """What a corpus has; None where there is none. Each document is found, too."""
        try:
            opened = Store.open(self.folder / name)
        except LacunaError as error:
            if "is not a store" in str(error):
                return None
            raise
        with opened as store:
            found = {document.title: document.text for document in store}
            store.graph()
            search = Bm25Retriever(store)
            for title, text in found.items():
                word = re.search(r"word\w+", text)
                assert word
                assert [hit.title for hit in search.search(word[0])] == [title]
            return found


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Room:
    if shutil.which("strace") is None:
        pytest.skip("strace is not installed")
    room = Room(tmp_path_factory.mktemp("faults"))
    if room.run(Command("", ("--version",)), "-e", "trace=none").returncode:
        pytest.skip("strace may not trace here")
    return room


def drawn(rng: random.Random, calls: Sequence[tuple[str, int]]) -> Fault:
    """Any call that was made; of rare kinds as often as of common ones."""
    by_kind: defaultdict[str, list[int]] = defaultdict(list)
    for call, number in calls:
        by_kind[call].append(number)
    call = rng.choice(sorted(by_kind))
    return Fault(call, rng.choice(FAULTS[call]), rng.choice(by_kind[call]), rng.random() < 0.3)


def wrong_after(room: Room, command: Command, fault: Fault) -> list[str]:
    """Let a call fail in a command; what should not have come of it."""
    survey = room.survey(command)
    room.begin(command)
    before = room.state()
    try:
        ran = room.run(command, "-e", f"trace={fault.call}", "-e", fault.injection)
    except subprocess.TimeoutExpired:
        return ["it did not end"]
    room.failed += room.has_failed()
    told = ran.stdout + ran.stderr
    wrong = []
    if ran.returncode not in (0, 1, 2):
        wrong.append(f"exit code {ran.returncode}")
    # Python's own hashlib writes one of its own where it cannot be loaded.
    if "Exception ignored" in told or ("Traceback" in told and "code for hash" not in told):
        wrong.append("a traceback")
    if ran.returncode and not ran.stderr and fault.call != "write":
        wrong.append("nothing is told")
    try:
        now = room.state()
    except LacunaError as error:
        return [*wrong, f"what is left cannot be read: {error}", told]
    # A corpus without documents is none yet.
    if now not in (before, survey.after) and (before[0] or now[0] or now[1:] != before[1:]):
        wrong.append("what is left is neither before nor after")
    if ran.returncode == 0 and LEFT_OUT not in told:
        if now != survey.after:
            wrong.append("exit code 0, and the work is not done")
        if ran.stdout != survey.out:
            wrong.append("exit code 0, and something else is printed")
    if now[0] is not None:
        wrong += map(str, check_store(room.corpus, deep=True).problems)
    if command.name.startswith("index"):
        room.refresh()
        if room.state() != survey.after:
            wrong.append("indexed again, it is not as after")
    return [*wrong, f"exit code {ran.returncode}: {told[-3000:]}"] if wrong else []


def test_a_call_fails(room: Room, rounds: Rounds) -> None:
    counts: Counter[str] = Counter()
    for rng in rounds(at_least=6):
        command = rng.choice(COMMANDS)
        fault = drawn(rng, room.survey(command).calls)
        counts[f"{command.name}: {fault.call}"] += 1
        assert not (wrong := wrong_after(room, command, fault)), (command.name, fault, wrong)
    print(counts.total(), "faults,", room.failed, "took place:", dict(sorted(counts.items())))


@pytest.mark.parametrize(
    ("module", "error"),
    [("lacuna.corpus.formats.isolated_worker", "EMFILE"), ("markdown_it", "EIO")],
)
def test_a_parser_cannot_be_loaded(room: Room, module: str, error: str) -> None:
    """What the process that reads documents needs, and no other one."""
    command = COMMANDS[1]
    room.begin(command)
    before = room.state()
    found = find_spec(module)
    assert found is not None
    assert found.origin is not None
    places = (found.origin, cache_from_source(found.origin))
    ran = room.run(
        command,
        *(option for place in places for option in ("-P", place)),
        *("-e", "trace=openat", "-e", f"inject=openat:error={error}:when=1+"),
    )
    assert room.has_failed()
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr.startswith("Error: The process that reads documents could not be started")
    assert room.state() == before
    room.refresh()
    assert room.state() == room.survey(command).after
