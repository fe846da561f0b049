"""From a question with gold to the labelled inputs that the model learns from."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence

from lacuna.answer_mode import MAY_ABSTAIN, MAY_QUOTE_THE_QUESTION, AnswerMode
from lacuna.errors import LacunaError
from lacuna.models.reader.encode import QuestionEncoder, choice_inputs
from lacuna.models.reader.heads import COUNTS, HeadKind
from lacuna.models.reader.model_input import ModelInput
from lacuna.models.tokenizer import Tokenizer
from lacuna.train.data.names import other_names
from lacuna.train.data.together import RIVAL
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
"""Distractors that are ranked against the gold documents of a question."""


class InstanceBuilder:
    """Builds instances; a seed and the order of calls decide them."""

    def __init__(self, tokenizer: Tokenizer, seed: int) -> None:
        self._tokenizer = tokenizer
        self._random = random.Random(seed)
        self._group = 0

    def build(
        self,
        question: Question,
        mode: AnswerMode,
        source: int,
        *,
        ranked: bool = True,
        with_last: bool = False,
    ) -> list[Instance]:
        """The inputs of one question; none where nothing could be learned from it.

        ``with_last`` puts them into the group of the question before.
        """
        self._group += not with_last
        try:
            if question.choices:
                instances = self._choices(question, source)
            else:
                instances = list(self._answers(question, mode, source))
                if ranked and len(question.documents) > 1:
                    instances += self._ranks(question, mode, source)
        except LacunaError:  # nothing can be learned from a question that is too long to be read
            return []
        for instance in instances:
            instance.group = self._group
        if RIVAL in question.extra:
            instances = [instance for instance in instances if instance.answered]
            for instance in instances:
                instance.rival = question.extra[RIVAL]
                instance.relevance = int(instance.fixed != HeadKind.NONE)
        return instances

    def links(self, question: Question, source: int) -> list[Instance]:
        """A paragraph with its links, of which those that lead to what is missing are labelled."""
        assert question.context is not None
        self._group += 1
        gold = set((question.gold or Gold()).links or ())
        instances = []
        for window in QuestionEncoder(self._tokenizer, question, AnswerMode.ASK).windows():
            links = [
                (*place, int(link.target in gold))
                for link in question.context.links
                for place in window.places(0, link.start, link.end)
            ]
            if any(label for *_, label in links):
                instances.append(_instance(window, source, AnswerMode.ASK))
                instances[-1].links, instances[-1].group = links, self._group
        return instances

    def _choices(self, question: Question, source: int) -> list[Instance]:
        right = question.gold.answers[0].label if question.gold and question.gold.answers else ""
        if right not in [choice.label for choice in question.choices]:
            return []
        instances = []
        for index, choice in enumerate(question.choices):
            model_input = choice_inputs(self._tokenizer, question, index)[0]
            instances.append(_instance(model_input, source, AnswerMode.CHOOSE))
            instances[-1].choice = int(choice.label == right)
        return instances

    def _answers(self, question: Question, mode: AnswerMode, source: int) -> Iterator[Instance]:
        encoder = QuestionEncoder(self._tokenizer, question, mode)
        if (whole := encoder.whole()) is not None:
            inputs = [whole] if whole.segments else []
        elif len(encoder.encoded.documents) == 1:
            inputs = encoder.windows()
        else:
            chunks = encoder.chunks()
            gold = set(evidence_regions(encoder.encoded.documents, question.gold or Gold()))
            scores = [
                self._random.random() + 2 * any(_touches(encoder, part, region) for region in gold)
                for part in chunks
            ]
            inputs = [encoder.best(chunks, scores)]
        labelled = [self._labelled(each, question, mode, source) for each in inputs]
        answered = [instance for instance in labelled if instance.answered]
        if len(inputs) > 1 and answered and mode in MAY_ABSTAIN:
            for instance in labelled:
                if not instance.answered:
                    instance.answered, instance.fixed = True, HeadKind.NONE
            answered = labelled
        yield from (each for each in labelled if each in answered or each.sentences)

    def _labelled(
        self, model_input: ModelInput, question: Question, mode: AnswerMode, source: int
    ) -> Instance:
        instance = _instance(model_input, source, mode)
        gold = question.gold or Gold()
        for answer in gold.answers:
            if answer.kind in FIXED:
                instance.fixed = FIXED[answer.kind]
            elif answer.kind is AnswerKind.SPANS:
                parts = [Answer.span(text) for text in answer.texts]
                places = [span_places(model_input, question, part)[:1] for part in parts]
                if all(places):
                    instance.tagged = sorted({place for first in places for place in first})
            else:
                instance.spans += span_places(model_input, question, answer)
        if mode in MAY_CALCULATE:
            numbers, instance.derivations = number_labels(model_input, question, gold.answers)
            instance.numbers = list(numbers)
            values = {a.value for a in gold.answers if a.kind is AnswerKind.NUMBER}
            counts = [
                v for v in values if v is not None and float(v).is_integer() and 0 <= v < COUNTS
            ]
            if counts and re.search(r"\bhow many\b", question.text, re.IGNORECASE):
                instance.count = int(counts[0])
        if mode in MAY_QUOTE_THE_QUESTION and not (
            instance.spans or instance.tagged or instance.derivations
        ):
            for answer in gold.answers:
                if answer.kind is AnswerKind.SPAN:
                    instance.spans += question_places(model_input, question, answer.texts[0])
        instance.spans = sorted(set(instance.spans))
        instance.answered = bool(
            instance.spans
            or instance.tagged
            or instance.derivations
            or instance.count >= 0
            or instance.fixed >= 0
        )
        if gold.supporting_facts is not None:
            facts = set(gold.supporting_facts)
            for number, document in enumerate(model_input.encoded.documents):
                for index, sentence in enumerate(document.sentences):
                    for place in model_input.places(number, *sentence):
                        label = int((document.title, index) in facts)
                        instance.sentences.append((*place, label))
        if gold.acts is not None:
            yes_no, follow_up = gold.acts.yes_no, gold.acts.follow_up
            instance.yes_no_act = -1 if yes_no is None else list(YesNo).index(yes_no)
            instance.follow_up_act = -1 if follow_up is None else list(FollowUp).index(follow_up)
        return instance

    def _ranks(self, question: Question, mode: AnswerMode, source: int) -> list[Instance]:
        """Each gold document and some others by themselves, labelled by their relevance."""
        gold = {piece.document for piece in (question.gold and question.gold.evidence) or ()}
        gold |= {title for title, _ in (question.gold and question.gold.supporting_facts) or ()}
        useful = [document for document in question.documents if document.title in gold]
        others = [document for document in question.documents if document.title not in gold]
        if not useful and not (question.gold and question.gold.evidence == ()):
            return []
        chosen = useful + self._random.sample(others, min(RANKED, len(others)))
        instances = []
        for document in chosen:
            alone = Question(question.id, question.text, documents=(document,))
            encoder = QuestionEncoder(self._tokenizer, alone, mode)
            for part in encoder.chunks()[:2]:
                model_input = encoder.input([part])
                instance = _instance(model_input, source, mode)
                instance.relevance = int(document.title in gold)
                if instance.relevance:
                    instance.links = self._bridges(model_input, document, useful)
                instances.append(instance)
        return instances

    def _bridges(
        self, model_input: ModelInput, document: Document, useful: Sequence[Document]
    ) -> list[tuple[int, int, int]]:
        """Mentions of the other gold document, against other names: which link to follow."""
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
            (*place, label)
            for span, label in sorted(labelled)
            for place in model_input.places(0, *span)
        ]


def _touches(
    encoder: QuestionEncoder, part: tuple[int, int, int], region: tuple[int, Span]
) -> bool:
    document, span = region
    cover = encoder.encoded.tokens[document].cover(*span)
    return document == part[0] and cover is not None and part[1] <= cover[1] and cover[0] < part[2]


def _instance(model_input: ModelInput, source: int, mode: AnswerMode) -> Instance:
    regions: list[tuple[int, int]] = [
        (s.at, s.at + s.last - s.first - 1) for s in model_input.segments
    ]
    if mode in MAY_QUOTE_THE_QUESTION:
        regions.append(model_input.question)
    return Instance(source, model_input.ids, model_input.marks, regions)
