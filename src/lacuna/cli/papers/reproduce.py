"""``lacuna reproduce``: the tables and figures of a paper, ours beside the paper's."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lacuna.cli.options import Json, OnRay

if TYPE_CHECKING:
    from lacuna.reproduce.reproduction import Reproduction


def reproduce(
    paper: Annotated[
        str | None,
        typer.Argument(
            metavar="[PAPER]",
            help="iirc, hotpotqa, gapqa or quac; without one, all tables are listed.",
            show_default=False,
        ),
    ] = None,
    table: Annotated[
        str | None,
        typer.Argument(
            metavar="[TABLE]",
            help="One of its tables or figures, such as table-3 or figure-5; without one, all.",
            show_default=False,
        ),
    ] = None,
    data: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="The folder with the datasets, as `lacuna train` has it."),
    ] = None,
    runs: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="A folder with trained networks, known by their recipes."),
    ] = None,
    sheets: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="A folder with labelling sheets that people filled."),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Write a page there, PAPER.md, with its figures."),
    ] = None,
    cache: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Keep answers there instead of in the cache folder."),
    ] = None,
    quick: Annotated[
        bool,
        typer.Option("--quick", help="Take the demo instead of datasets: a minute for all tables."),
    ] = False,
    only_kept: Annotated[
        bool,
        typer.Option("--only-kept", help="Run no system: take the answers of earlier runs."),
    ] = False,
    as_json: Json = False,
    ray: OnRay = None,
) -> None:
    """Make the tables and figures of a paper again, and print them beside the paper's numbers.

    Files are counted as `lacuna describe` does, and systems run as `lacuna evaluate` and `lacuna
    evaluate-retrieval` do. Answers are kept: after Ctrl-C, or with another table, the same
    command goes on from them. What cannot be had is a row with the reason. Where a file is broken,
    the rest is made, and the exit code is 1.
    """
    from lacuna.cli.cluster import answering_at
    from lacuna.cli.console import counting_bar, notify, print_json, warn
    from lacuna.cli.outputs import check_output_folder, check_outputs
    from lacuna.errors import LacunaError
    from lacuna.figures.style import need_matplotlib
    from lacuna.reproduce.papers import find_paper
    from lacuna.reproduce.reproduction import reproduce as make
    from lacuna.reproduce.workbench import Workbench

    if paper is None:
        _list(as_json)
        return
    chosen = find_paper(paper)
    entries = None if table is None else [chosen.entry(table)]
    if quick == (data is not None):
        raise LacunaError(
            "Give the folder with the datasets as --data DIR, or --quick for the demo."
        )
    page = chosen.name if entries is None else f"{chosen.name}-{entries[0].name}"
    if out is not None:
        need_matplotlib()
        check_outputs([out / f"{page}.md"], reads=[data, runs, sheets])
    if cache is not None:
        check_output_folder(cache, reads=[data, runs, sheets])
    with answering_at(ray) as elsewhere:
        bench = Workbench(
            data=data,
            runs=runs,
            sheets=sheets,
            cache=cache,
            quick=quick,
            only_kept=only_kept,
            progress=counting_bar,
            elsewhere=elsewhere,
        )
        made = make(chosen, bench, entries)
    if as_json:
        print_json(made.as_json())
    else:
        _print(made)
    if out is not None:
        notify(f"{made.write(out, page)} is written.", "Done")
    for problem in dict.fromkeys(bench.problems):
        warn(problem)
    if bench.problems:
        raise typer.Exit(1)


def _print(made: Reproduction) -> None:
    from lacuna.cli.console import say
    from lacuna.cli.papers.printing import print_parts

    for each in made.made:
        say(f"\n{each.entry.heading}\n")
        print_parts({}, each.parts, as_json=False)


def _list(as_json: bool) -> None:
    from lacuna.cli.console import print_json, print_table
    from lacuna.reproduce.papers import PAPERS
    from lacuna.reproduce.published import published

    if as_json:
        print_json(
            {
                name: {
                    entry.name: {"title": entry.title, "needs": entry.needs}
                    for entry in paper.entries
                }
                for name, paper in PAPERS.items()
            }
        )
        return
    for name, paper in PAPERS.items():
        rows = [(entry.name, entry.title, ", ".join(entry.needs)) for entry in paper.entries]
        print_table(f"{name}: {published(name).title}", ("name", "shows", "needs"), rows)
