"""Knowledge for GapQA: triples and sentences that relate a key span to an answer choice."""

from lacuna.retrieve.knowledge.build import BuildReport, Triple, build_sentences, build_triples
from lacuna.retrieve.knowledge.knowledge_base import (
    BaseReport,
    Knowledge,
    KnowledgeBase,
    back_off,
    build_base,
    open_knowledge,
)
from lacuna.retrieve.knowledge.search import (
    OMCS,
    WORDNET,
    FoundSentence,
    FoundTriple,
    Sentences,
    Triples,
    inverse_sentence_of,
    sentence_of,
)

__all__ = [
    "OMCS",
    "WORDNET",
    "BaseReport",
    "BuildReport",
    "FoundSentence",
    "FoundTriple",
    "Knowledge",
    "KnowledgeBase",
    "Sentences",
    "Triple",
    "Triples",
    "back_off",
    "build_base",
    "build_sentences",
    "build_triples",
    "inverse_sentence_of",
    "open_knowledge",
    "sentence_of",
]
