"""``lacuna corpus info|show|links|path|export|remove``: what a corpus holds."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from lacuna.cli.options import OF_CORPUS, Corpora, CorpusAndTitle, Json, JustCorpus

OF_SOURCE = ("files", "documents", "skipped", "resolved", "missing", "outside")
"""What is counted of each source, after its root."""


def info(
    first: JustCorpus = None,
    corpus: Corpora = None,
    skipped: Annotated[
        bool, typer.Option("--skipped", help="List what gave no document, and why.")
    ] = False,
    missing: Annotated[
        bool, typer.Option("--missing", help="List the links whose document is missing, and why.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Count what a corpus holds, and name the missing documents that most links lead to.

    Of each source: files read, documents in them, files skipped; links that lead to a document of
    it, links whose document is missing, and links that lead out of it.
    """
    from dataclasses import asdict

    from lacuna.cli.console import print_json, print_table
    from lacuna.cli.corpus_arguments import split_corpus
    from lacuna.cli.opening import opened_store
    from lacuna.cli.skipped import by_reason
    from lacuna.corpus.address import place_text
    from lacuna.corpus.links.missing_links import missing_links

    corpora, _ = split_corpus(first, corpus)
    with opened_store(corpora, as_json=True) as store:  # what was skipped is in the tables
        graph = store.graph()
        counts = {**asdict(store.info()), "links": graph.link_count()}
        sources = list(store.sources())
        wanted = graph.most_wanted()
        reasons = by_reason(store.skipped())
        nowhere = [asdict(link) for link in missing_links(store)] if missing else []
    left_out = [(where, reason) for reason, files in reasons.items() for where in files]
    by_count = [(reason, len(files)) for reason, files in reasons.items()]
    if as_json:
        told = {
            "sources": [asdict(source) for source in sources],
            "most_wanted": dict(wanted),
            "skipped_by_reason": dict(by_count),
            "skipped_pages": left_out if skipped else [],
            "missing_links": nowhere,
        }
        print_json({**counts, **told})
        return
    title = " and ".join(map(place_text, corpora)) or "The demo corpus"
    rows = [(name.replace("_", " "), value) for name, value in counts.items()]
    print_table(title, ("what", "count"), rows)
    counted = [(one.root, *(getattr(one, name) for name in OF_SOURCE)) for one in sources]
    print_table("Sources", ("source", *OF_SOURCE), counted)
    if by_count:
        print_table("Skipped, by reason", ("why", "files"), by_count)
    if wanted:
        print_table("Linked to, but not there", ("title", "documents that link to it"), wanted)
    if skipped:
        print_table("Skipped", ("page or file", "why"), left_out)
    if missing:
        rows_of_links = [tuple(link.values()) for link in nowhere]
        print_table("Missing", ("place", "link", "target", "why"), rows_of_links)


def show(arguments: CorpusAndTitle = None, corpus: Corpora = None, as_json: Json = False) -> None:
    """Print a document; with --json, with its sentences, links, sections and place."""
    from dataclasses import asdict

    from lacuna.cli.console import print_json
    from lacuna.cli.corpus_arguments import split_corpus
    from lacuna.cli.opening import opened_store
    from lacuna.cli.terminal.wrapping import say_document

    corpora, (title,) = split_corpus(arguments, corpus, "TITLE")
    with opened_store(corpora, as_json=as_json) as store:
        document = store.document(title)
    if as_json:
        place = document.origin.at(0).as_json() if document.origin else None
        print_json({**asdict(document), "place": place})
    else:
        say_document(f"{document.title}\n\n{document.text}")


def links(arguments: CorpusAndTitle = None, corpus: Corpora = None, as_json: Json = False) -> None:
    """List the links out of a document, those into it, and those that lead nowhere."""
    from lacuna.cli.console import print_json, print_table
    from lacuna.cli.corpus_arguments import split_corpus
    from lacuna.cli.opening import opened_store

    corpora, (title,) = split_corpus(arguments, corpus, "TITLE")
    with opened_store(corpora, as_json=as_json) as store:
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
    arguments: Annotated[
        list[str] | None,
        typer.Argument(metavar="[CORPUS] TITLE TITLE", help=OF_CORPUS, show_default=False),
    ] = None,
    corpus: Corpora = None,
    as_json: Json = False,
) -> None:
    """Find a shortest way along links; exits with 1 if there is none."""
    from lacuna.cli.console import notify, print_json
    from lacuna.cli.corpus_arguments import split_corpus
    from lacuna.cli.opening import opened_store
    from lacuna.cli.terminal.wrapping import say_hanging

    corpora, (start, goal) = split_corpus(arguments, corpus, "TITLE", "TITLE")
    with opened_store(corpora, as_json=as_json) as store:
        titles = store.graph().path(start, goal)
    if as_json:
        print_json({"path": titles})
    elif titles:
        say_hanging("", " → ".join(titles))
    if titles is None:
        notify(f"No links lead from {start} to {goal}.")
        raise typer.Exit(1)


def export(
    arguments: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[CORPUS] FILE",
            help=f"The file ends in .graphml or .parquet. {OF_CORPUS}",
            show_default=False,
        ),
    ] = None,
    corpus: Corpora = None,
    first_paragraphs: Annotated[
        bool, typer.Option("--first-paragraphs", help="Only the links of first paragraphs.")
    ] = False,
) -> None:
    """Write the link graph as GraphML or Parquet."""
    from lacuna.cli.console import notify
    from lacuna.cli.corpus_arguments import split_corpus
    from lacuna.cli.opening import opened_store
    from lacuna.cli.outputs import check_outputs
    from lacuna.corpus.links.graph_export import export_graph

    corpora, (file,) = split_corpus(arguments, corpus, "FILE")
    check_outputs([Path(file)], reads=corpora)
    with opened_store(corpora) as store:
        export_graph(store.graph(), Path(file), lead=first_paragraphs)
    notify(f"The link graph was written to {file}.", "Done")


def remove(
    arguments: Annotated[
        list[str] | None,
        typer.Argument(metavar="[CORPUS] TITLE…", help=OF_CORPUS, show_default=False),
    ] = None,
    corpus: Corpora = None,
) -> None:
    """Remove documents or redirects by their exact titles; links to them dangle from then on."""
    from lacuna.cli.console import notify
    from lacuna.cli.corpus_arguments import made_by_index
    from lacuna.corpus.address import place_text
    from lacuna.corpus.at_place import store_at
    from lacuna.errors import LacunaError

    titles = list(arguments or ())
    folder = made_by_index(corpus or [Path(title) for title in titles[:1]])
    if not corpus:
        titles = titles[1:]
    if not titles:
        raise LacunaError("TITLE is missing: say which documents are to be removed.")
    with store_at(folder) as store, store.writer() as writer:
        for title in titles:
            writer.remove(title)
    notify(f"{len(titles):,} removed from {place_text(folder)}.", "Done")
