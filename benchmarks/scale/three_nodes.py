"""Three Ray nodes build a corpus at an address and answer questions over it; then it is served.

Everything is done by the commands that people give, on this machine: nodes of one core that are
processes of their own and want a token; then as many servers behind nginx, of which one is killed
while people ask. Afterwards every answer that somebody got is asked for again.

    python -m benchmarks three-nodes --write
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from benchmarks.data import data_file, read_questions
from benchmarks.measure import Run, run
from benchmarks.registry import command
from benchmarks.result_section import replace_section
from benchmarks.scale.first_questions import first_questions
from benchmarks.scale.local_nodes import local_nodes
from benchmarks.serving.own_redis import own_redis
from benchmarks.serving.replicas import Crowd, asking, forgotten, replicas, request
from lacuna.web.sessions import new_token

ABSTRACTS = Path("hotpotqa", "abstracts_pool.jsonl.gz")
QUESTIONS = Path("hotpotqa", "dev.json.gz")
PAGE = Path(__file__).parents[1] / "results" / "scale.md"
HEADING = "Three nodes: index, evaluate, serve"


def main(arguments: Sequence[str]) -> None:
    """Run all of it, and print what is to be told; with --write, put it on the page of results."""
    parser = command("three-nodes", __doc__)
    parser.add_argument("--nodes", type=int, default=3, help="and servers")
    parser.add_argument("--abstracts", type=Path, default=ABSTRACTS)
    parser.add_argument("--questions", type=int, default=200)
    parser.add_argument("--clients", type=int, default=6)
    parser.add_argument("--seconds", type=float, default=60, help="that people ask for")
    parser.add_argument("--write", action="store_true", help=f"to {PAGE.name}")
    options = parser.parse_args(arguments)
    load = os.getloadavg()[0]
    with tempfile.TemporaryDirectory(prefix="lacuna-three-nodes-") as scratch:
        folder = Path(scratch)
        os.environ["LACUNA_CACHE"] = str(folder / "cache")
        corpus = f"file://{folder}/corpus"
        asked = first_questions(
            "hotpotqa", data_file(QUESTIONS), options.questions, folder / "asked.json"
        )
        with local_nodes(options.nodes) as address:
            rows = [
                _indexed(data_file(options.abstracts), corpus, address),
                *_evaluated(asked, corpus, address, folder),
            ]
        served = _served(corpus, asked, options.nodes, options.clients, options.seconds)
    told = _told(arguments, rows, served, load)
    print(told)
    if options.write:
        replace_section(PAGE, HEADING, told)


def _lacuna(*words: str | Path, threads: int | None = None, ray: str = "") -> Run:
    settings = {"LACUNA_RAY": ray}
    if threads is not None:
        settings["LACUNA_THREADS"] = str(threads)
    done = run([sys.executable, "-m", "lacuna", *map(str, words)], settings)
    print(f"# lacuna {words[0]}: {done.wall:.1f} s", file=sys.stderr, flush=True)
    return done


def _indexed(abstracts: Path, corpus: str, address: str) -> str:
    done = _lacuna("index", abstracts, "--out", corpus, "--json", ray=address)
    documents = json.loads(done.output)["documents"]
    return _row("`index` on Ray", f"{documents:,} documents", done, documents, "–")


def _evaluated(asked: Path, corpus: str, address: str, folder: Path) -> list[str]:
    """On the nodes, and in one process for comparison."""
    words = ("evaluate", "hotpotqa", asked, "--setting", "fullwiki", "--corpus", corpus, "--json")
    there = _lacuna(*words, "-o", folder / "there.json", ray=address)
    here = _lacuna(*words, "-o", folder / "here.json", threads=1)
    alike = (folder / "there.json").read_bytes() == (folder / "here.json").read_bytes()
    count = len(json.loads((folder / "here.json").read_text())["answer"])
    compared = "the same predictions, byte by byte" if alike else "OTHER PREDICTIONS"
    return [
        _row("`evaluate` on Ray", f"{count:,} questions", there, count, _scores(there)),
        _row(
            "`evaluate`, one process of one thread", f"{count:,} questions", here, count, compared
        ),
    ]


def _scores(done: Run) -> str:
    found: dict[str, Any] = json.loads(done.output)
    scores = found.get("scores", found)
    shown = [f"{name} {scores[name]:.3f}" for name in ("em", "f1") if name in scores]
    return ", ".join(shown) or "–"


def _served(corpus: str, asked: Path, servers: int, clients: int, seconds: float) -> list[str]:
    token = new_token()
    bodies = [{"question": each.text} for each in read_questions("hotpotqa", asked)]
    rows = []
    with ExitStack() as stack:
        keep_in = stack.enter_context(own_redis()).url
        port, running = stack.enter_context(replicas(servers, token, keep_in, ["--corpus", corpus]))
        for server in running:
            request(server.port, token, "/api/v1/ask", bodies[0])  # the first one is slower
        for happening in (f"{servers} servers", "one killed after half the time"):
            crowd = Crowd()
            with asking(port, token, clients, crowd, bodies):
                time.sleep(seconds / 2)
                if happening.startswith("one killed"):
                    running.pop().process.kill()
                time.sleep(seconds / 2)
            gone = forgotten(running[0].port, token, crowd.answers)
            rows.append(_served_row(happening, crowd, seconds, len(gone)))
    return rows


def _row(what: str, how_much: str, done: Run, count: int, outcome: str) -> str:
    return f"| {what} | {how_much} | {done.wall:.1f} | {count / done.wall:.1f} | {outcome} |"


def _served_row(happening: str, crowd: Crowd, seconds: float, gone: int) -> str:
    p95 = quantiles(crowd.seconds, n=20, method="inclusive")[-1]
    return (
        f"| {happening} | {len(crowd.answers)} | {len(crowd.answers) / seconds:.2f} "
        f"| {median(crowd.seconds):.2f} | {p95:.2f} | {crowd.told} | {len(crowd.lost)} | {gone} |"
    )


def _told(arguments: Sequence[str], rows: Sequence[str], served: Sequence[str], load: float) -> str:
    asked = " ".join(("python -m benchmarks three-nodes", *arguments))
    lines = (
        f"`{asked}`, on {os.cpu_count()} cores with a load of {load:.1f} before it began. The",
        "nodes have one core each and are processes of this machine, as are the head, the command,",
        "the servers, nginx, Redis and those who ask: they share the cores. Times are those of",
        "whole commands, with the start of Python, of the workers and of the model.",
        "",
        "| step | of | seconds | a second | outcome |",
        "|---|---:|---:|---:|---|",
        *rows,
        "",
        "| served | answered | a second | p50, s | p95, s | sent away | lost | forgotten |",
        "|---|---:|---:|---:|---:|---:|---:|---:|",
        *served,
    )
    return "\n".join(lines)
