"""Many pairs talk at once on a collecting server: how fast words arrive, and whether all is kept.

The server is `lacuna collect serve` in a process of its own, over a project made for this. Pairs of
scripted people wait, get partners and hold one dialog each at the same time, over WebSockets, each
from an address of their own; before each question and answer they think for a while. Delivery is
the time from being sent by one to being there at the other, with the write to the disk in between.
With --kills, they hold one more dialog each, during which the server is killed (SIGKILL) so many
times and started again. At the end all acknowledged questions are looked for in the export.

    python -m benchmarks dialog-load --pairs 50 --kills 1
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from random import Random
from statistics import quantiles

from benchmarks.collecting.dialog_project import dialog_project, let_in
from benchmarks.collecting.killed_server import KilledServer
from benchmarks.measure import timed
from benchmarks.registry import command
from lacuna_collect.people.accounts import LoginSession
from lacuna_collect.project import CollectProject
from lacuna_collect.simulate.people import ScriptedTalker, TalkDiary, line_to

TIMEOUT_SECONDS = 900.0
KILL_WITHIN = 20.0
HEAD = (
    "| part | delivered | p50 | p95 | p99 | longest |",
    "|---|---|---|---|---|---|",
)


def main(arguments: Sequence[str]) -> None:
    """Let people talk, and print the figures."""
    parser = command("dialog-load", __doc__)
    parser.add_argument("--pairs", type=int, default=50)
    parser.add_argument("--think", type=float, default=4, help="seconds before each message")
    parser.add_argument("--kills", type=int, default=0)
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as held:
        folder = Path(held)
        sections = options.pairs * (2 if options.kills else 1)
        project = timed(f"{sections} sections made", lambda: dialog_project(folder, sections))
        with CollectProject.open(project) as opened:
            people = [let_in(opened, f"Talker {number}") for number in range(2 * options.pairs)]
        server = KilledServer(project, folder / "log")
        server.start()
        rows, parts = [], []
        try:
            before = server.processor_seconds()
            whole = asyncio.run(_talk(server, people, options.think, kills=0))
            used = server.processor_seconds() - before
            parts.append(whole)
            rows.append(_row(f"{options.pairs} pairs at once", whole))
            print(f"the server took {used:.1f} s of processor, {server.megabytes():.0f} MB")
            if options.kills:
                cut = asyncio.run(_talk(server, people, options.think, kills=options.kills))
                parts.append(cut)
                rows.append(_row(f"with {options.kills} kills", cut))
        finally:
            server.stop()
        print("", *HEAD, *rows, "", sep="\n")
        for part in parts:
            print(f"what happened: {dict(part.happened)}")
        if not _is_whole(project, folder / "out", parts):
            sys.exit(1)


async def _talk(
    server: KilledServer, people: Sequence[LoginSession], think: float, *, kills: int
) -> TalkDiary:
    """One dialog of everybody, all at the same time."""
    diary = TalkDiary()
    address = f"http://127.0.0.1:{server.port}"
    talkers = []
    for number, session in enumerate(people):
        cookie = f"lacuna-collect-{server.port}={session.token}"
        own = f"127.0.{1 + number // 200}.{1 + number % 200}"
        line = line_to(address, cookie, own)
        talkers.append(
            ScriptedTalker(line, session.csrf, diary, Random(f"{number} {kills}"), think)
        )
    begun = time.monotonic()
    killing = server.kill_now_and_then(kills, KILL_WITHIN, Random()) if kills else asyncio.sleep(0)
    talking = (talker.talk(1, begun + TIMEOUT_SECONDS) for talker in talkers)
    ended, _ = await asyncio.gather(asyncio.gather(*talking), killing)
    load = " ".join(f"{one:.1f}" for one in os.getloadavg())
    print(
        f"{sum(ended)} of {len(people)} people have ended a dialog after "
        f"{time.monotonic() - begun:.0f} s; load average {load}",
        flush=True,
    )
    return diary


def _row(what: str, diary: TalkDiary) -> str:
    took = diary.delivery_seconds
    cuts = quantiles(took, n=100, method="inclusive")
    waits = (cuts[49], cuts[94], cuts[98], max(took))
    cells = " | ".join(f"{1000 * wait:,.0f} ms" for wait in waits)
    return f"| {what} | {len(took):,} | {cells} |"


def _is_whole(project: Path, out: Path, parts: Sequence[TalkDiary]) -> bool:
    """Look for everything that was acknowledged; whether each dialog is whole and there once."""
    with CollectProject.open(project) as opened:
        opened.export(out)
    items = json.loads((out / "train.json").read_text(encoding="utf-8"))["data"]
    exported = {
        item["paragraphs"][0]["id"]: [qa["question"] for qa in item["paragraphs"][0]["qas"]]
        for item in items
    }
    told = {
        f"dialog-{dialog}": [text for _, text in sorted(asked.items())]
        for part in parts
        for dialog, asked in part.acknowledged.items()
    }
    long_enough = {name: asked for name, asked in told.items() if len(asked) >= 3}
    wrong = [name for name, asked in long_enough.items() if exported.get(name) != asked]
    print(
        f"dialogs held: {len(told)}, in the export: {len(exported)} "
        f"({len(items) - len(exported)} twice), of at least three questions: {len(long_enough)}, "
        f"not whole in the export: {len(wrong)}; questions acknowledged: "
        f"{sum(map(len, told.values())):,}, exported: {sum(map(len, exported.values())):,}"
    )
    return not wrong and len(items) == len(exported)
