"""``lacuna corpus info|show|links|path|export|remove``: what a corpus holds."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from lacuna.cli.options import Json, StoreFolder, Title


def info(
    corpus: StoreFolder,
    skipped: Annotated[
        bool, typer.Option("--skipped", help="List what gave no document, and why.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Count what a corpus holds, and name the missing documents that most links lead to."""
    from dataclasses import asdict

    from lacuna.cli.console import print_json, print_table
    from lacuna.corpus.store import Store

    with Store.open(corpus) as store:
        graph = store.graph()
        counts = {**asdict(store.info()), "links": graph.link_count()}
        wanted = graph.most_wanted()
        left_out = [(item.where, item.reason) for item in store.skipped()] if skipped else []
    if as_json:
        print_json({**counts, "most_wanted": dict(wanted), "skipped_pages": left_out})
        return
    rows = [(name.replace("_", " "), value) for name, value in counts.items()]
    print_table(str(corpus), ("what", "count"), rows)
    if wanted:
        print_table("Linked to, but not there", ("title", "documents that link to it"), wanted)
    if skipped:
        print_table("Skipped", ("page or file", "why"), left_out)


def show(corpus: StoreFolder, title: Title, as_json: Json = False) -> None:
    """Print a document; with --json, with its sentences, links and sections."""
    from dataclasses import asdict

    from lacuna.cli.console import print_json
    from lacuna.corpus.store import Store

    with Store.open(corpus) as store:
        document = store.document(title)
    if as_json:
        print_json(asdict(document))
    else:
        print(f"{document.title}\n\n{document.text}")


def links(corpus: StoreFolder, title: Title, as_json: Json = False) -> None:
    """List the links out of a document, those into it, and those that lead nowhere."""
    from lacuna.cli.console import print_json, print_table
    from lacuna.corpus.store import Store

    with Store.open(corpus) as store:
        graph = store.graph()
        titles_by_kind = {
            "out": graph.out_links(title),
            "in": graph.in_links(title),
            "dangling": graph.dangling(title),
        }
    if as_json:
        print_json(titles_by_kind)
        return
    for kind, titles in titles_by_kind.items():
        print_table(f"{kind} ({len(titles):,})", ("title",), [(other,) for other in titles])


def path(
    corpus: StoreFolder,
    start: Title,
    goal: Annotated[str, typer.Argument(metavar="TITLE", show_default=False)],
    as_json: Json = False,
) -> None:
    """Find a shortest way along links; exits with 1 if there is none."""
    from lacuna.cli.console import notify, print_json
    from lacuna.corpus.store import Store

    with Store.open(corpus) as store:
        titles = store.graph().path(start, goal)
    if as_json:
        print_json({"path": titles})
    elif titles:
        print(" → ".join(titles))
    if titles is None:
        notify(f"No links lead from {start} to {goal}.")
        raise typer.Exit(1)


def export(
    corpus: StoreFolder,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Ends in .graphml or .parquet.")],
    first_paragraphs: Annotated[
        bool, typer.Option("--first-paragraphs", help="Only the links of first paragraphs.")
    ] = False,
) -> None:
    """Write the link graph as GraphML or Parquet."""
    from lacuna.cli.console import notify
    from lacuna.corpus.graph_export import export_graph
    from lacuna.corpus.store import Store

    with Store.open(corpus) as store:
        export_graph(store.graph(), file, lead=first_paragraphs)
    notify(f"The link graph was written to {file}.", "Done")


def remove(
    corpus: StoreFolder,
    titles: Annotated[list[str], typer.Argument(metavar="TITLE…", show_default=False)],
) -> None:
    """Remove documents or redirects by their exact titles; links to them dangle from then on."""
    from lacuna.cli.console import notify
    from lacuna.corpus.store import Store

    with Store.open(corpus) as store, store.writer() as writer:
        for title in titles:
            writer.remove(title)
    notify(f"{len(titles):,} removed from {corpus}.", "Done")
