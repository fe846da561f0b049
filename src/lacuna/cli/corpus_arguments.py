"""The corpus that a verb is about: --corpus, the first argument, what is set, or the demo."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from lacuna.errors import LacunaError


def split_corpus(
    given: Sequence[str] | None, corpora: Sequence[Path] | None, *names: str
) -> tuple[list[Path], list[str]]:
    """What is to be opened, and the arguments of those names.

    Without --corpus, one argument more than there are names is the corpus, and stands first. What
    `lacuna config` says is opened where nothing is named, or else the demo.

    >>> split_corpus(["Tern"], None, "TITLE")
    ([], ['Tern'])
    """
    from lacuna.cli.settings.chosen import chosen_corpora

    arguments = list(given or ())
    opened = list(corpora or ())
    if not opened and len(arguments) == len(names) + 1:
        opened.append(Path(arguments.pop(0)))
    if len(arguments) < len(names):
        missing = " and ".join(names[len(arguments) :])
        raise LacunaError(f"{missing} is missing. Give it after the options.")
    if len(arguments) > len(names):
        wanted = f"the corpus and {' and '.join(names)}" if names else "the corpus"
        raise LacunaError(
            f"{arguments[-1]!r} is one argument too many: beside options there can only be "
            f"{wanted}. Put what holds spaces into quotes, and name several corpora with --corpus."
        )
    return chosen_corpora(opened), arguments


def made_by_index(corpora: Sequence[Path]) -> Path:
    """The one corpus that a verb is to change; documents of other sources are changed there."""
    from lacuna.corpus.address import is_address
    from lacuna.corpus.at_place import is_corpus

    if len(corpora) != 1:
        raise LacunaError(
            "Name the one corpus that is to be changed, made by `lacuna index`: --corpus DIR."
        )
    (folder,) = corpora
    if not is_address(folder) and not folder.exists():
        raise LacunaError(f"There is no folder {folder}.")
    if not is_corpus(folder):
        raise LacunaError(
            f"{folder} is not a corpus made by `lacuna index`, so nothing can be removed from it "
            "here: remove or change its files, and the next question sees that."
        )
    return folder
