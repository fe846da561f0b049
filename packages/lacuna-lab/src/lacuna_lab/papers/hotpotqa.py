"""HotpotQA's baseline: one network for answers and supporting facts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, islice
from pathlib import Path
from random import Random
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from lacuna.datasets.hotpotqa import SETTINGS
from lacuna.errors import LacunaError
from lacuna.types import (
    Answer,
    AnswerKind,
    Document,
    Evidence,
    Gold,
    Prediction,
    Question,
    Role,
    SupportingFact,
)
from lacuna_lab.data.hotpotqa import GoldParagraphs
from lacuna_lab.data.sources import PARAGRAPHS, TRAIN, DataFile, read
from lacuna_lab.data.texts import sentences_of
from lacuna_lab.papers.layers import LOWEST, BiGru, StackedPointer, best_spans, pointer_loss
from lacuna_lab.papers.words import (
    NOWHERE,
    Ints,
    PieceEncoder,
    ReadingBody,
    TextBatch,
    TextExample,
    TokenArrays,
    TokenTable,
    WordRecipe,
    padded,
    text_part,
    text_parts,
    words_within,
)
from lacuna_lab.train.instances import occurrences

KINDS = (AnswerKind.SPAN, AnswerKind.YES, AnswerKind.NO)
UNKNOWN_KIND = -100
"""A label that losses pass over."""
TITLE_BEGINS, TITLE_ENDS = "<title>", "</title>"


@dataclass(frozen=True, slots=True, kw_only=True)
class HotpotExample(TextExample):
    """A question over paragraphs, its answer's kind, and the sentences that support it."""

    sentences: Ints
    """[sentences, 4]: first and last word, number of the paragraph, number within it."""
    support: NDArray[np.bool_]
    """[sentences]"""
    kind: int

    @property
    def paragraph_starts(self) -> Ints:
        """The beginning of each paragraph, with its title."""
        outside = self.places[:, 0] == NOWHERE
        begins = outside & ~np.concatenate([[False], outside[:-1]])
        begins[0] = True
        return np.flatnonzero(begins).astype(np.int32)


class _Context:
    """The words of paragraphs, one after the other, up to a limit."""

    def __init__(self, table: TokenTable, longest: int) -> None:
        self._table, self._room = table, longest
        self._length = 0
        self._numbers: list[Ints] = []
        self._places: list[Ints] = []
        self.sentences: list[tuple[int, int, int, int]] = []

    def add(self, number: int, document: Document) -> None:
        """A paragraph behind its title, from which no answer is taken."""
        begins, ends = map(self._table.number, (TITLE_BEGINS, TITLE_ENDS))
        title = [begins, *self._table.tokens(document.title).numbers.tolist(), ends]
        self._append(np.array(title, np.int32), np.array([(NOWHERE, 0, 0)] * len(title), np.int32))
        tokens, before = self._table.tokens(document.text), self._length
        paragraph = np.full((len(tokens.numbers), 1), number, np.int32)
        self._append(tokens.numbers, np.concatenate([paragraph, tokens.places], 1))
        for sentence, span in enumerate(document.sentences):
            covered = words_within(tokens.places, *span)
            if covered is not None and before + covered[1] < self._length:
                first, last = before + covered[0], before + covered[1]
                self.sentences.append((first, last, number, sentence))

    def _append(self, numbers: Ints, places: Ints) -> None:
        left = self._room - self._length
        self._numbers.append(numbers[:left])
        self._places.append(places[:left])
        self._length += min(left, len(numbers))

    def arrays(self) -> tuple[Ints, Ints]:
        """The words [words], and where each stands [words, 3]: paragraph, start, end."""
        if not self._length:  # a question without any paragraph
            begins = np.array([self._table.number(TITLE_BEGINS)], np.int32)
            self._append(begins, np.array([(NOWHERE, 0, 0)], np.int32))
        return np.concatenate(self._numbers), np.concatenate(self._places)


def hotpot_example(
    question: Question, gold: Gold | None, table: TokenTable, longest: int, *, all_support: bool
) -> HotpotExample:
    """A question with what annotators said of it; ``all_support`` where only facts are read."""
    context = _Context(table, longest)
    for number, document in enumerate(question.documents):
        context.add(number, document)
    numbers, places = context.arrays()
    sentences = np.array(context.sentences, np.int32).reshape(-1, 4)
    facts = set((gold and gold.supporting_facts) or ())
    titles = [document.title for document in question.documents]
    support = [all_support or SupportingFact(titles[d], s) in facts for *_, d, s in sentences]
    answer = gold.answers[0] if gold and gold.answers else None
    kind = KINDS.index(answer.kind) if answer and answer.kind in KINDS else UNKNOWN_KIND
    supported = {
        (int(d), int(s)) for (*_, d, s), yes in zip(sentences, support, strict=True) if yes
    }
    spans = _answer_spans(question, answer, places, supported)
    asked = table.tokens(question.text).numbers
    return HotpotExample(
        context=numbers,
        places=places,
        question=asked if len(asked) else np.array([table.number("?")], np.int32),
        starts=spans[:, 0],
        ends=spans[:, 1],
        group=question.id,
        sentences=sentences,
        support=np.array(support, np.bool_),
        kind=kind,
    )


def _answer_spans(
    question: Question, answer: Answer | None, places: Ints, supported: set[tuple[int, int]]
) -> Ints:
    """The places of the answer in supporting sentences, or else anywhere: [spans, 2]."""
    if answer is None or answer.kind is not AnswerKind.SPAN:
        return np.zeros((0, 2), np.int32)
    inside, anywhere = [], []
    for number, document in enumerate(question.documents):
        own = np.flatnonzero(places[:, 0] == number)
        for start, end in occurrences(document.text, answer.texts[0]) if len(own) else ():
            words = words_within(places[own, 1:], start, end)
            if words is None or places[own[words[1]], 2] < end:
                continue  # behind the limit
            span = (own[words[0]], own[words[1]])
            anywhere.append(span)
            if any(
                (number, sentence) in supported and begin <= start and end <= stop
                for sentence, (begin, stop) in enumerate(document.sentences)
            ):
                inside.append(span)
    return np.array(inside or anywhere, np.int32).reshape(-1, 2)


# Questions that HotpotQA's baseline learns from: its own, and others in the same form.
#
# 6,407 questions are few for a network that knows nothing but word vectors. Others teach it to
# find an answer among paragraphs before it learns from HotpotQA's alone.


SEED = 1
NEIGHBOURS = 3
"""Paragraphs of the same article beside the one that a question of SQuAD is about."""


@dataclass(frozen=True, slots=True)
class _Source:
    files: tuple[DataFile, ...]
    questions: Callable[[Path], Iterator[Question]]


def check_sources(sources: Sequence[str], where: str) -> None:
    """Refuse names that are none."""
    if not sources:
        raise LacunaError(f"{where}: 'sources' names none. Give {', '.join(SOURCES)}.")
    if unknown := sorted(set(sources) - set(SOURCES)):
        raise LacunaError(f"{where}: there is no source {unknown[0]!r}: {', '.join(SOURCES)}.")


def source_files(sources: Sequence[str], data: Path) -> list[Path]:
    """The files that they read."""
    return [file.find(data) for name in sources for file in SOURCES[name].files]


def source_questions(sources: Sequence[str], data: Path) -> Iterator[Question]:
    """The questions of one source after the other."""
    for name in sources:
        yield from SOURCES[name].questions(data)


def _of_file(name: str) -> _Source:
    return _Source((TRAIN[name],), lambda data: read(TRAIN[name], data))


def _gold_sentences(data: Path) -> Iterator[Question]:
    """Questions whose supporting sentences alone are known, among paragraphs that resemble them."""
    paragraphs = GoldParagraphs.open(PARAGRAPHS.find(data))
    for question in paragraphs.questions(read(TRAIN["hotpotqa_gold"], data), seed=SEED):
        yield _all_supporting(question)


def _all_supporting(question: Question) -> Question:
    """Every sentence of a gold paragraph supports, where it is not known which ones do."""
    gold = question.gold
    if gold is None or gold.supporting_facts:
        return question
    titles = {place.document for place in gold.evidence or ()}
    facts = tuple(
        SupportingFact(document.title, number)
        for document in question.documents
        if document.title in titles
        for number in range(len(document.sentences))
    )
    return replace(question, gold=replace(gold, supporting_facts=facts))


def _of_squad(data: Path) -> Iterator[Question]:
    """SQuAD's questions among other paragraphs of their article."""
    random = Random(SEED)
    for _, article in groupby(read(TRAIN["squad1"], data), lambda q: _own_text(q).title):
        yield from among_neighbours(list(article), random)


def among_neighbours(questions: Sequence[Question], random: Random) -> Iterator[Question]:
    """Questions about paragraphs of one article, each with some of the others beside its own.

    The sentence in which the answer begins is the supporting fact. Paragraphs that name the answer
    too are left out.
    """
    paragraphs: dict[str, Document] = {}
    for question in questions:
        title, text = _own_text(question).title, _own_text(question).text
        named = Document(f"{title} {len(paragraphs) + 1}", text, sentences_of(text))
        paragraphs.setdefault(text, named)
    for question in questions:
        own = paragraphs[_own_text(question).text]
        if question.gold is None or question.gold.answers[0].kind is not AnswerKind.SPAN:
            continue
        answer = question.gold.answers[0]
        mixed = random.sample(list(paragraphs.values()), len(paragraphs))
        others = (each for each in mixed if answer.text not in each.text)
        documents = [own, *islice(others, NEIGHBOURS)]
        random.shuffle(documents)
        facts = tuple(
            SupportingFact(own.title, number)
            for number, sentence in enumerate(own.sentences)
            if any(sentence.start <= place.start < sentence.end for place in answer.found_at)
        )
        gold = Gold((Answer.span(answer.text),), supporting_facts=facts)
        yield replace(question, context=None, documents=tuple(documents), gold=gold)


def _own_text(question: Question) -> Document:
    assert question.context is not None  # every question of SQuAD has one
    return question.context


SOURCES: Mapping[str, _Source] = {
    "hotpotqa": _of_file("hotpotqa"),
    "hotpotqa_gold": _Source((TRAIN["hotpotqa_gold"], PARAGRAPHS), _gold_sentences),
    "twowiki": _of_file("twowiki"),
    "squad1": _Source((TRAIN["squad1"],), _of_squad),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class HotpotRecipe(WordRecipe):
    """The settings of table 7 are ``support_weight = 0``, ``self_attention``, ``characters``,
    ``leave_out_levels`` and ``setting``."""

    sources: tuple[str, ...] = ("hotpotqa",)
    """The datasets whose questions are learned from: hotpotqa, and for a first training that others
    go on from also hotpotqa_gold, twowiki and squad1."""
    support_weight: float = 1.0
    """The weight of the loss of supporting facts; with 0 they are neither learned nor given."""
    support_threshold: float = 0.3
    """The least probability of a sentence that is given as a supporting fact."""
    read_whole: bool = False
    """True if the RNNs read all paragraphs as one text, as in the paper; reading each by itself
    takes a fifth of the time. Attention sees all of them either way."""
    setting: str = "distractor"
    """The texts that are read: ten paragraphs, the gold ones (gold-only), or
    supporting-facts-only."""
    leave_out_levels: tuple[str, ...] = ()
    """Levels (easy, medium, hard) whose questions are not learned from."""

    def check(self, where: str) -> None:
        WordRecipe.check(self, where)
        readable = [name for name, setting in SETTINGS.items() if not setting.over_corpus]
        if self.setting not in readable:
            raise LacunaError(f"{where}: 'setting' must be {' or '.join(readable)}.")
        check_sources(self.sources, where)
        if self.support_weight < 0:
            raise LacunaError(f"{where}: 'support_weight' must not be less than 0.")
        if not 0 <= self.support_threshold <= 1:
            raise LacunaError(f"{where}: 'support_threshold' must be from 0 to 1.")
        if unknown := sorted(set(self.leave_out_levels) - {"easy", "medium", "hard"}):
            raise LacunaError(f"{where}: there is no level {unknown[0]!r}: easy, medium or hard.")


@dataclass(frozen=True, slots=True, kw_only=True)
class HotpotBatch(TextBatch):
    """Questions over paragraphs, with their sentences."""

    bounds: Tensor
    """[texts, sentences, 2]: the first and last word of each."""
    sentence_mask: Tensor
    """[texts, sentences]"""
    sentence_of: Tensor
    """[texts, words]: the sentence of each word, -1 for words in none."""
    support: Tensor
    """[texts, sentences]"""
    kinds: Tensor
    """[texts]"""


class HotpotScores(NamedTuple):
    """Scores before any softmax."""

    support: Tensor
    """[texts, sentences]"""
    start: Tensor
    """[texts, words]"""
    end: Tensor
    kind: Tensor
    """[texts, 3]: span, yes, no."""


class HotpotNetwork(nn.Module):
    """Sentences first, then start, end and kind of the answer, each from what was read before."""

    def __init__(
        self, recipe: HotpotRecipe, vectors: Tensor, encoder: PieceEncoder | None = None
    ) -> None:
        super().__init__()
        hidden, dropout = recipe.hidden, recipe.dropout
        self.support_weight = recipe.support_weight
        self.body = ReadingBody(recipe, vectors, encoder)
        size = self.body.size
        self.sentence_rnn = BiGru(size, hidden, dropout)
        self.sentence_score = nn.Linear(2 * size, 1)
        self.start = StackedPointer(size, 2 * size, hidden, dropout)
        self.end = StackedPointer(size, self.start.size, hidden, dropout)
        self.kind_rnn = BiGru(size + self.end.size, hidden, dropout)
        self.kind = nn.Linear(self.kind_rnn.size, len(KINDS))

    def forward(self, batch: HotpotBatch) -> HotpotScores:
        lengths, allowed = batch.read_lengths, batch.paragraphs != NOWHERE
        states = self.body(batch)  # [texts, words, size]
        sentences = self._sentences(self.sentence_rnn(states, lengths), batch.bounds)
        support = self.sentence_score(sentences).squeeze(2).float()  # [texts, sentences]
        start_states, start = self.start(
            states, _at_words(sentences, batch.sentence_of), lengths, allowed
        )
        end_states, end = self.end(states, start_states, lengths, allowed)
        read = self.kind_rnn(torch.cat([states, end_states], 2), lengths)
        read = read.masked_fill(~batch.context_mask[:, :, None], LOWEST)
        return HotpotScores(support, start, end, self.kind(read.max(1).values).float())

    def _sentences(self, states: Tensor, bounds: Tensor) -> Tensor:
        """States at the first and last word of each sentence, [texts, sentences, 2 size]."""
        texts, sentences, _ = bounds.shape
        places = bounds.reshape(texts, -1, 1).expand(-1, -1, states.shape[2])
        return states.gather(1, places).reshape(texts, sentences, -1)

    def loss(self, batch: HotpotBatch) -> Tensor:
        """The joint loss: of start, end and kind, and of supporting facts by their weight."""
        scores = self(batch)
        loss = pointer_loss(scores.start, batch.starts) + pointer_loss(scores.end, batch.ends)
        if bool((batch.kinds != UNKNOWN_KIND).any()):
            loss = loss + nn.functional.cross_entropy(scores.kind, batch.kinds)
        if self.support_weight and bool(batch.sentence_mask.any()):
            chosen = batch.sentence_mask
            facts = nn.functional.binary_cross_entropy_with_logits(
                scores.support[chosen], batch.support[chosen].float()
            )
            loss = loss + self.support_weight * facts
        return loss


def _at_words(sentences: Tensor, sentence_of: Tensor) -> Tensor:
    """The state of each word's sentence, [texts, words, size]; zeros for words in none."""
    places = sentence_of.clamp(min=0)[:, :, None].expand(-1, -1, sentences.shape[2])
    return sentences.gather(1, places) * (sentence_of != NOWHERE)[:, :, None]


def hotpot_batch(
    examples: Sequence[HotpotExample], tokens: TokenArrays, *, by_paragraph: bool
) -> HotpotBatch:
    """Several examples as tensors."""
    texts = text_part(examples, tokens)
    # At least one place for a sentence, so that a batch without any has a shape as well.
    most = max(1, *(len(example.sentences) for example in examples))
    bounds = np.zeros((len(examples), most, 2), np.int64)
    real, support = (np.zeros((len(examples), most), np.bool_) for _ in range(2))
    sentence_of = []
    for row, example in enumerate(examples):
        count = len(example.sentences)
        bounds[row, :count] = example.sentences[:, :2]
        real[row, :count], support[row, :count] = True, example.support
        own = np.full(len(example.context), NOWHERE, np.int64)
        for number, (first, last) in enumerate(example.sentences[:, :2]):
            own[first : last + 1] = number
        sentence_of.append(own)
    return HotpotBatch(
        **texts,
        bounds=torch.from_numpy(bounds),
        sentence_mask=torch.from_numpy(real),
        sentence_of=torch.from_numpy(padded(sentence_of, NOWHERE)),
        support=torch.from_numpy(support),
        kinds=torch.tensor([example.kind for example in examples]),
        parts=text_parts(examples, [e.paragraph_starts for e in examples])
        if by_paragraph
        else None,
    )


LONGEST_ANSWER = 15
"""Words."""


@dataclass(frozen=True, slots=True)
class HotpotTask:
    """HotpotQA by a recipe."""

    recipe: HotpotRecipe

    def files(self, data: Path) -> list[Path]:
        return source_files(self.recipe.sources, data)

    def questions(self, data: Path) -> Iterator[Question]:
        for question in source_questions(self.recipe.sources, data):
            if question.extra.get("level") not in self.recipe.leave_out_levels:
                yield question

    def trainable(self, question: Question, table: TokenTable) -> HotpotExample | None:
        if question.gold is None or not question.gold.supporting_facts:
            return None
        example = self.example(question, table, self.recipe.longest)
        return None if example.kind == UNKNOWN_KIND else example

    def example(self, question: Question, table: TokenTable, longest: int) -> HotpotExample:
        if question.gold is None:  # it was arranged by the setting it is evaluated in
            return hotpot_example(question, None, table, longest, all_support=False)
        arranged = SETTINGS[self.recipe.setting].arrange(question)
        all_support = self.recipe.setting == "supporting-facts-only"
        return hotpot_example(arranged, question.gold, table, longest, all_support=all_support)

    def network(self, vectors: Tensor, encoder: PieceEncoder | None = None) -> HotpotNetwork:
        return HotpotNetwork(self.recipe, vectors, encoder)

    def batch(self, examples: Sequence[HotpotExample], tokens: TokenArrays) -> HotpotBatch:
        return hotpot_batch(examples, tokens, by_paragraph=not self.recipe.read_whole)

    def predictions(
        self,
        network: HotpotNetwork,
        batch: HotpotBatch,
        questions: Sequence[Question],
        examples: Sequence[HotpotExample],
    ) -> list[Prediction]:
        """Yes, no or a span first; then the most likely span."""
        scores: HotpotScores = network(batch)
        spans = best_spans(scores.start, scores.end, batch.paragraphs, LONGEST_ANSWER)
        first, last, likely = (part.cpu().tolist() for part in spans)
        kinds = scores.kind.softmax(1).cpu()
        support = scores.support.sigmoid().cpu().tolist()
        predictions = []
        for row, (question, example) in enumerate(zip(questions, examples, strict=True)):
            kind = int(kinds[row].argmax())
            confidence = float(kinds[row, kind])
            answer = _answer(KINDS[kind], question, example, first[row], last[row])
            if answer.kind is AnswerKind.SPAN:
                confidence *= likely[row]
            facts = self._facts(question, example, support[row])
            predictions.append(Prediction(answer, supporting_facts=facts, confidence=confidence))
        return predictions

    def _facts(
        self, question: Question, example: HotpotExample, likely: Sequence[float]
    ) -> tuple[SupportingFact, ...] | None:
        if not self.recipe.support_weight:
            return None
        return tuple(
            SupportingFact(question.documents[paragraph].title, number)
            for (*_, paragraph, number), chance in zip(
                example.sentences.tolist(), likely, strict=False
            )
            if chance > self.recipe.support_threshold
        )


def _answer(
    kind: AnswerKind, question: Question, example: HotpotExample, first: int, last: int
) -> Answer:
    if kind is not AnswerKind.SPAN:
        return Answer(kind)
    paragraph, start, _ = example.places[first].tolist()
    if paragraph < 0:
        return Answer.none()  # there was nothing to read
    document, end = question.documents[paragraph], int(example.places[last, 2])
    where = Evidence(document.title, start, end, Role.ANSWER)
    return Answer.span(document.text[start:end], where)
