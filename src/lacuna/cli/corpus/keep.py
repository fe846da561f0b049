"""``lacuna corpus check|repair|backup``: whether a corpus is whole, and what to do if not."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lacuna.cli.options import OF_CORPUS, Corpora, Json, JustCorpus

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lacuna.cli.corpus.other_folders import OtherFolder


def check(
    first: JustCorpus = None,
    corpus: Corpora = None,
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
    from lacuna.cli.corpus.other_folders import look_at
    from lacuna.cli.corpus_arguments import split_corpus
    from lacuna.corpus.safekeeping.check import check_store
    from lacuna.corpus.safekeeping.damage import readable

    corpora, _ = split_corpus(first, corpus)
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
    from lacuna.corpus.safekeeping.damage import readable

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


def repair(first: JustCorpus = None, corpus: Corpora = None, as_json: Json = False) -> None:
    """Rebuild what can be rebuilt of a damaged corpus; exits with 1 if something is lost."""
    from dataclasses import asdict

    from lacuna.cli.console import notify, print_json, print_table, warn
    from lacuna.corpus.safekeeping.damage import readable
    from lacuna.corpus.safekeeping.repair import repair_store

    folder = _folder_of(first, corpus)
    name = readable(folder)
    repaired = repair_store(folder)
    if as_json:
        damaged = repaired.damaged and readable(repaired.damaged)
        print_json({"corpus": name, **asdict(repaired), "damaged": damaged})
    elif repaired.lost:
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
    corpus: Corpora = None,
) -> None:
    """Copy a corpus as it is at this moment, also while it is being read and written."""
    from lacuna.cli.console import notify
    from lacuna.cli.corpus_arguments import split_corpus
    from lacuna.cli.outputs import check_output_folder
    from lacuna.corpus.safekeeping.backup import back_up
    from lacuna.corpus.safekeeping.damage import readable

    corpora, (target,) = split_corpus(arguments, corpus, "DIR")
    check_output_folder(Path(target), reads=corpora)
    count = back_up(_folder(corpora), Path(target))
    notify(f"{count:,} documents copied to {readable(Path(target))}.", "Done")


def _folder_of(first: Sequence[str] | None, corpus: Sequence[Path] | None) -> Path:
    from lacuna.cli.corpus_arguments import split_corpus

    corpora, _ = split_corpus(first, corpus)
    return _folder(corpora)


def _folder(corpora: Sequence[Path]) -> Path:
    """Where the store of a corpus is, which need not be sound."""
    from lacuna.corpus.address import address_of
    from lacuna.corpus.open import store_folder
    from lacuna.corpus.safekeeping.damage import readable
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
