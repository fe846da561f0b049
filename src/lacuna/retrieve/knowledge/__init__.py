"""Knowledge for GapQA: triples and sentences that relate a key span to an answer choice."""

from lacuna.retrieve.knowledge.build_base import BaseReport, build_base
from lacuna.retrieve.knowledge.build_report import BuildReport
from lacuna.retrieve.knowledge.build_sentences import build_sentences
from lacuna.retrieve.knowledge.build_triples import build_triples
from lacuna.retrieve.knowledge.knowledge_base import (
    Knowledge,
    KnowledgeBase,
    back_off,
    open_knowledge,
)
from lacuna.retrieve.knowledge.sentences import FoundSentence, Sentences
from lacuna.retrieve.knowledge.triple_rows import Triple
from lacuna.retrieve.knowledge.triples import OMCS, WORDNET, FoundTriple, Triples
from lacuna.retrieve.knowledge.wording import inverse_sentence_of, sentence_of

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
