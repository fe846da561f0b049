"""`lacuna reproduce` and `data mix`: tables and figures, ours beside the paper's."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lacuna.cli.options import Corpora, File, Json

if TYPE_CHECKING:
    from lacuna_lab.reproduce.reproduction import Reproduction


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
    quick: Annotated[
        bool,
        typer.Option("--quick", help="Take the demo instead of datasets: a minute for all tables."),
    ] = False,
    as_json: Json = False,
) -> None:
    """Make a paper's tables and figures again.

    Lacuna prints them beside the paper's numbers. It counts files as `lacuna describe` does, and
    runs systems as `lacuna evaluate` and `lacuna evaluate-retrieval` do. Answers are kept: after
    Ctrl-C, or with another table, the same command goes on from them. What cannot be had is a row
    with the reason. Where a file is broken, the rest is made, and the exit code is 1.
    """
    from lacuna.cli.cluster import answering_elsewhere
    from lacuna.cli.console import counting_bar, notify, print_json, warn
    from lacuna.cli.options import check_outputs
    from lacuna.errors import LacunaError
    from lacuna_lab.figures.shapes import need_matplotlib
    from lacuna_lab.reproduce.reproduction import find_paper
    from lacuna_lab.reproduce.reproduction import reproduce as make
    from lacuna_lab.reproduce.workbench import Workbench

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
    with answering_elsewhere() as elsewhere:
        bench = Workbench(
            data=data,
            runs=runs,
            sheets=sheets,
            quick=quick,
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
    from lacuna_lab.cli.describe import print_parts

    for each in made.made:
        say(f"\n{each.entry.heading}\n")
        print_parts({}, each.parts, as_json=False)


def _list(as_json: bool) -> None:
    from lacuna.cli.console import print_json, print_table
    from lacuna_lab.reproduce.entry import published
    from lacuna_lab.reproduce.reproduction import PAPERS

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


SEED = 1
"""The same questions are drawn every time."""


def mix(
    file: File,
    output: Annotated[Path, typer.Option("--out", "-o", metavar="FILE", help="Where to write it.")],
    squad: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A file of SQuAD 2.0 to take from.")
    ] = None,
    drop: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A file of DROP to take from.")
    ] = None,
    corpus: Corpora = None,
) -> None:
    """Mix questions of SQuAD and DROP, three to one, into a file of IIRC (its section 5).

    Their passages get links to the documents of --corpus that they name, and no question of theirs
    needs one: so a model has to tell whether anything is missing at all. The field `source` of a
    question says where it is from.
    """
    from lacuna.cli.console import notify, print_table, warn
    from lacuna.cli.options import check_outputs
    from lacuna.corpus.open import open_store
    from lacuna.errors import LacunaError
    from lacuna_lab.reproduce.combined import mix as write_mixed

    added = {name: path for name, path in (("squad", squad), ("drop", drop)) if path is not None}
    if not added:
        raise LacunaError("There is nothing to mix in. Give --squad FILE, --drop FILE, or both.")
    check_outputs([output], reads=[file, *added.values(), *(corpus or ())])
    with open_store(corpus) as store:
        counts = write_mixed(file, added, store.known, output, seed=SEED)
    rows = [("iirc", counts.own), *counts.mixed_in.items()]
    print_table(str(output), ("from", "questions"), rows)
    notify(f"{counts.links:,} links were found in what was mixed in.", "Done")
    if counts.without_passage:
        warn(f"Left out of {file}, for want of a passage: {counts.without_passage:,} questions.")
    for name in counts.short:
        had, wanted = counts.mixed_in[name], counts.wanted[name]
        warn(f"{name} has only {had:,} of the {wanted:,} questions that were wanted.")
