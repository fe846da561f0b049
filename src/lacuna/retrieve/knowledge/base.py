"""A knowledge base: triples, sentences, or both, in one folder."""

from __future__ import annotations

from collections.abc import Iterable, Set
from dataclasses import dataclass, replace
from pathlib import Path

from lacuna.errors import LacunaError
from lacuna.retrieve.knowledge.array_folder import META
from lacuna.retrieve.knowledge.pair_knowledge import TOP, Knowledge
from lacuna.retrieve.knowledge.sentences import Sentences
from lacuna.retrieve.knowledge.triples import OMCS, WORDNET, Triples

TRIPLES, SENTENCES = "triples", "sentences"
"""The two parts of the folder."""
WRITERS_FACTS = frozenset({"obqa_crowd_facts"})
"""Facts that the writers of OpenBookQA's questions were asked for: they give the answers away."""


@dataclass(frozen=True, slots=True)
class KnowledgeBase:
    """What may be looked up; without either part only the back-off is left."""

    triples: Triples | None = None
    sentences: Sentences | None = None
    triple_sources: Set[str] | None = None
    """Only triples that one of these sources has; all of them if None."""

    @classmethod
    def open(cls, folder: Path) -> KnowledgeBase:
        """Open what ``lacuna knowledge`` made. Facts that give answers away are kept out."""
        triples, sentences = folder / TRIPLES, folder / SENTENCES
        if not any((part / META).is_file() for part in (triples, sentences)):
            raise LacunaError(
                f"{folder} holds no knowledge. Make some there with `lacuna knowledge FILE … --out "
                f"{folder}`."
            )
        made = Sentences.open(sentences) if (sentences / META).is_file() else None
        if made is not None:
            made = made.without(sources=WRITERS_FACTS & made.sources)
        return cls(Triples.open(triples) if (triples / META).is_file() else None, made)

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
        """What is known of the two, the best few of each part."""
        sentences = [] if self.sentences is None else self.sentences.search(span, choice, TOP)
        triples = (
            []
            if self.triples is None
            else self.triples.search(span, choice, TOP, self.triple_sources)
        )
        return Knowledge(span, choice, tuple(sentences), tuple(triples))
