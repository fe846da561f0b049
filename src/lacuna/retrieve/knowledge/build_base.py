"""Build a knowledge base from any mix of files with triples and files with sentences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from lacuna.errors import LacunaError
from lacuna.files.opening import open_text
from lacuna.retrieve.knowledge.array_folder import refuse_foreign
from lacuna.retrieve.knowledge.build_report import BuildReport, Progress
from lacuna.retrieve.knowledge.build_sentences import build_sentences, digested_here
from lacuna.retrieve.knowledge.build_triples import build_triples
from lacuna.retrieve.knowledge.digested_lines import Digest, sentence_row
from lacuna.retrieve.knowledge.knowledge_base import SENTENCES, TRIPLES
from lacuna.retrieve.knowledge.triple_rows import is_triple

LOOKED_AT = 1000
"""Lines of a file among which one must show what it holds."""


@dataclass(frozen=True, slots=True)
class BaseReport:
    """What became of the rows of each part; None for a part that no file was given for."""

    triples: BuildReport | None
    sentences: BuildReport | None

    @property
    def parts(self) -> dict[str, BuildReport]:
        """The parts that were built, by their names."""
        named = {TRIPLES: self.triples, SENTENCES: self.sentences}
        return {name: report for name, report in named.items() if report is not None}

    @property
    def broken(self) -> int:
        """How many rows were broken."""
        return sum(report.broken for report in self.parts.values())


def build_base(
    files: Sequence[Path],
    folder: Path,
    *,
    progress: Progress | None = None,
    digest: Digest = digested_here,
) -> BaseReport:
    """Build what ``KnowledgeBase.open`` opens.

    Each part replaces the one that the folder had; a part that no file is given for stays as it
    was. ``progress`` is called with how many rows are read, of both parts together; ``digest`` says
    where lines with sentences are looked through.
    """
    kinds = [(part_of(path), path) for path in files]
    triples = [path for kind, path in kinds if kind == TRIPLES]
    sentences = [path for kind, path in kinds if kind == SENTENCES]
    for name, given in ((TRIPLES, triples), (SENTENCES, sentences)):
        if given:  # an error comes before the work, not after it
            refuse_foreign(folder / name, name)
    first = build_triples(triples, folder / TRIPLES, progress=progress) if triples else None
    before = first.rows if first else 0

    def go_on(rows: int) -> None:
        if progress:
            progress(before + rows)

    second = None
    if sentences:
        second = build_sentences(sentences, folder / SENTENCES, progress=go_on, digest=digest)
    return BaseReport(first, second)


def part_of(path: Path) -> str:
    """Which part a file belongs to, by its first line that is a triple or a sentence."""
    if path.exists() and not path.is_file() and not path.is_dir():
        raise LacunaError(
            f"{path} is a pipe or a device, and knowledge is read twice: once to see what it is. "
            "Give a file, plain or gzipped."
        )
    with open_text(path) as source:
        for line in islice(source.text, LOOKED_AT):
            if is_triple(line):
                return TRIPLES
            if sentence_row(line):
                return SENTENCES
        what = "is empty" if not source.head else "holds neither triples nor sentences"
    raise LacunaError(
        f"{path} {what}. A line of triples is relation, head, tail, weight and sources, or one of "
        "ConceptNet's assertions; a line of sentences is a source and a sentence. Columns are "
        "separated by tabs."
    )
