"""HotpotQA's questions that come with their supporting sentences alone: paragraphs put around them.

The sentences are found in a collection of paragraphs where it holds them. Paragraphs that are
close to the question and do not hold the answer are put beside them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

from lacuna.datasets import get_dataset
from lacuna.train.data.gold_pieces import opening_title, pieces
from lacuna.train.data.iirc_answers import find
from lacuna.train.data.similar import Similar
from lacuna.types import Document, Evidence, Gold, Question, Span, SupportingFact

CLOSE = 30
BATCH = 1000
FEWEST, MOST = 2, 4
NAMELESS = 0.4


@dataclass(frozen=True, slots=True)
class Piece:
    """What stands of one article in a question; ``facts`` is None where the article is unknown."""

    document: Document
    facts: tuple[SupportingFact, ...] | None = None


class GoldOnly:
    """Makes questions over several paragraphs from gold sentences and a collection."""

    def __init__(self, paragraphs: Iterable[Document]) -> None:
        self._paragraphs = [paragraph for paragraph in paragraphs if paragraph.sentences]
        self._opening: dict[str, int] = {}
        for number, paragraph in enumerate(self._paragraphs):
            self._opening.setdefault(_bare(paragraph.sentence(0)), number)
        self._similar = Similar([f"{p.title} {p.text}" for p in self._paragraphs])

    @classmethod
    def open(cls, path: Path) -> GoldOnly:
        """From a file of paragraphs."""
        with get_dataset("hotpotqa").open(path, skip_bad=True) as reader:
            return cls(block.document for item in reader for block in item.blocks if block.document)

    def questions(self, questions: Iterable[Question], *, seed: int) -> Iterator[Question]:
        """The questions, each with its gold paragraphs among others."""
        random = Random(seed)
        waiting: list[Question] = []
        for question in questions:
            waiting.append(question)
            if len(waiting) == BATCH:
                yield from self._made(waiting, random)
                waiting = []
        yield from self._made(waiting, random)

    def _made(self, questions: list[Question], random: Random) -> Iterator[Question]:
        close = self._similar.best([question.text for question in questions], CLOSE)
        for question, candidates in zip(questions, close, strict=True):
            gold = self._gold(question.documents[0].text)
            others = self._others(question, gold, candidates, random)
            gold, others = _named(gold, others, random)
            documents = [piece.document for piece in gold] + others
            random.shuffle(documents)
            yield replace(question, documents=tuple(documents), gold=_gold_of(question, gold))

    def _gold(self, knowledge: str) -> list[Piece]:
        found: list[Piece] = []
        unknown: list[Document] = []
        for document in pieces(knowledge):
            known = self._in_paragraph(document)
            title = known.document.title if known else opening_title(document.text)
            if not title or any(piece.document.title == title for piece in found):
                unknown.append(document)
            else:
                found.append(known or Piece(replace(document, title=title)))
        # Evidence names documents by title, so that only one may be without.
        return [*found, *([Piece(_joined(unknown))] if unknown else [])]

    def _in_paragraph(self, document: Document) -> Piece | None:
        """The paragraph that all sentences are quoted from."""
        number = self._opening.get(_bare(document.sentence(0)), -1)
        if number < 0:
            return None
        paragraph = self._paragraphs[number]
        place = {_bare(paragraph.sentence(i)): i for i in range(len(paragraph.sentences))}
        quoted = [_bare(document.sentence(i)) for i in range(len(document.sentences))]
        if any(sentence not in place for sentence in quoted):
            return None
        facts = tuple(SupportingFact(paragraph.title, place[sentence]) for sentence in quoted)
        return Piece(paragraph, facts)

    def _others(
        self, question: Question, gold: list[Piece], candidates: list[int], random: Random
    ) -> list[Document]:
        texts = [text for answer in _answers(question) for text in answer]
        titles = {piece.document.title for piece in gold}
        openings = {_bare(piece.document.sentence(0)) for piece in gold}
        fit = [
            paragraph
            for paragraph in (self._paragraphs[number] for number in candidates)
            if paragraph.title not in titles
            and _bare(paragraph.sentence(0)) not in openings
            and not any(find(text, f"{paragraph.title}\n{paragraph.text}") for text in texts)
        ]
        count = min(random.randint(FEWEST, MOST), len(fit))
        return [_cut_like(other, random.choice(gold)) for other in random.sample(fit, count)]


def _named(
    gold: list[Piece], others: list[Document], random: Random
) -> tuple[list[Piece], list[Document]]:
    """Names for nameless gold, and nameless others beside it: no name must not mean gold."""
    if all(piece.document.title for piece in gold):
        return gold, others
    names = [f"text {number}" for number in range(1, len(gold) + len(others) + 1)]
    random.shuffle(names)
    titled = [
        piece if piece.document.title else Piece(replace(piece.document, title=names.pop()))
        for piece in gold
    ]
    return titled, [
        _middle_of(other, names.pop(), random) if random.random() < NAMELESS else other
        for other in others
    ]


def _middle_of(paragraph: Document, title: str, random: Random) -> Document:
    """A sentence from further down, which does not say what it is about."""
    start, end = random.choice(paragraph.sentences[1:] or paragraph.sentences)
    text = paragraph.text[start:end].strip()
    return Document(title, text, (Span(0, len(text)),))


def _cut_like(paragraph: Document, piece: Piece) -> Document:
    """As long as a gold piece: else the short ones would be known for gold by their length."""
    count = len(piece.document.sentences)
    if piece.facts is not None or len(paragraph.sentences) <= count:
        return paragraph
    spans = paragraph.sentences[:count]
    return Document(paragraph.title, paragraph.text[: spans[-1].end], spans)


def _gold_of(question: Question, pieces: list[Piece]) -> Gold:
    evidence = tuple(
        Evidence(piece.document.title, 0, len(piece.document.text)) for piece in pieces
    )
    known = [piece.facts for piece in pieces if piece.facts is not None]
    facts = tuple(fact for one in known for fact in one) if len(known) == len(pieces) else None
    assert question.gold is not None
    return replace(question.gold, evidence=evidence, supporting_facts=facts)


def _answers(question: Question) -> Iterator[tuple[str, ...]]:
    if question.gold:
        for answer in question.gold.answers:
            yield answer.texts


def _joined(documents: list[Document]) -> Document:
    whole = documents[0]
    for document in documents[1:]:
        shift = len(whole.text) + 1
        moved = (Span(span.start + shift, span.end + shift) for span in document.sentences)
        whole = Document("", f"{whole.text} {document.text}", (*whole.sentences, *moved))
    return whole


def _bare(sentence: str) -> str:
    return "".join(sentence.split())
