"""Questions over other people's documents, with the windows that the pipeline reads for them.

A collection is an archive of documents as they were published, and a file of questions with the
quotes that decide them. Collections are kept apart: some are trained on, some fit what is tuned
after training, some only measure.
"""

from __future__ import annotations

import re
import tarfile
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

from lacuna.corpus.passages import headings_above
from lacuna.corpus.refresh import refresh_source
from lacuna.corpus.store import Store
from lacuna.datasets.fields import Fields
from lacuna.errors import BadField
from lacuna.files.json import JsonItems, Shape
from lacuna.files.opening import open_text
from lacuna.retrieve.bm25 import Bm25Retriever
from lacuna.retrieve.windows import around, headed, with_sentences
from lacuna.types import Answer, AnswerKind, Document, Evidence, Gold, Question, Span
from lacuna_lab.data.found import Found, Sought, is_among, read_alone
from lacuna_lab.data.texts import RIVAL, TOGETHER

FOLDER = "strangers"
MEASURED = frozenset({"clef", "gnucash", "mastodon", "raspi", "survival"})
"""Collections that only measure."""
FITTED = frozenset({"borg", "electron", "factbook", "gdsway", "moj-security"})
"""Collections that fit what is tuned after training."""
QUESTIONS, DOCUMENTS = ".questions.jsonl.gz", ".tar.xz"

HITS = 20
HARDEST, OTHERS = 3, 1
"""Windows without the answer: those that the search ranks first, and some of the rest."""
SIZE = 600
"""Characters of a window that the pipeline reads."""
SIZES = (200, 1200)
"""Windows around the evidence are of any size between these."""
TOGETHER_AT_MOST = 1200
"""Quotes that a window of so many characters holds are read in one."""
BAD_LINE, NO_QUOTE, NO_ANSWER = "a broken item", "a quote not found", "an answer not in its quotes"
SUM = re.compile(r"\d[\d.,]*(?: ?[+-] ?\d[\d.,]*)+")
"""Sums that can be calculated by adding and subtracting alone."""


def trained_collections(folder: Path) -> list[str]:
    """The names of the collections that may be trained on."""
    files = (folder / FOLDER).glob(f"*{QUESTIONS}")
    return sorted({file.name.removesuffix(QUESTIONS) for file in files} - MEASURED - FITTED)


def collection_files(folder: Path, names: Iterable[str]) -> list[Path]:
    """The questions and the documents of some collections."""
    return [folder / FOLDER / f"{name}{end}" for name in names for end in (QUESTIONS, DOCUMENTS)]


@dataclass(frozen=True, slots=True)
class StrangersQuestion:
    """A question with the quotes that decide it, as its file has it."""

    id: str
    kind: str
    text: str
    answers: tuple[str, ...]
    quotes: tuple[tuple[str, str], ...]
    """Title and words of each."""
    expression: str = ""
    pair: str = ""

    @classmethod
    def of(cls, fields: Fields) -> StrangersQuestion:
        """The question of a line."""
        raw = fields.peek("answer")
        answers = (
            tuple(fields.texts("answer")) if isinstance(raw, list) else (fields.text("answer"),)
        )
        quotes = (
            (piece.text("title"), piece.text("quote")) for piece in fields.objects("evidence")
        )
        optional = (fields.optional_text(name) or "" for name in ("expression", "pair"))
        return cls(
            fields.text("id"),
            fields.text("kind"),
            fields.text("question"),
            answers,
            tuple(quotes),
            *optional,
        )


def read_collection(path: Path, left_out: Counter[str]) -> Iterator[StrangersQuestion]:
    """The questions of one file; broken lines are counted."""
    with open_text(path) as source:
        for raw in JsonItems(source, Shape.LINES):
            try:
                if raw.problem:
                    raise raw.problem
                yield StrangersQuestion.of(Fields(raw.value))
            except BadField:
                left_out[BAD_LINE] += 1


def find_quote(documents: Mapping[str, Document], title: str, quote: str) -> Found | None:
    """A quote in the document of that title, or else in any; white space does not count."""
    wanted = re.compile(r"\s+".join(map(re.escape, quote.split())))
    first = [documents[title]] if title in documents else []
    for document in (*first, *documents.values()):
        if match := wanted.search(document.text):
            return document, Span(*match.span())
    return None


def strangers_questions(folder: Path, seed: int, left_out: Counter[str]) -> Iterator[Question]:
    """All windows of all questions of the collections that are trained on."""
    for name in trained_collections(folder):
        questions, archive = collection_files(folder, [name])
        with opened_collection(archive) as store:
            yield from windows_of(
                store, list(read_collection(questions, left_out)), Random(seed), left_out
            )


@contextmanager
def opened_collection(archive: Path) -> Iterator[Store]:
    """The documents of a collection, indexed in a folder that is removed afterwards."""
    with tempfile.TemporaryDirectory() as scratch:
        with tarfile.open(archive) as packed:
            packed.extractall(Path(scratch) / "documents", filter="data")
        with Store.create(Path(scratch) / "store") as store:
            with store.writer() as writer:
                refresh_source(writer, Path(scratch) / "documents")
            yield store


def windows_of(
    store: Store,
    questions: Sequence[StrangersQuestion],
    random: Random,
    left_out: Counter[str],
) -> Iterator[Question]:
    """The windows of the questions of one collection; opposite questions stay together."""
    collection = _Collection(store, random)
    pairs: dict[str, list[StrangersQuestion]] = {}
    for asked in questions:
        pairs.setdefault(min(asked.id, asked.pair or asked.id), []).append(asked)
    for first, unit in pairs.items():
        rivals = 0
        for asked in unit:
            gold = collection.gold(asked, left_out)
            if isinstance(gold, Question):
                yield replace(gold, extra={TOGETHER: gold.id})
            elif gold is not None:
                for windows in collection.labelled(asked, gold):
                    for window in windows:
                        yield replace(window, extra={TOGETHER: first, RIVAL: rivals})
                    rivals += 1


class _Collection:
    """The documents of one collection, searched and cut into windows."""

    def __init__(self, store: Store, random: Random) -> None:
        self._retriever, self._random = Bm25Retriever(store), random
        self._documents = {document.title: with_sentences(document) for document in store}

    def gold(self, asked: StrangersQuestion, left_out: Counter[str]) -> Sought | Question | None:
        """The place of the answer; a question over several windows where one cannot hold it."""
        found = [find_quote(self._documents, *quote) for quote in asked.quotes]
        quotes = [place for place in found if place is not None]
        if not quotes or len(quotes) < len(found):
            left_out[NO_QUOTE] += 1
            return None
        document = quotes[0][0]
        answers = _answers(asked, quotes)
        if not answers:
            left_out[NO_ANSWER] += 1
            return None
        places = [span for _, span in quotes]
        whole = Span(min(p.start for p in places), max(p.end for p in places))
        if all(other is document for other, _ in quotes) and (
            len(quotes) == 1 or whole.end - whole.start <= TOGETHER_AT_MOST
        ):
            return Sought(document, whole, answers, tuple(places))
        return None if asked.kind == "none" else self._joint(asked, quotes, answers)

    def _joint(
        self, asked: StrangersQuestion, quotes: Sequence[Found], answers: tuple[Answer, ...]
    ) -> Question:
        """The windows of all quotes read together."""
        most = max(SIZES[0], 2 * SIZES[1] // len(quotes) - SIZES[0])
        windows: list[tuple[Sought, Span]] = []
        for document, span in quotes:
            window = around(document, *span, self._random.randint(SIZES[0], most))
            if not any(gold.document is document for gold, _ in windows):
                windows.append((Sought(document, span, answers, (span,)), window))
            else:
                windows = [
                    (gold, Span(min(at.start, window.start), max(at.end, window.end)))
                    if gold.document is document
                    else (gold, at)
                    for gold, at in windows
                ]
        question = Question(asked.id, asked.text)
        documents, places = [], {}
        for gold, window in windows:
            alone = read_alone(question, 0, gold, (gold.document, window)).documents[0]
            documents.append(alone)
            places[alone.title] = window
        moved = tuple(
            replace(
                answer,
                found_at=tuple(
                    Evidence(at.document, at.start - window.start, at.end - window.start)
                    for at in answer.found_at
                    if (window := places[at.document]).start <= at.start and at.end <= window.end
                ),
            )
            for answer in answers
        )
        self._random.shuffle(documents)
        return replace(question, documents=tuple(documents), gold=Gold(moved))

    def labelled(self, asked: StrangersQuestion, gold: Sought) -> Iterator[list[Question]]:
        """The question with windows that compete: as they are found, then of any size."""
        hits = self._retriever.search(asked.text, HITS)
        found = [
            (d := self._documents[hit.title], around(d, hit.start, hit.end, SIZE)) for hit in hits
        ]
        holding = [window for window in found if gold.held(*window)]
        others: list[Found] = []
        for document, window in found:
            if not (self._may_answer(gold, document, window) or is_among(others, document, window)):
                others.append((document, window))
        size = self._random.randint(*SIZES)
        any_size = gold.document, self._shifted(gold.document, gold.passage, size)
        usual = gold.document, around(gold.document, *gold.passage, SIZE)
        for number, first in enumerate((holding[0] if holding else usual, any_size)):
            if gold.is_answerable and not gold.held(*first):
                continue
            hard = others[number * HARDEST :][:HARDEST]
            rest = [window for window in others if window not in hard]
            easy = self._random.sample(rest, min(OTHERS, len(rest)))
            question = Question(f"{asked.id}/{number}", asked.text)
            yield [
                self._titled(read_alone(question, place, gold, window), window, number)
                for place, window in enumerate((first, *hard, *easy))
            ]

    def _may_answer(self, gold: Sought, document: Document, window: Span) -> bool:
        if not gold.is_answerable:  # its writer has looked: nothing in the collection answers it
            return document is gold.document and _overlap(window, gold.passage)
        return bool(gold.held(document, window)) or gold.may_answer(document, window)

    def _shifted(self, document: Document, passage: Span, size: int) -> Span:
        """A window of about that size that holds the passage anywhere in it."""
        room = max(0, size - (passage.end - passage.start))
        before = self._random.randint(0, room)
        start = max(0, passage.start - before)
        end = min(len(document.text), passage.end + room - before)
        return around(document, start, end, max(1, end - start))

    def _titled(self, question: Question, found: Found, number: int) -> Question:
        """With the headings that the window stands under, as the pipeline reads it; windows of any
        size every second time."""
        document, window = found
        if number and self._random.random() < 0.5:
            return question
        return retitled(question, headed_window(document, window))


def headed_window(document: Document, window: Span) -> str:
    """The title of a window, with the headings that it stands under."""
    return headed(document.title, headings_above(document, window.start))


def retitled(question: Question, title: str) -> Question:
    """A question over one document under another title."""
    (document,), gold = question.documents, question.gold
    assert gold is not None
    answers = tuple(
        replace(answer, found_at=tuple(replace(at, document=title) for at in answer.found_at))
        for answer in gold.answers
    )
    facts = gold.supporting_facts
    if facts is not None:
        facts = tuple(type(fact)(title, fact.sentence) for fact in facts)
    return replace(
        question,
        documents=(replace(document, title=title),),
        gold=replace(gold, answers=answers, supporting_facts=facts),
    )


def _overlap(one: Span, other: Span) -> bool:
    return one.start < other.end and other.start < one.end


def _answers(asked: StrangersQuestion, quotes: Sequence[Found]) -> tuple[Answer, ...]:
    """The answer with its places; empty where its words stand in no quote."""
    every = tuple(Evidence(document.title, *span) for document, span in quotes)
    if asked.kind == "none":
        return (Answer.none(),)
    if asked.answers in (("yes",), ("no",)):
        answer = Answer.yes() if asked.answers == ("yes",) else Answer.no()
        return (replace(answer, found_at=every),)
    if asked.expression:
        value = summed(asked.expression)
        return () if value is None else (Answer.number(value, "", *every),)
    places = [_place(text, quotes) for text in asked.answers]
    found = tuple(place for place in places if place is not None)
    if len(found) < len(places):
        return ()
    texts = tuple(" ".join(text.split()) for text in asked.answers)
    if len(texts) == 1:
        return (Answer.span(texts[0], *found),)
    return (Answer(AnswerKind.SPANS, texts, found),)


def _place(text: str, quotes: Sequence[Found]) -> Evidence | None:
    wanted = re.compile(r"(?<!\w)" * text[:1].isalnum() + r"\s+".join(map(re.escape, text.split())))
    for document, span in quotes:
        if match := wanted.search(document.text, span.start, span.end):
            return Evidence(document.title, *match.span())
    return None


def summed(expression: str) -> float | None:
    """The value of a sum; None for what is no sum.

    >>> summed("1,997 - 1994"), summed("250 * 3")
    (3.0, None)
    """
    if not SUM.fullmatch(expression.strip()):
        return None
    terms = re.findall(r"([+-]?) ?(\d[\d.,]*)", expression)
    try:
        return sum(
            float(digits.replace(",", "")) * (-1 if sign == "-" else 1) for sign, digits in terms
        )
    except ValueError:
        return None
