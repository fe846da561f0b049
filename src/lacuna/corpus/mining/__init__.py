"""Finds what to ask about in linked documents, as the papers did when they collected their data."""

from lacuna.corpus.mining.distractors import Search, item_of
from lacuna.corpus.mining.pairs import (
    Pair,
    PairKind,
    bridge_edges,
    comparison_lists,
    sample_pairs,
)
from lacuna.corpus.mining.paragraphs import ResolveTitle
from lacuna.corpus.mining.sections import (
    ChosenSection,
    LinkGraph,
    SectionBounds,
    SectionFilter,
    choose_sections,
)
from lacuna.corpus.mining.seeds import Seed, seeds

__all__ = [
    "ChosenSection",
    "LinkGraph",
    "Pair",
    "PairKind",
    "ResolveTitle",
    "Search",
    "SectionBounds",
    "SectionFilter",
    "Seed",
    "bridge_edges",
    "choose_sections",
    "comparison_lists",
    "item_of",
    "sample_pairs",
    "seeds",
]
