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
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from lacuna.corpus.check import check_store
from lacuna.corpus.refresh import refresh_source
from lacuna.corpus.store import Store
from lacuna.errors import LacunaError
from lacuna.retrieve.bm25 import Bm25Retriever

Rounds = Callable[[], Iterator[random.Random]]
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
REASONS = ("Input/output error", "No space left", "Too many open files", "No locks available")


def page(number: int, version: int = 0) -> str:
    keyword, after = f"word{number}x{version}", f"p{(number + 1) % PAGES}.md"
    return f"# Page {number}\n\nThe keyword of page {number} is {keyword}. See [next]({after}).\n"


@dataclass(frozen=True)
class Command:
    """A command, and the documents of the corpus before and after it."""

    name: str
    arguments: tuple[str, ...]
    before: Documents | None
    after: Documents | None
    out: str = ""
    """What it prints when it ends well, where that does not change."""


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
        self.calls: dict[str, list[tuple[str, int]]] = {}

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
        for path in (self.corpus, self.cache, self.notes):
            shutil.rmtree(path, ignore_errors=True)
        self.write_notes(0)
        if command.before is not None:
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
            [tool, "-f", "-qq", *options, sys.executable, "-P", "-m", "lacuna", *command.arguments],
            cwd=self.folder,
            env=environment,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=SECONDS,
            check=False,
        )

    def survey(self, command: Command) -> Command:
        """Run it without faults, and note which calls it makes of each thread."""
        self.begin(command)
        log = self.folder / "calls"
        ran = self.run(command, "-o", str(log), "-e", f"trace={','.join(FAULTS)}")
        assert ran.returncode == 0, ran.stderr
        counts: Counter[tuple[str, str]] = Counter()
        begun: Counter[str] | None = None
        found: list[tuple[str, int]] = []
        for line in log.read_text(errors="replace").splitlines():
            if (called := CALL.match(line)) is None:
                continue
            process, call = called.groups()
            counts[process, call] += 1
            if begun is None and OWN in line:  # the first process is the only one until here
                begun = Counter({call: count for (_, call), count in counts.items()})
            # Each process and thread counts for itself: of fewer calls, the interpreter dies first.
            if begun is not None and counts[process, call] > begun[call]:
                found.append((call, counts[process, call]))
        self.calls[command.name] = found
        return Command(
            command.name, command.arguments, command.before, self.documents(), ran.stdout
        )

    def documents(self) -> Documents | None:
        """What the corpus has; None where there is none. Each document is found, too."""
        try:
            opened = Store.open(self.corpus)
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
    return Room(tmp_path_factory.mktemp("faults"))


@pytest.fixture(scope="module")
def commands(room: Room) -> list[Command]:
    """What is tried, as it ends without faults."""
    if room.run(Command("", ("--version",), None, None), "-e", "trace=none").returncode:
        pytest.skip("strace may not trace here")
    there: Documents = {}
    question = "What is the keyword of page 2?"
    return [
        room.survey(command)
        for command in (
            Command("index", ("index", "notes", "--out", "corpus"), None, None),
            Command("index again", ("index", "notes", "--out", "corpus"), there, None),
            Command("remove", ("corpus", "remove", "corpus", "Page 2"), there, None),
            Command("ask", ("ask", question, "--corpus", "corpus"), there, None),
            Command("ask a folder", ("ask", question, "--corpus", "notes"), None, None),
        )
    ]


def drawn(rng: random.Random, calls: list[tuple[str, int]]) -> Fault:
    """Any call that was made; of rare kinds as often as of common ones."""
    by_kind: defaultdict[str, list[int]] = defaultdict(list)
    for call, number in calls:
        by_kind[call].append(number)
    call = rng.choice(sorted(by_kind))
    return Fault(call, rng.choice(FAULTS[call]), rng.choice(by_kind[call]), rng.random() < 0.3)


def wrong_after(room: Room, command: Command, fault: Fault) -> list[str]:
    """Let a call fail in a command; what should not have come of it."""
    room.begin(command)
    before = room.documents()
    options = ("-o", os.devnull, "-e", f"trace={fault.call}", "-e", fault.injection)
    try:
        ran = room.run(command, *options)
    except subprocess.TimeoutExpired:
        return ["it did not end"]
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
        now = room.documents()
    except LacunaError as error:
        return [*wrong, f"the corpus cannot be read: {error}", told]
    if now not in (before, command.after, {} if before is None else before):
        wrong.append("the corpus is neither before nor after")
    left_out = any(reason in told for reason in REASONS)
    if ran.returncode == 0 and now != command.after and not left_out:
        wrong.append("exit code 0, and the work is not done")
    if ran.returncode == 0 and ran.stdout != command.out and not left_out:
        wrong.append("exit code 0, and something else is printed")
    if room.corpus.exists() and now is not None:
        wrong += map(str, check_store(room.corpus, deep=True).problems)
    if command.name.startswith("index"):
        room.refresh()
        if room.documents() != command.after:
            wrong.append("indexed again, it is not as after")
    if wrong:
        wrong.append(f"exit code {ran.returncode}: {told[-3000:]}")
    return wrong


def test_a_call_fails(room: Room, commands: list[Command], rounds: Rounds) -> None:
    counts: Counter[str] = Counter()
    for rng in rounds():
        command = rng.choice(commands)
        fault = drawn(rng, room.calls[command.name])
        counts[f"{command.name}: {fault.call}"] += 1
        assert not (wrong := wrong_after(room, command, fault)), (command.name, fault, wrong)
    print(counts.total(), "faults", dict(counts))
