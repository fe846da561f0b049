"""HotpotQA's questions that come with their supporting sentences alone, put back among paragraphs.

The file joins the sentences into one text, which is taken apart by article. Where a collection has
the paragraph that they are from, the paragraph takes their place. Paragraphs that resemble the
question and do not contain its answer are added as distractors.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

from lacuna.corpus.page_builder import sentence_spans
from lacuna.datasets import get_dataset
from lacuna.types import Document, Evidence, Gold, Question, Span, SupportingFact
from lacuna_lab.data.texts import SimilarTexts, find_text, opening_title

CANDIDATES = 30
"""Most similar paragraphs from which distractors are drawn."""
BATCH = 1000
FEWEST, MOST = 2, 4
"""Distractors of a question."""
NAMELESS = 0.4
"""The share of distractors without a title, where gold has none."""
NEXT_ARTICLE = re.compile(
    r"""(?<=[^\W\d][.!?]|\d[.!?]|[)"”'][.!?]|[.!?]["”)])  # a sentence ends,
    (?=["“(]?[^\W\d_a-z]\w*[^\w.]|(?<!\d\.)\d+[^\d.,%])  # the next begins with no space
    """,
    re.VERBOSE,
)
INITIALS = re.compile(r"(?:^|[\s.(])[^\W\d_]\.$")
"""After these a name goes on ("J.R.Smith"), unless they end an abbreviation ("U.S.")."""


@dataclass(frozen=True, slots=True)
class GoldArticle:
    """The part of an article that a question needs; ``facts`` is None if the rest is unknown."""

    document: Document
    facts: tuple[SupportingFact, ...] | None = None


class GoldParagraphs:
    """Makes questions over several paragraphs from gold sentences and a collection."""

    def __init__(self, paragraphs: Iterable[Document]) -> None:
        self._paragraphs = [paragraph for paragraph in paragraphs if paragraph.sentences]
        self._opening: dict[str, int] = {}
        for number, paragraph in enumerate(self._paragraphs):
            self._opening.setdefault(_bare(paragraph.sentence(0)), number)
        self._similar = SimilarTexts([f"{p.title} {p.text}" for p in self._paragraphs])

    @classmethod
    def open(cls, path: Path) -> GoldParagraphs:
        """Read the collection from a file of paragraphs."""
        with get_dataset("hotpotqa").open(path, skip_bad=True) as reader:
            return cls(block.document for item in reader for block in item.blocks if block.document)

    def questions(self, questions: Iterable[Question], *, seed: int) -> Iterator[Question]:
        """The questions, each with its gold paragraphs among others."""
        random = Random(seed)
        waiting: list[Question] = []
        for question in questions:
            waiting.append(question)
            if len(waiting) == BATCH:
                yield from self._with_paragraphs(waiting, random)
                waiting = []
        yield from self._with_paragraphs(waiting, random)

    def _with_paragraphs(self, questions: list[Question], random: Random) -> Iterator[Question]:
        similar = self._similar.best([question.text for question in questions], CANDIDATES)
        for question, candidates in zip(questions, similar, strict=True):
            gold = self._gold(question.documents[0].text)
            others = self._distractors(question, gold, candidates, random)
            gold, others = _named(gold, others, random)
            documents = [article.document for article in gold] + others
            random.shuffle(documents)
            yield replace(question, documents=tuple(documents), gold=_gold_of(question, gold))

    def _gold(self, knowledge: str) -> list[GoldArticle]:
        gold: list[GoldArticle] = []
        unknown: list[Document] = []
        for document in articles_of(knowledge):
            known = self._in_collection(document)
            title = known.document.title if known else opening_title(document.text)
            if not title or any(article.document.title == title for article in gold):
                unknown.append(document)
            else:
                gold.append(known or GoldArticle(replace(document, title=title)))
        # Evidence names documents by title, so only one may be without.
        return [*gold, *([GoldArticle(_joined(unknown))] if unknown else [])]

    def _in_collection(self, document: Document) -> GoldArticle | None:
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
        return GoldArticle(paragraph, facts)

    def _distractors(
        self, question: Question, gold: list[GoldArticle], candidates: list[int], random: Random
    ) -> list[Document]:
        texts = [text for answer in _answers(question) for text in answer]
        titles = {article.document.title for article in gold}
        openings = {_bare(article.document.sentence(0)) for article in gold}
        fit = [
            paragraph
            for paragraph in (self._paragraphs[number] for number in candidates)
            if paragraph.title not in titles
            and _bare(paragraph.sentence(0)) not in openings
            and not any(find_text(text, f"{paragraph.title}\n{paragraph.text}") for text in texts)
        ]
        count = min(random.randint(FEWEST, MOST), len(fit))
        return [_cut_like(other, random.choice(gold)) for other in random.sample(fit, count)]


def articles_of(knowledge: str) -> Iterator[Document]:
    """One untitled document for each article that the sentences are from.

    >>> [article.text for article in articles_of("It shut in 1846.First is a magazine. It sells.")]
    ['It shut in 1846.', 'First is a magazine. It sells.']
    """
    start = 0
    for cut in (*_cuts(knowledge), len(knowledge)):
        text = knowledge[start:cut].strip()
        start = cut
        if text:
            yield Document("", text, sentence_spans(text, [Span(0, len(text))]))


def _cuts(knowledge: str) -> Iterator[int]:
    for match in NEXT_ARTICLE.finditer(knowledge):
        cut = match.start()
        # An opening quotation mark looks like a closing one: it has a space before it.
        quotes = knowledge.count('"', 0, cut)
        if knowledge[cut - 1] == '"' and quotes % 2:
            continue
        if knowledge[cut - 1] == "." and quotes % 2 and knowledge[cut : cut + 1] == '"':
            continue
        if INITIALS.search(knowledge[:cut]) and not knowledge[:cut].endswith("U.S."):
            continue
        yield cut


def _named(
    gold: list[GoldArticle], others: list[Document], random: Random
) -> tuple[list[GoldArticle], list[Document]]:
    """Names for nameless gold, and nameless distractors: a missing title must not mean gold."""
    if all(article.document.title for article in gold):
        return gold, others
    names = [f"text {number}" for number in range(1, len(gold) + len(others) + 1)]
    random.shuffle(names)
    titled = [
        article
        if article.document.title
        else GoldArticle(replace(article.document, title=names.pop()))
        for article in gold
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


def _cut_like(paragraph: Document, article: GoldArticle) -> Document:
    """Cut to the length of a gold article: otherwise the short ones would be recognised by their
    length."""
    count = len(article.document.sentences)
    if article.facts is not None or len(paragraph.sentences) <= count:
        return paragraph
    spans = paragraph.sentences[:count]
    return Document(paragraph.title, paragraph.text[: spans[-1].end], spans)


def _gold_of(question: Question, articles: list[GoldArticle]) -> Gold:
    evidence = tuple(
        Evidence(article.document.title, 0, len(article.document.text)) for article in articles
    )
    known = [article.facts for article in articles if article.facts is not None]
    facts = tuple(fact for one in known for fact in one) if len(known) == len(articles) else None
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
