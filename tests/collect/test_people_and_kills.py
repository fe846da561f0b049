"""People work over HTTP while the server is killed and a backup is made: nothing is lost."""

from __future__ import annotations

import asyncio
import math
import time
from pathlib import Path
from random import Random

from benchmarks.collecting.busy_person import PeopleSeen
from benchmarks.collecting.crowd_at_work import CrowdAtWork
from benchmarks.collecting.kept_work import drafts_lost, exported_wrongly, kept_work
from benchmarks.collecting.killed_server import KilledServer
from benchmarks.collecting.large_project import large_project

from lacuna_collect.project import back_up_project, restore_project

PEOPLE, KILLS = 10, 3
KILLED_WITHIN = 8.0
TIMEOUT_SECONDS = 240.0
"""Seconds after which people stop in any case; on a quiet machine they need about fifteen."""


def test_nothing_that_people_were_told_is_lost(tmp_path: Path) -> None:
    project = large_project(tmp_path, 60, "")
    server = KilledServer(project, tmp_path / "log")
    server.start()
    crowd = CrowdAtWork(project, server.port, think=0.3, saves=3)
    seen = PeopleSeen()
    last_possible = time.monotonic() + TIMEOUT_SECONDS
    backup_begun, kills_over = 0.0, math.inf

    def acknowledged_since(moment: float) -> bool:
        return any(one.at > moment and not one.is_test for one in seen.handed_in)

    def goes_on() -> bool:
        return time.monotonic() < last_possible and not acknowledged_since(kills_over)

    async def back_up() -> None:
        nonlocal backup_begun
        while goes_on() and not acknowledged_since(0):
            await asyncio.sleep(0.05)
        backup_begun = time.monotonic()
        await asyncio.to_thread(back_up_project, project, tmp_path / "backup")

    async def kill() -> None:
        nonlocal kills_over
        await server.kill_now_and_then(KILLS, KILLED_WITHIN, Random())
        kills_over = time.monotonic()

    async def happen() -> None:
        await asyncio.gather(kill(), back_up())

    async def work() -> None:
        await crowd.arrive(PEOPLE)
        await crowd.work_while(goes_on, seen, happen())
        crowd.leave()

    try:
        asyncio.run(work())
    finally:
        server.stop()
    assert server.kills == KILLS
    assert not [what for what in seen.happened if "refused" in what]
    kept = kept_work(project, seen.handed_in)
    assert acknowledged_since(kills_over), "nobody got anything done after the kills"
    assert kept.is_whole, kept
    assert drafts_lost(project, crowd.drafts()) == 0
    assert exported_wrongly(project, tmp_path / "out") == 0
    restore_project(tmp_path / "backup", tmp_path / "restored")
    before = [one for one in seen.handed_in if one.at < backup_begun]
    assert [one for one in before if not one.is_test]
    assert kept_work(tmp_path / "restored", before).is_whole
