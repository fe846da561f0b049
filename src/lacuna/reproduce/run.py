"""What is run for a row: a system on a file in a setting, or a search."""

from __future__ import annotations

from dataclasses import dataclass

from lacuna.reproduce.source import CorpusSource, Source


@dataclass(frozen=True, slots=True)
class SystemRun:
    """A system by its name, as ``lacuna evaluate --system`` takes it; ``what`` says it in words.

    ``learns_from`` is the file of a baseline that learns. With ``trained``, it is every trained
    network whose recipe has that name, and there is a result for each seed; ``went_on`` says
    whether these began with another trained network.
    """

    what: str
    file: Source
    system: str = ""
    setting: str | None = None
    learns_from: Source | None = None
    trained: str = ""
    went_on: bool | None = None
    corpus: CorpusSource | None = None
    knowledge: bool = False

    @property
    def needs(self) -> list[str]:
        """What must be at hand, in words."""
        files = [self.file.name, *([self.learns_from.name] if self.learns_from else [])]
        if self.corpus is not None:
            files += [file.names[0] for file in self.corpus.files]
        if self.knowledge:
            files.append("a knowledge base")
        system = f"the run {self.trained}" if self.trained else f"the system {self.system}"
        return [*files, system]


@dataclass(frozen=True, slots=True)
class Search:
    """A retriever over a corpus, for the questions of a file."""

    file: Source
    corpus: CorpusSource
    retriever: str
    k: int

    @property
    def needs(self) -> list[str]:
        """What must be at hand, in words."""
        return [self.file.name, *(file.names[0] for file in self.corpus.files)]
