"""`lacuna index`, `search` and `knowledge`: documents and knowledge, read and searched."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from lacuna.cli.options import Corpora, Json

if TYPE_CHECKING:
    from lacuna.corpus.store import Store
    from lacuna.corpus.writer import Added, Writer
    from lacuna.retrieve.knowledge.knowledge_base import BaseReport
    from lacuna.retrieve.registry import Hit
    from lacuna.types import Span


OUT = "The corpus to fill: a folder, or an address (s3://, gs://, az://, file://)."
COLUMNS = ("source", "documents", "replaced", "removed", "redirects", "skipped")


def index(
    sources: Annotated[
        list[Path],
        typer.Argument(
            metavar="SOURCE…",
            help="Folders, archives or files of documents; dumps; or other corpora.",
            show_default=False,
        ),
    ],
    out: Annotated[
        Path,
        typer.Option(
            "--out",
            "-o",
            metavar="DIR|ADDRESS",
            help="The corpus to fill: a folder, or an address (s3://, gs://, az://, file://).",
        ),
    ],
    source_format: Annotated[
        str | None,
        typer.Option("--format", help="Say what the sources are; Lacuna finds out unless you do."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Read documents into a corpus.

    Lacuna adds documents to a corpus that exists already. Of a source that the corpus has, it reads
    again what changed, and takes out what is gone. It lists every file it could not read, and why.
    An interrupted run continues where it stopped. With LACUNA_RAY=ADDRESS, all machines of a Ray
    cluster parse files and this one writes; all of them write and index a new corpus of dumps at an
    address.
    """
    from lacuna.cli.cluster import built_on, reading_elsewhere
    from lacuna.cli.console import notify, print_json, print_table, skipped_line
    from lacuna.cli.options import check_output_folder
    from lacuna.corpus.address import place_text
    from lacuna.corpus.refresh import check_source
    from lacuna.corpus.store import new_store_at

    for path in sources:
        check_source(path, source_format)  # before anything is written
    check_output_folder(out, reads=sources, may_be_corpus=True)
    into = place_text(out)
    with reading_elsewhere() as cluster, new_store_at(out) as store:
        every = built_on(cluster, store, out, sources, source_format)
        if every is None:
            with store.writer() as writer:
                every = [_refreshed(writer, path, source_format) for path in sources]
        rows = []
        for path, added in zip(sources, every, strict=True):
            if not added.changed:
                notify(f"{place_text(path)} is in {into} already, and has not changed.")
                continue
            counts = (added.documents, added.replaced, added.removed, added.redirects)
            rows.append((place_text(path), *counts, added.skipped))
        documents = len(store)
        skipped = skipped_line(store, [out])
    if as_json:
        counts_by_source = [dict(zip(COLUMNS, row, strict=True)) for row in rows]
        print_json({"corpus": into, "documents": documents, "sources": counts_by_source})
    else:
        print_table(f"{into}: {documents:,} documents", COLUMNS, rows)
        if skipped:
            notify(skipped)


def _refreshed(writer: Writer, path: Path, source_format: str | None) -> Added:
    from lacuna.cli.console import counting_bar
    from lacuna.corpus.open import file_count
    from lacuna.corpus.refresh import refresh_source

    with counting_bar(f"Reading {path.name}", file_count(path)) as update:
        return refresh_source(writer, path, source_format, lambda added: update(added.items))


BM25 = "bm25"


def search(
    words: Annotated[list[str], typer.Argument(metavar="WORDS", show_default=False)],
    corpus: Corpora = None,
    k: Annotated[int, typer.Option("-k", min=1, help="How many hits.")] = 10,
    retriever: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="bm25; hybrid, which ranks by like words too; hotpotqa (or hotpot), HotpotQA's "
            "own over first paragraphs; or one from another package.",
        ),
    ] = BM25,
    all_words: Annotated[
        bool, typer.Option("--all-words", help="Every word must be there (bm25).")
    ] = False,
    within: Annotated[
        list[str] | None,
        typer.Option("--in", metavar="TITLE", help="Only in this document (bm25); repeatable."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Search documents by words.

    Without --corpus, Lacuna searches the demo. Put quotes around several words; inner "quoted
    words" must stand together, stop words aside (bm25).
    """
    from lacuna.cli.console import notify, print_json
    from lacuna.cli.options import chosen_corpora, one_text, opened_store
    from lacuna.errors import LacunaError

    query, corpora = one_text(words, "query"), chosen_corpora(corpus)
    with opened_store(corpora, as_json=as_json) as store:
        if retriever == BM25:
            hits = _bm25(store, query, k, all_words, within or [])
        elif all_words or within:
            raise LacunaError(
                f"--all-words and --in belong to bm25. Leave them out for {retriever}."
            )
        else:
            from lacuna.retrieve.registry import open_retriever

            hits = open_retriever(retriever, store).search(query, k)
        if as_json:
            print_json({"query": query, "hits": [_as_json(store, hit) for hit in hits]})
        elif hits:
            _show(store, hits)
        else:
            from lacuna.corpus.address import place_text

            where = " or ".join(map(place_text, corpora)) or "the demo corpus"
            notify(f"Nothing in {where} matches {query!r}.")


def _bm25(store: Store, query: str, k: int, all_words: bool, within: list[str]) -> list[Hit]:
    from lacuna.retrieve.bm25 import Bm25Retriever, split_phrases

    words, phrases = split_phrases(query)
    titles = [store.document(title).title for title in within]
    return Bm25Retriever(store).search(
        words, k, all_words=all_words, phrases=phrases, documents=titles, snippets=True
    )


def _as_json(store: Store, hit: Hit) -> dict[str, Any]:
    from lacuna.cli.answers import place_of_hit
    from lacuna.json_form import plain

    place = place_of_hit(store, hit)
    return {**plain(hit), "place": plain(place)}


def _show(store: Store, hits: list[Hit]) -> None:
    from rich.text import Text

    from lacuna.cli.answers import linked, place_of_hit
    from lacuna.cli.console import console_for_results, print_hanging, safe, safe_same_length

    console = console_for_results()
    for rank, hit in enumerate(hits, 1):
        heading = " › ".join(map(safe, hit.section or (hit.title,)))
        lead = Text(f"{rank:>2}. ", "dim")
        line = Text.assemble((heading, "bold"), f"  {hit.score:.2f}")
        if place := place_of_hit(store, hit):
            line.append("  ").append_text(linked(place, "cyan"))
        print_hanging(console, lead, line)
        start = hit.start
        marks: tuple[Span, ...] = ()
        whole = store.document(hit.title).text[hit.start : hit.end]
        if hit.snippet:
            start, marks, whole = hit.snippet.start, hit.snippet.marks, hit.snippet.text
        shown = Text(safe_same_length(whole))  # so that the marks hold
        for mark in marks:
            shown.stylize("bold yellow", mark.start - start, mark.end - start)
        blank = len(shown.plain) - len(shown.plain.lstrip())
        print_hanging(console, Text("    "), shown[blank:])


REPORT_COLUMNS = ("part", "rows", "kept", "merged", "left out", "of these broken")


def knowledge(
    files: Annotated[
        list[Path],
        typer.Argument(
            metavar="FILE…",
            help="Triples (relation, head, tail, weight, sources, or ConceptNet's assertions) or "
            "sentences (source, sentence), separated by tabs, plain or gzipped.",
            show_default=False,
        ),
    ],
    out: Annotated[Path, typer.Option("--out", "-o", metavar="DIR", help="The base to build.")],
) -> None:
    """Build a knowledge base for GapQA.

    It holds triples, sentences, or both. `lacuna ask --choices` and `--system gapqa` look into it
    with --knowledge DIR. Like GapQA's authors, Lacuna leaves out sentences that are long, negated
    or noisy. A part that no file is given for stays as it was. Where rows are broken, the exit code
    is 1.
    """
    from lacuna.cli.cluster import digesting_elsewhere
    from lacuna.cli.console import counting_bar
    from lacuna.cli.options import check_output_folder
    from lacuna.retrieve.knowledge.knowledge_base import build_base

    check_output_folder(out, reads=[file for file in files if file.is_file()])
    named = f"Reading {files[0].name}" if len(files) == 1 else "Reading"
    with digesting_elsewhere() as digest, counting_bar(named, None) as update:
        report = build_base(files, out, progress=update, digest=digest)
    _show_report(out, report)
    if report.broken:
        _report_broken(report)
        raise typer.Exit(1)


def _show_report(out: Path, report: BaseReport) -> None:
    from lacuna.cli.console import print_table

    rows = [
        (name, part.rows, part.kept, part.merged, part.skipped.total(), part.broken)
        for name, part in report.parts.items()
    ]
    print_table(str(out), REPORT_COLUMNS, rows)
    reasons = [
        (reason, name, count)
        for name, part in report.parts.items()
        for reason, count in part.skipped.most_common()
    ]
    if reasons:
        print_table("Left out", ("reason", "part", "rows"), reasons)


def _report_broken(report: BaseReport) -> None:
    from lacuna.cli.console import notify, warn

    for part in report.parts.values():
        for row in part.broken_examples:
            notify(f"{row.where}: {row.reason}.", "Left out")
    warn(f"{report.broken:,} broken rows were left out.")
