"""From a question with gold to the labelled inputs that the model learns from."""

from __future__ import annotations

import random
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, fields
from hashlib import sha256
from itertools import chain, combinations, islice
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lacuna.answers import MAY_ABSTAIN, MAY_CALCULATE, MAY_QUOTE_THE_QUESTION, AnswerMode
from lacuna.errors import LacunaError
from lacuna.files.writing import replace_bytes
from lacuna.models.reader.decode import COUNTS, HeadKind, placed_quantities
from lacuna.models.reader.encode import (
    ModelInput,
    QuestionEncoder,
    TextPlace,
    Tokenizer,
    choice_inputs,
    second_look_input,
)
from lacuna.quantities.arithmetic import HUNDRED, asked_unit, time_between
from lacuna.quantities.find_quantities import Quantity
from lacuna.types import (
    Answer,
    AnswerKind,
    Document,
    Evidence,
    FollowUp,
    Gold,
    Question,
    Span,
    YesNo,
)
from lacuna_lab.data.texts import RIVAL, VERDICT, other_names

UNKNOWN = -1
"""A missing label; its head learns nothing from the instance."""
MAX_SPANS, MAX_DERIVATIONS, MAX_TERMS = 12, 24, 3


@dataclass(slots=True, eq=False)
class Instance:
    """One input with the labels of each head. Places are the first and last token."""

    source: int
    ids: NDArray[np.int32]
    marks: NDArray[np.int32]
    regions: list[tuple[int, int]]
    """Where a span may lie: the segments of text, and the question."""
    answered: bool = False
    """True if anything below is a label of the answer."""
    spans: list[tuple[int, int]] = field(default_factory=list)
    tagged: list[tuple[int, int]] = field(default_factory=list)
    numbers: list[tuple[int, int]] = field(default_factory=list)
    derivations: list[tuple[tuple[int, int], ...]] = field(default_factory=list)
    count: int = UNKNOWN
    fixed: int = UNKNOWN
    """The kind itself, where it is the whole answer: yes, no or none."""
    sentences: list[tuple[int, int, int]] = field(default_factory=list)
    links: list[tuple[int, int, int]] = field(default_factory=list)
    relevance: int = UNKNOWN
    choice: int = UNKNOWN
    yes_no_act: int = UNKNOWN
    follow_up_act: int = UNKNOWN
    rival: int = UNKNOWN
    """Which question of its group a window belongs to, where the windows of one compete."""
    verdict: int = UNKNOWN
    """How the answer is to be judged that is read again."""
    group: int = 0
    """Choices and rival windows of one group are compared, and stay in one batch."""


SCALARS = (
    *("source", "answered", "count", "fixed", "relevance", "choice"),
    *("yes_no_act", "follow_up_act", "rival", "group", "verdict"),
)
PAIRS = ("regions", "spans", "tagged", "numbers")
TRIPLES = ("sentences", "links")


@dataclass(frozen=True, slots=True)
class Ragged:
    """Rows of different length, end to end."""

    values: NDArray[Any]
    ends: NDArray[np.int64]
    sizes: NDArray[np.int64] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "sizes", np.diff(self.ends, prepend=0))

    def __getitem__(self, index: int) -> NDArray[Any]:
        start = self.ends[index - 1] if index else 0
        return self.values[start : self.ends[index]]

    @classmethod
    def of(
        cls, rows: Iterable[Sequence[object] | NDArray[Any]], dtype: str, width: int = 1
    ) -> Ragged:
        arrays = [np.asarray(row, dtype).reshape(-1, width) for row in rows]
        ends = np.cumsum([len(array) for array in arrays], dtype=np.int64)
        joined = np.concatenate(arrays) if arrays else np.zeros((0, width), dtype)
        return cls(joined[:, 0] if width == 1 else joined, ends)


@dataclass(frozen=True, slots=True)
class Instances:
    """Many instances as arrays. ``terms`` are (derivation, number, sign) rows."""

    ids: Ragged
    marks: Ragged
    regions: Ragged
    spans: Ragged
    tagged: Ragged
    numbers: Ragged
    sentences: Ragged
    links: Ragged
    terms: Ragged
    scalars: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.scalars)

    def scalar(self, name: str) -> NDArray[np.int32]:
        """One label of all instances."""
        return self.scalars[:, SCALARS.index(name)]

    @classmethod
    def of(cls, instances: Sequence[Instance]) -> Instances:
        """Pack instances."""
        return cls(
            ids=Ragged.of((each.ids for each in instances), "uint16"),
            marks=Ragged.of((each.marks for each in instances), "uint8"),
            **{n: Ragged.of((getattr(each, n) for each in instances), "int16", 2) for n in PAIRS},
            **{n: Ragged.of((getattr(each, n) for each in instances), "int16", 3) for n in TRIPLES},
            terms=Ragged.of((_terms(each) for each in instances), "int16", 3),
            scalars=np.array(
                [[int(getattr(each, name)) for name in SCALARS] for each in instances], np.int32
            ).reshape(-1, len(SCALARS)),
        )

    @classmethod
    def joined(cls, parts: Sequence[Instances]) -> Instances:
        """Several as one; groups are renumbered so that they stay apart."""
        parts = parts or [cls.of([])]
        joined = {}
        for name in (f.name for f in fields(cls) if f.name != "scalars"):
            raggeds = [getattr(part, name) for part in parts]
            sizes = np.concatenate([ragged.sizes for ragged in raggeds])
            values = np.concatenate([ragged.values for ragged in raggeds])
            joined[name] = Ragged(values, np.cumsum(sizes, dtype=np.int64))
        scalars = [part.scalars.copy() for part in parts]
        first = 0
        for part in scalars:
            group = part[:, SCALARS.index("group")]
            group += first
            first = int(group.max(initial=first - 1)) + 1
        return cls(**joined, scalars=np.concatenate(scalars))

    def arrays(self) -> dict[str, NDArray[Any]]:
        """All arrays, by the names that a file has for them."""
        arrays: dict[str, NDArray[Any]] = {"scalars": self.scalars}
        for name in (f.name for f in fields(self) if f.name != "scalars"):
            ragged: Ragged = getattr(self, name)
            arrays[f"{name}.values"], arrays[f"{name}.ends"] = ragged.values, ragged.ends
        return arrays

    def digest(self) -> str:
        """A short name for exactly these instances."""
        return digest_of(self.arrays().values())

    def save(self, path: Path) -> None:
        """Write them to a file; a kill leaves the old one or the new one."""
        arrays: dict[str, Any] = self.arrays()
        with replace_bytes(path) as out:
            np.savez(out, **arrays)

    @classmethod
    def load(cls, path: Path) -> Instances:
        """Read what ``save`` wrote; labels that came later are unknown in an older file."""
        with np.load(path, allow_pickle=False) as file:
            raggeds = {
                f.name: Ragged(file[f"{f.name}.values"], file[f"{f.name}.ends"])
                for f in fields(cls)
                if f.name != "scalars"
            }
            scalars: NDArray[np.int32] = file["scalars"]
            later = ((0, 0), (0, len(SCALARS) - scalars.shape[1]))
            return cls(**raggeds, scalars=np.pad(scalars, later, constant_values=UNKNOWN))


def _terms(instance: Instance) -> list[tuple[int, int, int]]:
    return [
        (number, index, sign)
        for number, terms in enumerate(instance.derivations)
        for index, sign in terms
    ]


def digest_of(arrays: Iterable[NDArray[Any]]) -> str:
    """A short name for exactly this content."""
    whole = sha256()
    for array in arrays:
        whole.update(np.ascontiguousarray(array).tobytes())
    return whole.hexdigest()[:16]


# How a number that annotators gave may have been calculated from what the text says.
#
# Datasets give the result of a calculation but not its terms; a model is trained on all the ways
# there are, and learns which of them are likely.


Derivation = tuple[tuple[int, int], ...]
"""Indices of quantities, each with its sign."""

_DECIMALS = 4  # values that agree so far are the same; floats are not exact, nor are annotators
_MOST_FOR_TRIPLES = 30  # among more, some three add up to anything


def derivations(
    target: float, quantities: Sequence[Quantity], question: str, *, limit: int = 64
) -> list[Derivation]:
    """All ways to get the target as x, x − y, x + y or, failing these, x + y + z.

    ``HUNDRED``, if it comes first, is only ever subtracted from: 100 − x, 100 − x − y.

    >>> from lacuna.quantities.find_quantities import find_quantities
    >>> quantities = find_quantities("He was 5 in 1919, and 12 years later, in 1931, he left.")
    >>> derivations(12, quantities, "How many years passed?")
    [((2, 1),), ((3, 1), (1, -1))]
    """
    search = _Search(target, quantities, question)
    ways = list(islice(chain(search.singles(), search.pairs()), limit))
    if ways or len(search.in_text) > _MOST_FOR_TRIPLES:
        return ways
    return list(islice(search.triples(), limit))


class _Search:
    def __init__(self, target: float, quantities: Sequence[Quantity], question: str) -> None:
        self._target = target
        self._quantities = quantities
        self._values = [quantity.value for quantity in quantities]
        self._unit = asked_unit(question)
        self._has_hundred = bool(quantities) and quantities[0] == HUNDRED
        self.in_text = range(int(self._has_hundred), len(quantities))
        self._places: defaultdict[float, list[int]] = defaultdict(list)
        for index in self.in_text:
            self._places[round(self._values[index], _DECIMALS)].append(index)

    def singles(self) -> Iterator[Derivation]:
        for index in self._at(self._target):
            yield ((index, 1),)

    def pairs(self) -> Iterator[Derivation]:
        for index in self.in_text:
            value = self._values[index]
            for other in self._at(value - self._target):
                if self._may_subtract(index, other):
                    yield (index, 1), (other, -1)
            for other in self._at(self._target - value):
                if other > index and self._may_add(index, other):
                    yield (index, 1), (other, 1)
        if self._has_hundred:
            for index in self._at(100 - self._target):
                yield (0, 1), (index, -1)
        if self._unit in ("days", "months"):
            yield from self._time_spans()

    def triples(self) -> Iterator[Derivation]:
        for first, second in combinations(self.in_text, 2):
            if not self._may_add(first, second):
                continue
            both = self._values[first] + self._values[second]
            for third in self._at(self._target - both):
                if third > second and self._may_add(first, third) and self._may_add(second, third):
                    yield (first, 1), (second, 1), (third, 1)
            if self._has_hundred and self._same(100 - both, self._target):
                yield (0, 1), (first, -1), (second, -1)

    def _at(self, value: float) -> Sequence[int]:
        return self._places.get(round(value, _DECIMALS), ())

    def _same(self, value: float, other: float) -> bool:
        return round(value, _DECIMALS) == round(other, _DECIMALS)

    def _may_subtract(self, index: int, other: int) -> bool:
        if self._target == 0 and index >= other:  # x − y and y − x are one derivation
            return False
        dates = self._quantities[index].date and self._quantities[other].date
        return not dates or (self._target >= 0 and self._unit in ("years", ""))

    def _may_add(self, index: int, other: int) -> bool:
        """Years may be added, for some that look like a year are a count; longer dates may not."""
        first, second = self._quantities[index].date, self._quantities[other].date
        return not (first and first.month and second and second.month)

    def _time_spans(self) -> Iterator[Derivation]:
        dated = [(index, date) for index in self.in_text if (date := self._quantities[index].date)]
        for (index, date), (other, other_date) in combinations(dated, 2):
            if time_between(date, other_date, self._unit) == (self._target, self._unit):
                is_later = date.moment >= other_date.moment
                yield ((index, 1), (other, -1)) if is_later else ((other, 1), (index, -1))


def span_places(model_input: ModelInput, question: Question, answer: Answer) -> list[TextPlace]:
    """The places of an answer of one text: the given ones, or wherever the evidence has it."""
    gold = question.gold or Gold()
    if answer.found_at:
        given = (_placed(model_input, evidence) for evidence in answer.found_at)
        places = [place for evidence in given for place in evidence]
    else:
        places = _searched(model_input, answer.texts[0], gold)
    return places[:MAX_SPANS]


def question_places(model_input: ModelInput, question: Question, text: str) -> list[TextPlace]:
    """Where the question itself contains the answer: "Which is larger, A or B?"."""
    tokens = model_input.encoded.question
    covers = (tokens.cover(*span) for span in occurrences(question.text, text))
    first = model_input.question.first
    return [TextPlace(first + cover[0], first + cover[1]) for cover in covers if cover]


def occurrences(text: str, wanted: str) -> Iterator[Span]:
    """Every place of the wanted words as whole words, in any case."""
    wanted = wanted.strip()
    if not wanted:
        return
    before = r"(?<!\w)" if wanted[0].isalnum() else ""
    after = r"(?!\w)" if wanted[-1].isalnum() else ""
    for match in re.finditer(before + re.escape(wanted) + after, text, re.IGNORECASE):
        yield Span(*match.span())


def _placed(model_input: ModelInput, evidence: Evidence) -> Iterator[TextPlace]:
    for number, document in enumerate(model_input.encoded.documents):
        if document.title == evidence.document:
            yield from model_input.places(number, evidence.start, evidence.end)


def _searched(model_input: ModelInput, text: str, gold: Gold) -> list[TextPlace]:
    """In the evidence, or else in the documents that it is from, or else anywhere."""
    documents = list(enumerate(model_input.encoded.documents))
    regions = list(evidence_regions(model_input.encoded.documents, gold))
    titles = {model_input.encoded.documents[number].title for number, _ in regions}
    whole = [(n, Span(0, len(d.text))) for n, d in documents if d.title in titles]
    for places in (
        regions,
        whole,
        [] if titles else [(n, Span(0, len(d.text))) for n, d in documents],
    ):
        if matches := list(_within(model_input, text, places)):
            return matches
    return []


def evidence_regions(documents: Iterable[Document], gold: Gold) -> Iterator[tuple[int, Span]]:
    """The segments that annotators named as evidence."""
    for number, document in enumerate(documents):
        for piece in gold.evidence or ():
            if piece.document == document.title:
                yield number, Span(piece.start, min(piece.end, len(document.text)))
        for title, sentence in gold.supporting_facts or ():
            if title == document.title and sentence < len(document.sentences):
                yield number, document.sentences[sentence]


def _within(
    model_input: ModelInput, text: str, places: Iterable[tuple[int, Span]]
) -> Iterator[TextPlace]:
    for number, region in places:
        for span in occurrences(model_input.encoded.documents[number].text, text):
            if region.start <= span.start and span.end <= region.end:
                yield from model_input.places(number, span.start, span.end)


def number_labels(
    model_input: ModelInput, question: Question, answers: Iterable[Answer]
) -> tuple[list[TextPlace], list[Derivation]]:
    """The numbers of an input, and every calculation over them that gives a gold answer."""
    placed = placed_quantities(model_input)
    quantities = [each.quantity for each in placed]
    ways: dict[Derivation, None] = {}
    for answer in answers:
        if answer.kind is AnswerKind.NUMBER and answer.value is not None:
            for terms in derivations(answer.value, quantities, question.text):
                if len(terms) <= MAX_TERMS:
                    ways.setdefault(terms)
    return [each.place for each in placed], list(ways)[:MAX_DERIVATIONS]


FIXED = {AnswerKind.YES: HeadKind.YES, AnswerKind.NO: HeadKind.NO, AnswerKind.NONE: HeadKind.NONE}
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

    def second_look(
        self, question: Question, source: int, *, with_last: bool = False
    ) -> list[Instance]:
        """An answer that is read again with the one document it is from, and how it is judged."""
        self._group += not with_last
        assert question.gold is not None
        (passage,) = question.documents
        try:
            read = second_look_input(self._tokenizer, question, question.gold.answers[0], passage)
        except LacunaError:  # the question is too long to be read
            return []
        instance = _instance(read, source, AnswerMode.ASK)
        instance.verdict, instance.group = question.extra[VERDICT], self._group
        return [instance]

    def links(self, question: Question, mode: AnswerMode, source: int) -> list[Instance]:
        """A paragraph with its links, of which those that lead to what is missing are labelled."""
        assert question.context is not None
        self._group += 1
        gold = set((question.gold or Gold()).links or ())
        instances = []
        for window in QuestionEncoder(self._tokenizer, question, mode).windows():
            links = [
                (*place, int(link.target in gold))
                for link in question.context.links
                for place in window.places(0, link.start, link.end)
            ]
            if any(label for *_, label in links):
                instances.append(_instance(window, source, mode))
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
