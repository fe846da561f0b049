"""A knowledge base, a folder of triples, sentences or both."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

from lacuna import demo
from lacuna.errors import LacunaError
from lacuna.files.cache import cache_folder, cached_folder, digest_of
from lacuna.files.checksums import damaged_files
from lacuna.files.opening import open_text
from lacuna.retrieve.knowledge.arrays import META, VERSION, refuse_foreign
from lacuna.retrieve.knowledge.build import (
    BuildReport,
    Digest,
    Progress,
    Triple,
    build_sentences,
    build_triples,
    digested_here,
    is_triple,
    sentence_row,
)
from lacuna.retrieve.knowledge.search import (
    BACK_OFF,
    OMCS,
    WORDNET,
    FoundSentence,
    FoundTriple,
    Sentences,
    Triples,
    sentence_of,
)
from lacuna.version import __version__

TOP = 5
"""Triples and sentences for each choice, as in the paper."""
TRIPLES, SENTENCES = "triples", "sentences"
"""The two parts of the folder."""
WRITERS_FACTS = frozenset({"obqa_crowd_facts"})
"""Facts that the writers of OpenBookQA's questions were asked for: they give the answers away."""


@dataclass(frozen=True, slots=True)
class Knowledge:
    """Knowledge that was found for a pair of span and choice."""

    span: str
    choice: str
    sentences: tuple[FoundSentence, ...] = ()
    triples: tuple[FoundTriple, ...] = ()

    @property
    def found(self) -> bool:
        """True if there is more than the back-off."""
        return bool(self.sentences or self.triples)

    @property
    def texts(self) -> tuple[str, ...]:
        """Sentences, triples in words, and last the back-off, in the order of the paper's figure.

        A pair of which nothing is known has the back-off alone, so this is never empty.
        """
        return (
            *(sentence.text for sentence in self.sentences),
            *(sentence_of(scored.triple) for scored in self.triples),
            sentence_of(back_off(self.span, self.choice)),
        )


@dataclass(frozen=True, slots=True)
class KnowledgeBase:
    """Triples and sentences to look up; without either part only the back-off is left."""

    triples: Triples | None = None
    sentences: Sentences | None = None
    triple_sources: Set[str] | None = None
    """Only triples that one of these sources has; all of them if None."""

    @classmethod
    def open(cls, folder: Path) -> KnowledgeBase:
        """Open what ``lacuna knowledge`` built; facts that give answers away are left out."""
        triples, sentences = folder / TRIPLES, folder / SENTENCES
        if not is_knowledge(folder):
            raise LacunaError(
                f"{folder} holds no knowledge. Build some there with "
                f"`lacuna knowledge FILE … --out {folder}`."
            )
        allowed = Sentences.open(sentences) if (sentences / META).is_file() else None
        if allowed is not None:
            allowed = allowed.without(sources=WRITERS_FACTS & allowed.sources)
        return cls(Triples.open(triples) if (triples / META).is_file() else None, allowed)

    def without(self, facts: Iterable[str]) -> KnowledgeBase:
        """The same without sentences that say what one of these core facts says."""
        if self.sentences is None:
            return self
        return replace(self, sentences=self.sentences.without(facts))

    def narrowed(self, part: str) -> KnowledgeBase:
        """A part of it: all, triples, wordnet or omcs (as the paper compares them), or none."""
        match part:
            case "all":
                return self
            case "triples":
                return replace(self, sentences=None)
            case "wordnet" | "omcs":
                sources = WORDNET if part == "wordnet" else OMCS
                return replace(self, sentences=None, triple_sources=sources)
            case _:
                return KnowledgeBase()

    def about(self, span: str, choice: str) -> Knowledge:
        """Look up the two: the best few of each part."""
        sentences = [] if self.sentences is None else self.sentences.search(span, choice, TOP)
        triples = (
            []
            if self.triples is None
            else self.triples.search(span, choice, TOP, self.triple_sources)
        )
        return Knowledge(span, choice, tuple(sentences), tuple(triples))


def is_knowledge(folder: Path) -> bool:
    """Tell if ``lacuna knowledge`` has built something in a folder."""
    return bool(parts_of(folder))


def parts_of(folder: Path) -> list[Path]:
    """The folders of triples and sentences, as far as they are there."""
    return [folder / part for part in (TRIPLES, SENTENCES) if (folder / part / META).is_file()]


def damaged_knowledge(folder: Path) -> list[str]:
    """The files of a knowledge base that are not as they were written."""
    return [f"{part.name}/{name}" for part in parts_of(folder) for name in damaged_files(part)]


def back_off(span: str, choice: str) -> Triple:
    """The paper's back-off: the pair itself, for what the encoder knows of the two words.

    >>> sentence_of(back_off("metal", "steel spoon"))
    'metal and steel spoon'
    """
    return Triple(BACK_OFF, span, choice, weight=0.0)


def open_knowledge(folder: str | Path | None = None) -> KnowledgeBase:
    """Open what ``lacuna knowledge`` built; without a folder the demo's, built into the cache
    once."""
    if folder is not None:
        return KnowledgeBase.open(Path(folder))
    state = digest_of(f"{demo.knowledge_digest()} {VERSION} {__version__}")
    cached = cache_folder() / "knowledge" / "demo" / state
    if not _is_whole(cached):
        cached_folder(cached, _build_demo, is_whole=_is_whole, what="The demo's knowledge")
    return KnowledgeBase.open(cached)


def _build_demo(folder: Path) -> None:
    # Imported here: building needs this file, and most who open knowledge never build any.

    build_base((demo.TRIPLES, demo.SENTENCES), folder)


def _is_whole(folder: Path) -> bool:
    return len(parts_of(folder)) == 2 and not damaged_knowledge(folder)


LOOKED_AT = 1000
"""Lines of a file among which one must show what it holds."""


@dataclass(frozen=True, slots=True)
class BaseReport:
    """The rows of each part, read and skipped; None for a part that no file was given for."""

    triples: BuildReport | None
    sentences: BuildReport | None

    @property
    def parts(self) -> dict[str, BuildReport]:
        """The parts that were built, by their names."""
        named = {TRIPLES: self.triples, SENTENCES: self.sentences}
        return {name: report for name, report in named.items() if report is not None}

    @property
    def broken(self) -> int:
        """The number of broken rows."""
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
    """The part that a file belongs to, by its first line that is a triple or a sentence."""
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
