"""People work over HTTP while the server is killed and a backup is made: nothing is lost."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from random import Random

from benchmarks.collecting.busy_person import PeopleSeen
from benchmarks.collecting.crowd_at_work import CrowdAtWork
from benchmarks.collecting.kept_work import drafts_lost, exported_wrongly, kept_work
from benchmarks.collecting.killed_server import KilledServer
from benchmarks.collecting.large_project import large_project
from lacuna.collect.keeping import back_up_project, restore_project

PEOPLE, SECONDS, KILLS = 10, 10, 3


def test_nothing_that_people_were_told_is_lost(tmp_path: Path) -> None:
    project = large_project(tmp_path, 60, "")
    server = KilledServer(project, tmp_path / "log")
    server.start()
    crowd = CrowdAtWork(project, server.port, think=0.3, saves=3)
    backup_begun = 0.0

    async def back_up() -> None:
        nonlocal backup_begun
        await asyncio.sleep(SECONDS / 2)
        backup_begun = time.monotonic()
        await asyncio.to_thread(back_up_project, project, tmp_path / "backup")

    async def happen() -> None:
        await asyncio.gather(server.kill_now_and_then(KILLS, SECONDS * 0.8, Random()), back_up())

    async def work() -> PeopleSeen:
        await crowd.arrive(PEOPLE)
        seen = await crowd.work(SECONDS, happen())
        crowd.leave()
        return seen

    try:
        seen = asyncio.run(work())
    finally:
        server.stop()
    assert server.kills == KILLS
    assert not [what for what in seen.happened if "refused" in what]
    kept = kept_work(project, seen.handed_in)
    assert kept.acknowledged
    assert kept.is_whole, kept
    assert drafts_lost(project, crowd.drafts()) == 0
    assert exported_wrongly(project, tmp_path / "out") == 0
    restore_project(tmp_path / "backup", tmp_path / "restored")
    before = [one for one in seen.handed_in if one.at < backup_begun]
    assert kept_work(tmp_path / "restored", before).is_whole
