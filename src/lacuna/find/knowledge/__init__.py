"""Knowledge for GapQA: triples and sentences that relate a key span to an answer choice."""

from lacuna.find.knowledge.base import KnowledgeBase
from lacuna.find.knowledge.build_base import BaseReport, build_base
from lacuna.find.knowledge.build_report import BuildReport
from lacuna.find.knowledge.build_sentences import build_sentences
from lacuna.find.knowledge.build_triples import build_triples
from lacuna.find.knowledge.known import Knowledge, back_off
from lacuna.find.knowledge.sentences import FoundSentence, Sentences
from lacuna.find.knowledge.triple_rows import Triple
from lacuna.find.knowledge.triples import OMCS, WORDNET, FoundTriple, Triples
from lacuna.find.knowledge.wording import inverse_sentence_of, sentence_of

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
    "sentence_of",
]
