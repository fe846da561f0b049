"""Questions as the pipeline meets them: with the windows that the real retriever finds."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from random import Random

from lacuna.corpus.page_builder import sentence_spans
from lacuna.corpus.store import Store
from lacuna.corpus.titles import folded, plain
from lacuna.retrieve.bm25 import Bm25Retriever
from lacuna.retrieve.windows import AROUND_SIZE as SIZE
from lacuna.retrieve.windows import around
from lacuna.types import (
    Answer,
    AnswerKind,
    Document,
    Evidence,
    Gold,
    Question,
    Span,
    SupportingFact,
)
from lacuna_lab.data.lines import SOURCE, opposites, reworded, short_answers
from lacuna_lab.data.texts import LINE, RIVAL, TOGETHER, sentences_at, units
from lacuna_lab.data.yes_no import balanced, yes_no_questions
from lacuna_lab.train.instances import occurrences

BETWEEN = "\n\n"
ENCYCLOPEDIA = ("", "wikipedia-abstracts", "squad-train")
"""Sources whose articles are the same ones under the same title."""


@dataclass(slots=True)
class _Article:
    title: str
    paragraphs: list[str] = field(default_factory=list)
    size: int = 0


class Pool:
    """Collects paragraphs, each text once, and says where each of them stands."""

    def __init__(self) -> None:
        self._articles: dict[tuple[str, str], _Article] = {}
        self._titles: set[str] = set()
        self._places: dict[str, tuple[_Article, int]] = {}

    def add(self, paragraph: Document, source: str = "") -> None:
        """Put a paragraph behind the others of its article; one that is there stays there."""
        if paragraph.text in self._places:
            return
        of = "" if source in ENCYCLOPEDIA else source
        key = of, folded(paragraph.title)
        if (article := self._articles.get(key)) is None:
            article = self._articles[key] = _Article(self._free_title(plain(paragraph.title), of))
        start = article.size + len(BETWEEN) * bool(article.paragraphs)
        self._places[paragraph.text] = article, start
        article.paragraphs.append(paragraph.text)
        article.size = start + len(paragraph.text)

    def _free_title(self, title: str, source: str) -> str:
        """Titles are unique in a store; manuals all have an introduction."""
        free = title if folded(title) not in self._titles else f"{title} ({source})"
        self._titles.add(folded(free))
        return free

    def place(self, paragraph: Document) -> tuple[str, int]:
        """The title of a paragraph's article, and where in it the paragraph begins."""
        article, start = self._places[paragraph.text]
        return article.title, start

    def documents(self) -> dict[str, Document]:
        """All articles by their titles."""
        return {article.title: _joined(article) for article in self._articles.values()}


def _joined(article: _Article) -> Document:
    text = BETWEEN.join(article.paragraphs)
    paragraphs, start = [], 0
    for paragraph in article.paragraphs:
        paragraphs.append(Span(start, start + len(paragraph)))
        start += len(paragraph) + len(BETWEEN)
    lines = (Span(*match.span()) for match in LINE.finditer(text))
    return Document(article.title, text, sentence_spans(text, lines), paragraphs=tuple(paragraphs))


SPANS = (AnswerKind.SPAN, AnswerKind.SPANS)
DECIDES = 0.7
"""The share of a passage that a window must hold where it is not known which sentence decides."""


@dataclass(frozen=True, slots=True)
class Sought:
    """The gold of a question, its places those of a document of the pool.

    An answer is held by a window that has all places where it was ``found_at``. ``evidence`` is
    None where it is not known which sentences support the answer.
    """

    document: Document
    passage: Span
    answers: tuple[Answer, ...]
    evidence: tuple[Span, ...] | None

    @property
    def is_answerable(self) -> bool:
        """True if its passage answers it."""
        return self.answers[0].kind is not AnswerKind.NONE

    def held(self, document: Document, window: Span) -> tuple[Answer, ...]:
        """The answers that a window gives."""
        if document is not self.document or not self.is_answerable:
            return ()
        return tuple(
            answer
            for answer in self.answers
            if all(window.start <= at.start and at.end <= window.end for at in answer.found_at)
        )

    def may_answer(self, document: Document, window: Span) -> bool:
        """Tell if a window that does not hold the gold may still answer: nobody has looked.

        The words of an answer may stand elsewhere as well; what decides a yes, or what a passage
        lacks, may stand in another part of the same article. Where it is known which sentences
        decide, only what touches them may.
        """
        if self.answers[0].kind not in SPANS:
            near = self.evidence if self.is_answerable and self.evidence else (_whole(document),)
            return document is self.document and any(
                at.start < window.end and window.start < at.end for at in near
            )
        text = document.text[window.start : window.end]
        return any(
            next(occurrences(text, each), None) for answer in self.answers for each in answer.texts
        )


def sought(question: Question, document: Document, start: int) -> Sought:
    """The gold of a question whose passage begins at ``start`` of a document of the pool."""
    assert question.context
    assert question.gold
    context, gold = question.context, question.gold
    passage = Span(start, start + len(context.text))
    evidence = tuple(
        Span(start + span.start, start + span.end) for span in _evidence(context, gold)
    )
    answers = []
    for answer in gold.answers:
        if answer.kind in SPANS:
            places: Iterable[Span] = (
                Span(start + at.start, start + at.end) for at in answer.found_at
            )
        elif answer.kind is AnswerKind.NONE:
            places = ()
        else:
            places = evidence or (_middle(passage),)
        found_at = tuple(Evidence(document.title, *place) for place in places)
        answers.append(replace(answer, found_at=found_at))
    return Sought(document, passage, tuple(answers), evidence or None)


def _evidence(context: Document, gold: Gold) -> Iterable[Span]:
    """The sentences that are known to support it, or else where its answers stand."""
    if gold.supporting_facts is not None:
        return [context.sentences[number] for _, number in gold.supporting_facts]
    return [Span(at.start, at.end) for answer in gold.answers for at in answer.found_at]


def _whole(document: Document) -> Span:
    return Span(0, len(document.text))


def _middle(passage: Span) -> Span:
    half = int(DECIDES * min(passage.end - passage.start, SIZE)) // 2
    middle = (passage.start + passage.end) // 2
    return Span(middle - half, middle + half)


NEGATIVES = 3
"""Windows without an answer; one fewer beside the own passage of an unanswerable question."""

Found = tuple[Document, Span]
"""A window and the document that it is of."""


def labelled_windows(question: Question, gold: Sought, found: Iterable[Found]) -> list[Question]:
    """The question with each window alone as a document that was found, the answering one first.

    Nothing where no single window can hold the answer.
    """
    first: Found | None = None
    others: list[Found] = []
    if not gold.is_answerable:
        first = gold.document, around(gold.document, *gold.passage)
    most = NEGATIVES if gold.is_answerable else NEGATIVES - 1
    for document, window in found:
        if gold.held(document, window):
            first = first or (document, window)
        elif len(others) < most and not (
            gold.may_answer(document, window) or is_among(others, document, window)
        ):
            others.append((document, window))
    first = first or (gold.document, _around_gold(gold))
    if gold.is_answerable and not gold.held(*first):
        return []
    return [
        read_alone(question, number, gold, window) for number, window in enumerate([first, *others])
    ]


def _around_gold(gold: Sought) -> Span:
    """For a question whose passage the retriever did not find."""
    places = gold.answers[0].found_at
    return around(gold.document, min(at.start for at in places), max(at.end for at in places))


def is_among(others: Iterable[Found], document: Document, window: Span) -> bool:
    """Tell if more than half of a window was found before."""
    return any(
        document is other
        and 2 * (min(window.end, end) - max(window.start, start)) > window.end - window.start
        for other, (start, end) in others
    )


def read_alone(question: Question, number: int, gold: Sought, found: Found) -> Question:
    """The question with one window, and what of the gold that holds."""
    document, window = found
    alone = Document(
        document.title,
        document.text[window.start : window.end],
        tuple(_inside(window, document.sentences)),
    )
    held = gold.held(document, window)
    answers = tuple(_moved(answer, window) for answer in held) or (Answer.none(),)
    facts: tuple[SupportingFact, ...] | None = None if held else ()
    if held and gold.evidence is not None:
        facts = sentences_at(alone, _inside(window, gold.evidence))
    return replace(
        question,
        id=f"{question.id}/{number}",
        context=None,
        documents=(alone,),
        gold=Gold(answers, supporting_facts=facts),
    )


def _inside(window: Span, places: Iterable[Span]) -> Iterator[Span]:
    """The places of a document that a window has, as places of the window."""
    for start, end in places:
        start, end = max(start, window.start), min(end, window.end)
        if start < end:
            yield Span(start - window.start, end - window.start)


def _moved(answer: Answer, window: Span) -> Answer:
    """The answer with its places in the window; yes and no need none."""
    places = answer.found_at if answer.kind in SPANS else ()
    return replace(
        answer,
        found_at=tuple(
            Evidence(at.document, at.start - window.start, at.end - window.start) for at in places
        ),
    )


# Questions as the pipeline meets them: with the windows that the real retriever finds for them.
#
# The windows of one question compete for its answer. They are neighbours, each a question of its
# own; questions that stay together anyway have all their windows together.


FILES = (
    *("squad1", "qed", "boolq"),
    *("synthetic_fact", "synthetic_list", "synthetic_none", "synthetic_yes", "synthetic_no"),
)
OF_SQUAD = 14_000
"""Questions of SQuAD 1.1, so that it does not outweigh the others."""
CLAIMS = 8_000
"""Questions for yes or no that are made of claims, from each of two files."""
CLAIMS_OF_ONE_RULE = 0.25
HITS = 8
NOT_HELD = "an answer that no single window holds"


def found_questions(
    real: Callable[[str], Iterator[Question]], seed: int, left_out: Counter[str]
) -> Iterator[Question]:
    """All windows of all questions; ``real`` gives the questions of a file by its name."""
    read = {name: list(real(name)) for name in FILES}
    pool = Pool()
    for question in chain.from_iterable(read.values()):
        assert question.context
        pool.add(question.context, question.extra.get(SOURCE, ""))
    documents = pool.documents()
    questions = _asked(read, seed, left_out)
    with tempfile.TemporaryDirectory() as folder, Store.create(Path(folder) / "pool") as store:
        with store.writer() as writer:
            writer.add(documents.values())
        retriever = Bm25Retriever(store)
        for unit in units(questions):
            for number, question in enumerate(unit):
                assert question.context
                title, start = pool.place(question.context)
                gold = sought(question, documents[title], start)
                found = _found(retriever, documents, question.text)
                windows = labelled_windows(question, gold, found)
                if not windows:
                    left_out[NOT_HELD] += 1
                for window in windows:
                    yield replace(window, extra={TOGETHER: unit[0].id, RIVAL: number})


def _asked(
    read: dict[str, list[Question]], seed: int, left_out: Counter[str]
) -> Iterator[Question]:
    squad = read["squad1"]
    yield from Random(seed).sample(squad, min(OF_SQUAD, len(squad)))
    yield from reworded(short_answers(read["qed"], left_out), seed)
    yield from reworded(balanced(read["boolq"]), seed)
    for kind in ("fact", "list", "none"):
        yield from read[f"synthetic_{kind}"]
    yield from opposites(read["synthetic_yes"], read["synthetic_no"], left_out)
    for name in ("squad1", "synthetic_fact"):
        yield from yes_no_questions(
            read[name], seed=seed, at_most=CLAIMS, of_one_rule=CLAIMS_OF_ONE_RULE
        )


def _found(
    retriever: Bm25Retriever, documents: dict[str, Document], question: str
) -> Iterator[Found]:
    for hit in retriever.search(question, HITS):
        document = documents[hit.title]
        yield document, around(document, hit.start, hit.end)
