"""What could not be read, in one line: how much, why, and how to see all of it."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Sequence
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lacuna.corpus.source_item import Skipped
    from lacuna.corpus.store import Store

SHOWN_REASONS = 2
LONGEST_REASON = 90
"""Characters of a reason in the line; the list has them whole."""


def by_reason(skipped: Iterable[Skipped]) -> dict[str, list[str]]:
    """The files of each reason, the commonest reason first."""
    files: dict[str, list[str]] = {}
    for one in skipped:
        files.setdefault(one.reason, []).append(one.where)
    return dict(sorted(files.items(), key=lambda pair: -len(pair[1])))


def skipped_line(store: Store, corpora: Sequence[Path]) -> str:
    """One line about what was not read; "" where everything was."""
    reasons = by_reason(store.skipped())
    if not reasons:
        return ""
    count = sum(map(len, reasons.values()))
    parts = [_part(reason, files) for reason, files in list(reasons.items())[:SHOWN_REASONS]]
    if (more := len(reasons) - SHOWN_REASONS) > 0:
        parts.append(f"{more} more {'reason' if more == 1 else 'reasons'}")
    read = sum(source.files for source in store.sources())
    of_all = f"{count:,} of {read + count:,} files" if read else f"{count:,} pages"  # of a dump
    return f"{of_all} could not be read ({'; '.join(parts)}): {_command(corpora)} lists them."


def _part(reason: str, files: Sequence[str]) -> str:
    from lacuna.cli.cleaning import safe

    kinds = {PurePosixPath(file).suffix.lower() for file in files}
    kind = f" {kinds.pop()}" if len(kinds) == 1 and all(kinds) else ""
    short = reason if len(reason) <= LONGEST_REASON else reason[: LONGEST_REASON - 1] + "…"
    return safe(f"{len(files):,}{kind}: {short}")


def _command(corpora: Sequence[Path]) -> str:
    from lacuna.corpus.address import place_text

    named = [shlex.quote(place_text(corpus)) for corpus in corpora]
    where = named if len(named) == 1 else [f"--corpus {name}" for name in named]
    return " ".join(["lacuna corpus info", *where, "--skipped"])
