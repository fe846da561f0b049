"""From a question with gold to the labelled inputs that the model learns from."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence

from lacuna.answer_mode import MAY_ABSTAIN, MAY_QUOTE_THE_QUESTION, AnswerMode
from lacuna.errors import LacunaError
from lacuna.models.reader.choices import choice_inputs
from lacuna.models.reader.encode import Packer
from lacuna.models.reader.heads import COUNTS, HeadKind
from lacuna.models.reader.model_input import ModelInput
from lacuna.models.tokenizer import Tokenizer
from lacuna.train.data.names import other_names
from lacuna.train.instances import Instance
from lacuna.train.labels import (
    evidence_regions,
    number_labels,
    occurrences,
    question_places,
    span_places,
)
from lacuna.types import Answer, AnswerKind, Document, FollowUp, Gold, Question, Span, YesNo

FIXED = {AnswerKind.YES: HeadKind.YES, AnswerKind.NO: HeadKind.NO, AnswerKind.NONE: HeadKind.NONE}
MAY_CALCULATE = (AnswerMode.ASK, AnswerMode.CALCULATE)
RANKED = 4
"""Distractors that are ranked against the gold paragraphs of a question."""


class Examples:
    """Builds instances; deterministic for a seed and the order of calls."""

    def __init__(self, pieces: Tokenizer, seed: int) -> None:
        self._pieces = pieces
        self._random = random.Random(seed)
        self._group = 0

    def of(
        self, question: Question, mode: AnswerMode, source: int, *, ranked: bool = True
    ) -> list[Instance]:
        """The inputs of one question; none where nothing could be learned from it."""
        self._group += 1
        try:
            if question.choices:
                made = self._choices(question, source)
            else:
                made = list(self._reads(question, mode, source))
                if ranked and len(question.documents) > 1:
                    made += self._ranks(question, mode, source)
        except LacunaError:  # a question that is too long to be read is no example
            return []
        for one in made:
            one.group = self._group
        return made

    def links(self, question: Question, source: int) -> list[Instance]:
        """A passage with its links, those that hold what is missing marked."""
        assert question.context is not None
        self._group += 1
        gold = set((question.gold or Gold()).links or ())
        made = []
        for read in Packer(self._pieces, question, AnswerMode.ASK).windows():
            links = [
                (*place, int(link.target in gold))
                for link in question.context.links
                for place in read.places(0, link.start, link.end)
            ]
            if any(label for *_, label in links):
                made.append(_instance(read, source, AnswerMode.ASK))
                made[-1].links, made[-1].group = links, self._group
        return made

    def _choices(self, question: Question, source: int) -> list[Instance]:
        right = question.gold.answers[0].label if question.gold and question.gold.answers else ""
        if right not in [choice.label for choice in question.choices]:
            return []
        made = []
        for index, choice in enumerate(question.choices):
            read = choice_inputs(self._pieces, question, index)[0]
            made.append(_instance(read, source, AnswerMode.CHOOSE))
            made[-1].choice = int(choice.label == right)
        return made

    def _reads(self, question: Question, mode: AnswerMode, source: int) -> Iterator[Instance]:
        packer = Packer(self._pieces, question, mode)
        if (whole := packer.whole()) is not None:
            inputs = [whole] if whole.segments else []
        elif len(packer.encoded.documents) == 1:
            inputs = packer.windows()
        else:
            chunks = packer.chunks()
            gold = set(evidence_regions(packer.encoded.documents, question.gold or Gold()))
            scores = [
                self._random.random() + 2 * any(_touches(packer, part, region) for region in gold)
                for part in chunks
            ]
            inputs = [packer.best(chunks, scores)]
        made = [self._labelled(read, question, mode, source) for read in inputs]
        found = [one for one in made if one.answered]
        if len(inputs) > 1 and found and mode in MAY_ABSTAIN:
            for one in made:
                if not one.answered:
                    one.answered, one.fixed = True, HeadKind.NONE
            found = made
        yield from (one for one in made if one in found or one.sentences)

    def _labelled(
        self, read: ModelInput, question: Question, mode: AnswerMode, source: int
    ) -> Instance:
        one = _instance(read, source, mode)
        gold = question.gold or Gold()
        for answer in gold.answers:
            if answer.kind in FIXED:
                one.fixed = FIXED[answer.kind]
            elif answer.kind is AnswerKind.SPANS:
                parts = [Answer.span(text) for text in answer.texts]
                places = [span_places(read, question, part)[:1] for part in parts]
                if all(places):
                    one.tagged = sorted({place for some in places for place in some})
            else:
                one.spans += span_places(read, question, answer)
        if mode in MAY_CALCULATE:
            numbers, one.derivations = number_labels(read, question, gold.answers)
            one.numbers = list(numbers)
            values = {a.value for a in gold.answers if a.kind is AnswerKind.NUMBER}
            counts = [
                v for v in values if v is not None and float(v).is_integer() and 0 <= v < COUNTS
            ]
            if counts and re.search(r"\bhow many\b", question.text, re.IGNORECASE):
                one.count = int(counts[0])
        if not (one.spans or one.tagged or one.derivations) and mode in MAY_QUOTE_THE_QUESTION:
            for answer in gold.answers:
                if answer.kind is AnswerKind.SPAN:
                    one.spans += question_places(read, question, answer.texts[0])
        one.spans = sorted(set(one.spans))
        one.answered = bool(
            one.spans or one.tagged or one.derivations or one.count >= 0 or one.fixed >= 0
        )
        if gold.supporting_facts is not None:
            facts = set(gold.supporting_facts)
            for number, document in enumerate(read.encoded.documents):
                for index, sentence in enumerate(document.sentences):
                    for place in read.places(number, *sentence):
                        label = int((document.title, index) in facts)
                        one.sentences.append((*place, label))
        if gold.acts is not None:
            one.yes_no_act = -1 if gold.acts.yes_no is None else list(YesNo).index(gold.acts.yes_no)
            follow_up = gold.acts.follow_up
            one.follow_up_act = -1 if follow_up is None else list(FollowUp).index(follow_up)
        return one

    def _ranks(self, question: Question, mode: AnswerMode, source: int) -> list[Instance]:
        """Each gold document and some others by themselves: does it help with the question?"""
        gold = {piece.document for piece in (question.gold and question.gold.evidence) or ()}
        gold |= {title for title, _ in (question.gold and question.gold.supporting_facts) or ()}
        useful = [document for document in question.documents if document.title in gold]
        others = [document for document in question.documents if document.title not in gold]
        if not useful and not (question.gold and question.gold.evidence == ()):
            return []
        chosen = useful + self._random.sample(others, min(RANKED, len(others)))
        made = []
        for document in chosen:
            alone = Question(question.id, question.text, documents=(document,))
            packer = Packer(self._pieces, alone, mode)
            for part in packer.chunks()[:2]:
                read = packer.input([part])
                one = _instance(read, source, mode)
                one.relevance = int(document.title in gold)
                if one.relevance:
                    one.links = self._bridges(read, document, useful)
                made.append(one)
        return made

    def _bridges(
        self, read: ModelInput, document: Document, useful: Sequence[Document]
    ) -> list[tuple[int, int, int]]:
        """Mentions of the other gold document, against other names: the link to follow."""
        wanted = {
            span
            for other in useful
            if other is not document
            for span in occurrences(document.text, re.sub(r" \(.*\)$", "", other.title))
        }
        if not wanted:
            return []
        others = other_names(document.text, wanted)
        labelled = [(span, 1) for span in wanted] + [(span, 0) for span in others]
        return [
            (*place, label) for span, label in sorted(labelled) for place in read.places(0, *span)
        ]


def _touches(packer: Packer, part: tuple[int, int, int], region: tuple[int, Span]) -> bool:
    document, span = region
    cover = packer.encoded.tokens[document].cover(*span)
    return document == part[0] and cover is not None and part[1] <= cover[1] and cover[0] < part[2]


def _instance(read: ModelInput, source: int, mode: AnswerMode) -> Instance:
    regions: list[tuple[int, int]] = [(s.at, s.at + s.last - s.first - 1) for s in read.segments]
    if mode in MAY_QUOTE_THE_QUESTION:
        regions.append(read.question)
    return Instance(source, read.ids, read.marks, regions)
