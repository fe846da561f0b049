"""`lacuna corpus`: look into a corpus, check, repair and copy it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from lacuna.cli.options import OF_CORPUS, CorpusAndTitle, Json, JustCorpus

if TYPE_CHECKING:
    from collections.abc import Sequence


OF_SOURCE = ("files", "documents", "skipped", "resolved", "missing", "outside")
"""What is counted of each source, after its root."""


def info(
    first: JustCorpus = None,
    skipped: Annotated[
        bool, typer.Option("--skipped", help="List every file that could not be read, and why.")
    ] = False,
    missing: Annotated[
        bool, typer.Option("--missing", help="List the links whose document is missing, and why.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Count what a corpus holds, and name the missing documents most links lead to.

    Of each source: files read, documents in them, files skipped; links that lead to a document of
    it, links whose document is missing, and links that lead out of it.
    """
    from dataclasses import asdict

    from lacuna.cli.console import by_reason, print_json, print_table
    from lacuna.cli.options import opened_store, split_corpus
    from lacuna.corpus.address import place_text
    from lacuna.corpus.graph import missing_links

    corpora, _ = split_corpus(first)
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


def show(arguments: CorpusAndTitle = None, as_json: Json = False) -> None:
    """Print a document; with --json, with its sentences, links, sections and place."""
    from dataclasses import asdict

    from lacuna.cli.console import print_json, say_document
    from lacuna.cli.options import opened_store, split_corpus

    corpora, (title,) = split_corpus(arguments, "TITLE")
    with opened_store(corpora, as_json=as_json) as store:
        document = store.document(title)
    if as_json:
        place = document.origin.at(0).as_json() if document.origin else None
        print_json({**asdict(document), "place": place})
    else:
        say_document(f"{document.title}\n\n{document.text}")


def links(arguments: CorpusAndTitle = None, as_json: Json = False) -> None:
    """List the links out of a document, those into it, and those that lead nowhere."""
    from lacuna.cli.console import print_json, print_table
    from lacuna.cli.options import opened_store, split_corpus

    corpora, (title,) = split_corpus(arguments, "TITLE")
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
    as_json: Json = False,
) -> None:
    """Find a shortest way along links; exits with 1 if there is none."""
    from lacuna.cli.console import notify, print_json, say_hanging
    from lacuna.cli.options import opened_store, split_corpus

    corpora, (start, goal) = split_corpus(arguments, "TITLE", "TITLE")
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
) -> None:
    """Write the link graph as GraphML or Parquet."""
    from lacuna.cli.console import notify
    from lacuna.cli.options import check_outputs, opened_store, split_corpus
    from lacuna.corpus.graph import export_graph

    corpora, (file,) = split_corpus(arguments, "FILE")
    check_outputs([Path(file)], reads=corpora)
    with opened_store(corpora) as store:
        export_graph(store.graph(), Path(file))
    notify(f"The link graph was written to {file}.", "Done")


def remove(
    arguments: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="CORPUS TITLE…", help="A corpus made by `lacuna index`.", show_default=False
        ),
    ] = None,
) -> None:
    """Remove documents or redirects by their exact titles; links to them dangle from then on."""
    from lacuna.cli.console import notify
    from lacuna.cli.options import made_by_index
    from lacuna.corpus.address import place_text
    from lacuna.corpus.store import store_at
    from lacuna.errors import LacunaError

    corpus, titles = list(arguments or ())[:1], list(arguments or ())[1:]
    folder = made_by_index([Path(path) for path in corpus])
    if not titles:
        raise LacunaError("TITLE is missing: say which documents are to be removed.")
    with store_at(folder) as store, store.writer() as writer:
        for title in titles:
            writer.remove(title)
    notify(f"{len(titles):,} removed from {place_text(folder)}.", "Done")


class OtherFolder(NamedTuple):
    """A knowledge base or a model, and which of its files are damaged."""

    has_checksums: bool
    damaged: list[str]
    remedy: str


def look_at(folder: Path) -> OtherFolder | None:
    """Compare the files of a knowledge base or a model with their checksums; None if it is none."""
    from lacuna.files.checksums import damaged_files, read_checksums
    from lacuna.models.model_folder import CONFIG, NETWORK, WEIGHTS
    from lacuna.retrieve.knowledge.knowledge_base import damaged_knowledge, is_knowledge, parts_of

    if is_knowledge(folder):
        sealed = all(read_checksums(part) is not None for part in parts_of(folder))
        build_again = "build it again with `lacuna knowledge`"
        return OtherFolder(sealed, damaged_knowledge(folder), build_again)
    sealed = read_checksums(folder) is not None
    has_weights = any((folder / name).is_file() for name in (WEIGHTS, NETWORK))
    if (folder / CONFIG).is_file() and (sealed or has_weights):
        return OtherFolder(sealed, damaged_files(folder), "get the model again, or train it anew")
    return None


def check(
    first: JustCorpus = None,
    deep: Annotated[
        bool,
        typer.Option(
            "--deep", help="Read every document too, and derive again what was derived from it."
        ),
    ] = False,
    as_json: Json = False,
) -> None:
    """Compare every file of a corpus with its checksum; exits with 1 if something is damaged.

    Of a folder that was not indexed with `lacuna index`, its corpus in the cache folder is checked.
    The folder of a knowledge base or of a model can be given as well.
    """
    from lacuna.cli.console import notify, print_json, print_table
    from lacuna.cli.options import split_corpus
    from lacuna.corpus.check import check_store
    from lacuna.corpus.integrity import readable

    corpora, _ = split_corpus(first)
    if len(corpora) == 1 and (other := look_at(corpora[0])) is not None:
        _tell_other(corpora[0], other, as_json)
        return
    folder = _folder(corpora)
    checked = check_store(folder, deep=deep)
    name = readable(folder)
    if as_json:
        problems = [problem._asdict() for problem in checked.problems]
        sealed = checked.is_sealed
        print_json({"corpus": name, "has_checksums": sealed, "deep": deep, "problems": problems})
    elif checked.problems:
        rows = [(part, what, _remedy(rebuilt)) for part, what, rebuilt in checked.problems]
        print_table(f"{name} is damaged", ("part", "what", "remedy"), rows)
    if checked.problems:
        notify(f"`lacuna corpus repair {name}` rebuilds what can be rebuilt.")
        raise typer.Exit(1)
    if not checked.is_sealed:
        notify(f"{name} has no checksums: it is being written, or its last writer was killed.")
    notify(f"Nothing is wrong with {name}.", "Done")


def _tell_other(folder: Path, other: OtherFolder, as_json: bool) -> None:
    from lacuna.cli.console import notify, print_json, print_table
    from lacuna.corpus.integrity import readable

    name = readable(folder)
    what = "is not as it was written"
    if as_json:
        problems = [{"part": part, "what": what} for part in other.damaged]
        print_json({"folder": name, "has_checksums": other.has_checksums, "problems": problems})
    elif other.damaged:
        rows = [(part, what, other.remedy) for part in other.damaged]
        print_table(f"{name} is damaged", ("part", "what", "remedy"), rows)
    if other.damaged:
        raise typer.Exit(1)
    if not other.has_checksums:
        notify(f"{name} has no checksums: an older version wrote it, or the disk was full.")
    else:
        notify(f"Nothing is wrong with {name}.", "Done")


def repair(first: JustCorpus = None) -> None:
    """Rebuild what can be rebuilt of a damaged corpus; exits with 1 if something is lost."""
    from lacuna.cli.console import notify, print_table, warn
    from lacuna.cli.options import split_corpus
    from lacuna.corpus.integrity import readable
    from lacuna.corpus.repair import repair_store

    folder = _folder(split_corpus(first)[0])
    name = readable(folder)
    repaired = repair_store(folder)
    if repaired.lost:
        print_table(f"Lost of {name}", ("what",), [(what,) for what in repaired.lost])
    if repaired.rebuilt:
        done = f"{' and '.join(repaired.rebuilt)} of {name} made anew"
        notify(f"{done}, with {repaired.documents:,} documents.", "Done")
    else:
        notify(f"Nothing is wrong with {name}.", "Done")
    if repaired.damaged is not None:
        warn(
            f"The damaged database is kept as {readable(repaired.damaged)}. What other names lead "
            "to its documents cannot be verified. Read the sources again: "
            f"{_index_again(repaired.read_again, name)}"
        )
    if repaired.lost:
        raise typer.Exit(1)


def backup(
    arguments: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[CORPUS] DIR",
            help=f"DIR is the new folder; it is a corpus like any other then. {OF_CORPUS}",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Copy a corpus as it is at this moment, also while it is being read and written."""
    from lacuna.cli.console import notify
    from lacuna.cli.options import check_output_folder, split_corpus
    from lacuna.corpus.integrity import readable
    from lacuna.corpus.repair import back_up

    corpora, (target,) = split_corpus(arguments, "DIR")
    check_output_folder(Path(target), reads=corpora)
    count = back_up(_folder(corpora), Path(target))
    notify(f"{count:,} documents copied to {readable(Path(target))}.", "Done")


def _folder(corpora: Sequence[Path]) -> Path:
    """Where the store of a corpus is, which need not be sound."""
    from lacuna.corpus.address import address_of
    from lacuna.corpus.integrity import readable
    from lacuna.corpus.open import store_folder
    from lacuna.corpus.store import is_store
    from lacuna.errors import LacunaError

    for path in corpora:
        if (address := address_of(path)) is not None:
            raise LacunaError(
                f"{address} is kept by its own store, which this verb does not look into. Copy it "
                f"to a folder, which can be checked: lacuna corpus copy {address} DIR"
            )
        if not path.exists():
            raise LacunaError(f"There is no file or folder {readable(path)}.")
    folder = store_folder(corpora)
    if not is_store(folder):
        named = " and ".join(map(readable, corpora)) or "The demo corpus"
        raise LacunaError(
            f"{named} is not indexed yet: nothing is stored that could be looked at. Ask it "
            "something first, or make a corpus of it with `lacuna index`."
        )
    return folder


def _remedy(can_be_rebuilt: bool) -> str:
    return "can be rebuilt" if can_be_rebuilt else "documents may be lost"


def _index_again(sources: Sequence[str], name: str) -> str:
    return f"lacuna index {' '.join(sources) or 'SOURCE'} --out {name}"


def copy(
    source: Annotated[
        Path, typer.Argument(metavar="FROM", help="A corpus: a folder or an address.")
    ],
    target: Annotated[
        Path,
        typer.Argument(
            metavar="TO", help="A new folder, or a new address: s3://, gs://, az://, file://."
        ),
    ],
) -> None:
    """Copy a corpus to another place, with all that it holds; both can be asked then."""
    from lacuna.cli.console import notify
    from lacuna.cli.options import check_output_folder
    from lacuna.corpus.address import place_text
    from lacuna.corpus.open import copy_corpus

    check_output_folder(target, reads=[source])
    count = copy_corpus(source, target)
    notify(f"{count:,} documents copied to {place_text(target)}.", "Done")
