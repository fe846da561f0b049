"""Two floors for HotpotQA without a network: the nearest sentence, and the expected kind of answer.

Both rank the sentences of a question's paragraphs by TF-IDF; the two nearest are the supporting
facts.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from lacuna.datasets.baseline import AnswersQuestion, Baseline
from lacuna.text import STOP_WORDS, words
from lacuna.types import Answer, Document, Evidence, Prediction, Question, Role, SupportingFact

FACTS = 2
"""Supporting facts that are named: most questions have one in each of two paragraphs."""
YES_NO = re.compile(r"(?:are|is|was|were|do|does|did|has|have|had|can|could|will|would)\b", re.I)
EITHER = re.compile(r",\s*(?P<one>[^,?]+?)\s+or\s+(?P<other>[^?]+?)\s*\?*$")
WHEN = re.compile(r"\b(?:when|(?:what|which|in what|in which) (?:year|date))\b", re.I)
HOW_MANY = re.compile(r"\bhow (?:many|much|old|long|far|tall|high|large|big)\b", re.I)
YEAR = re.compile(r"\b(?:1[0-9]{3}|20[0-9]{2})\b")
NUMBER = re.compile(r"\b[0-9][0-9,.]*\b")
NAME = re.compile(r"\b[A-Z][\w'’.-]*(?: (?:(?:of|the|and|de|von) )?[A-Z][\w'’.-]*)*")


class _Sentence(NamedTuple):
    document: Document
    number: int

    @property
    def text(self) -> str:
        return self.document.sentence(self.number)

    @property
    def fact(self) -> SupportingFact:
        return SupportingFact(self.document.title, self.number)

    def part(self, found: re.Match[str] | None = None) -> Answer:
        """What was found in it as the answer; without that, all of it."""
        first = self.document.sentences[self.number].start
        start, end = found.span() if found else (0, len(self.text))
        place = Evidence(self.document.title, first + start, first + end, Role.ANSWER)
        return Answer.span(self.text[start:end].strip(), place)


def nearest_sentence(training: Iterable[Question]) -> AnswersQuestion:
    """The whole sentence that is nearest to the question."""

    def answer(question: Question) -> Prediction:
        ranked = ranked_sentences(question)
        return _prediction(ranked[0].part() if ranked else Answer.none(), ranked)

    return answer


def expected_kind(training: Iterable[Question]) -> AnswersQuestion:
    """Yes, one of two, a year, a number or a name, as the question's words ask for."""

    def answer(question: Question) -> Prediction:
        ranked = ranked_sentences(question)
        return _prediction(_by_kind(question.text, ranked), ranked)

    return answer


def ranked_sentences(question: Question) -> list[_Sentence]:
    """The sentences of all paragraphs, the nearest to the question first."""
    sentences = [
        _Sentence(document, number)
        for document in question.documents
        for number in range(len(document.sentences))
    ]
    bags = [Counter(_content(sentence.text)) for sentence in sentences]
    counts = Counter(word for bag in bags for word in bag)
    weight = {word: math.log(1 + len(bags) / count) for word, count in counts.items()}
    asked = set(_content(question.text)) & weight.keys()

    def nearness(bag: Counter[str]) -> float:
        length = math.sqrt(sum((count * weight[word]) ** 2 for word, count in bag.items()))
        shared = sum(bag[word] * weight[word] ** 2 for word in asked)
        return shared / length if length else 0.0

    nearest = {number: nearness(bag) for number, bag in enumerate(bags)}
    return [sentences[number] for number in sorted(nearest, key=lambda at: -nearest[at])]


def _by_kind(asked: str, ranked: list[_Sentence]) -> Answer:
    if either := EITHER.search(asked):
        return Answer.span(either["one"])
    if YES_NO.match(asked):
        return Answer.yes()  # about as often right as no
    wanted = YEAR if WHEN.search(asked) else NUMBER if HOW_MANY.search(asked) else NAME
    known = asked.casefold()
    for sentence in ranked:
        for found in wanted.finditer(sentence.text):
            if found[0].casefold() not in known and found[0].casefold() not in STOP_WORDS:
                return sentence.part(found)
    return ranked[0].part() if ranked else Answer.none()


def _prediction(answer: Answer, ranked: list[_Sentence]) -> Prediction:
    facts = tuple(dict.fromkeys(sentence.fact for sentence in ranked[:FACTS]))
    return Prediction(answer, answer.found_at, supporting_facts=facts)


def _content(text: str) -> list[str]:
    return [word for word in words(text) if word not in STOP_WORDS]


BASELINES = (
    Baseline("tfidf-sentence", "the sentence that is nearest to the question", nearest_sentence),
    Baseline("answer-type", "the first text of the kind that is asked for", expected_kind),
)
