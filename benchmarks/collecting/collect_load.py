"""Many people on a collecting server for a while: how long they wait, and whether all is kept.

The server is `lacuna collect serve` in a process of its own, over a project made for this. People
write IIRC's sets of ten questions and answer each other's, over HTTP; they save a draft after each
of several pauses, and a requester looks at the console every 30 seconds. In the middle a backup is
made. Then, with --kills, the server is killed (SIGKILL) so many times at random moments and started
again, while people go on. At the end everything that was acknowledged is looked for, and the tables
of results/collect.md are printed.

    python -m benchmarks collect-load --people 100 --seconds 600 --kills 20
    python -m benchmarks collect-load --people 300 --seconds 600 --kills 20 --postgres
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import tempfile
import time
from argparse import Namespace
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from random import Random

from benchmarks.collecting.busy_person import Drafts, HandedIn, PeopleSeen
from benchmarks.collecting.crowd_at_work import CrowdAtWork
from benchmarks.collecting.kept_work import HEAD, drafts_lost, exported_wrongly, kept_work
from benchmarks.collecting.killed_server import KilledServer
from benchmarks.collecting.large_project import large_project
from benchmarks.collecting.own_postgres import new_postgres_database, own_postgres
from benchmarks.collecting.run_tables import WAITING_HEAD, waiting_rows
from benchmarks.measure import timed
from benchmarks.registry import command

SETS_NEEDED = 0.45
"""Sets to write for each set that is done: the others are answered, most of them once."""


def main(arguments: Sequence[str]) -> None:
    """Let people work, and print the figures."""
    parser = command("collect-load", __doc__)
    parser.add_argument("--people", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--kills", type=int, default=0)
    parser.add_argument("--kill-seconds", type=float, default=180, help="the part with kills")
    parser.add_argument("--think", type=float, default=4, help="seconds before each save")
    parser.add_argument("--saves", type=int, default=10, help="of one set")
    parser.add_argument("--postgres", action="store_true", help="a private one instead of SQLite")
    options = parser.parse_args(arguments)
    all_seconds = options.seconds + (options.kill_seconds if options.kills else 0)
    done = options.people * all_seconds / ((options.saves + 1) * options.think)
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        urls = ["", ""]
        if options.postgres:
            cluster = stack.enter_context(own_postgres(["max_connections=200"]))
            urls = [new_postgres_database(cluster, name) for name in ("project", "restored")]
        sets = round(SETS_NEEDED * done) + options.people
        project = timed(f"{sets:,} sets made", lambda: large_project(folder, sets, urls[0]))
        run = CollectRun(folder, project, urls[1])
        try:
            asyncio.run(run.everything(options))
        finally:
            run.server.stop()
        run.report()


class CollectRun:
    """One server, its people, and what is looked at afterwards."""

    def __init__(self, folder: Path, project: Path, restored_url: str) -> None:
        self._folder = folder
        self._project = project
        self._restored_url = restored_url
        self.server = KilledServer(project, folder / "log")
        self.server.start()
        self._parts: list[PeopleSeen] = []
        self._rows: list[str] = []
        self._backup_begun = 0.0
        self._drafts: Drafts = {}

    async def everything(self, given: Namespace) -> None:
        """All parts, one after another."""
        crowd = CrowdAtWork(self._project, self.server.port, think=given.think, saves=given.saves)
        await crowd.arrive(given.people)
        print(
            f"{given.people} people have come, for whom the server took "
            f"{self.server.processor_seconds():.0f} s of processor; they think {given.think:g} s "
            f"before each of {given.saves} saves",
            flush=True,
        )
        kind = "PostgreSQL" if given.postgres else "SQLite"
        before = self.server.processor_seconds()
        self._parts.append(await crowd.work(given.seconds, self._back_up(given.seconds / 2)))
        used = self.server.processor_seconds() - before
        self._told(f"{kind}, {given.people} people, {given.seconds:.0f} s")
        print(f"the server took {used:.0f} s of processor, {self.server.megabytes():.0f} MB")
        if given.kills:
            within = given.kill_seconds * 0.9
            killing = self.server.kill_now_and_then(given.kills, within, Random())
            self._parts.append(await crowd.work(given.kill_seconds, killing))
            self._told(f"{kind}, {given.kill_seconds:.0f} s with {given.kills} kills")
        self._drafts = crowd.drafts()
        crowd.leave()

    async def _back_up(self, after: float) -> None:
        await asyncio.sleep(after)
        self._backup_begun = time.monotonic()
        command = [sys.executable, "-m", "lacuna", "collect", "backup", str(self._project)]
        done = await asyncio.create_subprocess_exec(
            *command, str(self._folder / "backup"), stderr=asyncio.subprocess.DEVNULL
        )
        assert await done.wait() == 0
        print(f"backup: {time.monotonic() - self._backup_begun:.1f} s", flush=True)

    def _told(self, what: str) -> None:
        seen = self._parts[-1]
        self._rows += waiting_rows(what, seen.seconds)
        load = " ".join(f"{one:.1f}" for one in os.getloadavg())
        print(f"{what}: load average {load}; {dict(seen.happened)}", flush=True)

    def report(self) -> None:
        """Look for everything that was acknowledged, here and in the restored backup."""
        print("", *WAITING_HEAD, *self._rows, "", sep="\n")
        told = [one for part in self._parts for one in part.handed_in]
        kind = "PostgreSQL" if self._restored_url else "SQLite"
        print(*HEAD, f"| {kind} | {kept_work(self._project, told).line()} |", sep="\n")
        restored = self._folder / "restored"
        command = [sys.executable, "-m", "lacuna", "collect", "restore"]
        into = ["--database", self._restored_url] if self._restored_url else []
        subprocess.run(
            [*command, self._folder / "backup", restored, *into],
            check=True,
            stderr=subprocess.DEVNULL,
        )
        kept = kept_work(restored, self._before_backup(told))
        print(f"| its backup, restored | {kept.line()} |", "", sep="\n")
        lost = drafts_lost(self._project, self._drafts)
        print(f"drafts of sets that were not handed in: {len(self._drafts):,}, lost: {lost}")
        wrong = exported_wrongly(self._project, self._folder / "out")
        print(f"questions that are not in the export once: {wrong}", flush=True)

    def _before_backup(self, told: Sequence[HandedIn]) -> list[HandedIn]:
        return [one for one in told if one.at < self._backup_begun]
