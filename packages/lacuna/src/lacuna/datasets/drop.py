"""DROP: a passage, and questions that count, compare and calculate over it.

Two forms are read: the official JSON, and a reduced one whose answers are plain texts.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from lacuna.answers import AnswerMode, texts_from_answer
from lacuna.datasets.base import Block, Dataset, Form, Item, Raw, Setting, by_name
from lacuna.datasets.fetch import OfficialFile, OfficialFiles
from lacuna.datasets.fields import Fields, difference, keep, restore, visible
from lacuna.datasets.prediction_files import read_texts
from lacuna.errors import shown
from lacuna.files.json import Encoded, Shape
from lacuna.metrics.metric import ARTICLES, NO_PUNCTUATION, Metric, QuestionScore, Row
from lacuna.types import Answer, AnswerKind, Document, Extra, Gold, Prediction, Question

DATE = "date"
DATE_PARTS = ("day", "month", "year")


def drop_form(name: str, *, yes_no: bool) -> Form:
    """DROP's form; with ``yes_no``, a lone span "yes" or "no" is read as that kind of answer."""
    decode = partial(_decode, yes_no=yes_no)
    return Form(name, (Shape.MAP,), _looks_like, decode, _encode)


def number_value(text: str) -> float | None:
    """The value of a number as it is written, or None.

    >>> number_value("1,204")
    1204.0
    """
    try:
        value = float(text.replace(",", ""))
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def _looks_like(value: Any) -> bool:
    match value:
        case {"passage": str(), "qa_pairs": [dict(first), *_]}:
            return "answers" not in first
        case {"passage": str(), "qa_pairs": []}:
            return True
    return False


def _decode(raw: Raw, *, yes_no: bool) -> Item:
    fields = raw.fields
    id_ = raw.key or ""
    document = Document(id_, fields.text("passage"))
    questions = tuple(_question(qa, document, yes_no) for qa in fields.objects("qa_pairs"))
    return Item((Block(questions, document, id_, extra=fields.rest()),))


def _question(fields: Fields, document: Document, yes_no: bool) -> Question:
    id_, text = fields.text("query_id"), fields.text("question")
    gold: Gold | None = None
    leftovers: Extra = {}
    if "answer" in fields:
        raws = [fields.object("answer"), *fields.optional_objects("validated_answers")]
        answers = [_answer(raw, yes_no) for raw in raws]
        gold = Gold(tuple(answers))
        pairs = zip(raws, answers, strict=True)
        leftovers = keep("answers", [difference(raw.rest(), _raw_answer(a)) for raw, a in pairs])
    return Question(id_, text, context=document, gold=gold, extra={**fields.rest(), **leftovers})


def _answer(fields: Fields, yes_no: bool) -> Answer:
    """The official scorer's order: a number counts first, then spans, then the date."""
    number, spans, date = (fields.peek(key) for key in ("number", "spans", DATE))
    if number:
        if isinstance(number, bool) or not isinstance(number, str | int | float):
            raise fields.bad("number", "a number, written as a text")
        return Answer.number(number_value(str(number)), str(number))
    if spans:
        if not isinstance(spans, list) or not all(isinstance(span, str) for span in spans):
            raise fields.bad("spans", "a list of texts")
        if yes_no and spans in (["yes"], ["no"]):
            return Answer.yes() if spans == ["yes"] else Answer.no()
        return Answer.span(spans[0]) if len(spans) == 1 else Answer.spans(tuple(spans))
    if date:
        if not isinstance(date, dict) or not all(
            isinstance(date.get(p, ""), str) for p in DATE_PARTS
        ):
            raise fields.bad(DATE, "day, month and year, each a text", shown(date))
        parts: list[str] = [date.get(part, "") for part in DATE_PARTS]
        if any(parts):
            return Answer.span(" ".join(parts), unit=DATE)
    return Answer.none()


def _raw_answer(answer: Answer) -> dict[str, Any]:
    raw: dict[str, Any] = {"number": "", "spans": [], DATE: dict.fromkeys(DATE_PARTS, "")}
    if answer.kind is AnswerKind.NUMBER:
        raw["number"] = answer.texts[0]
    elif answer.unit == DATE:
        parts = answer.texts[0].split(" ")
        raw[DATE] = dict(zip(DATE_PARTS, parts, strict=False))
    elif answer.kind in (AnswerKind.YES, AnswerKind.NO):
        raw["spans"] = [str(answer.kind)]
    else:
        raw["spans"] = list(answer.texts)
    return raw


def _encode(item: Item) -> Encoded:
    (block,) = item.blocks
    assert block.document is not None
    qa_pairs = [_raw_question(question) for question in block.questions]
    return block.id, {"passage": block.document.text, "qa_pairs": qa_pairs, **block.extra}


def _raw_question(question: Question) -> dict[str, Any]:
    raw: dict[str, Any] = {"query_id": question.id, "question": question.text}
    if question.gold is not None:
        known = [_raw_answer(answer) for answer in question.gold.answers or (Answer.none(),)]
        raw["answer"], *validated = restore("answers", known, question.extra)
        if validated:
            raw["validated_answers"] = validated
    return {**raw, **visible(question.extra)}


# DROP in a reduced form, whose answers are plain texts.
#
# It joins the spans of one answer with " and ", so that it does not tell one span from several.
# Where the parts stand in the passage and the whole does not, both readings become alternatives,
# and a prediction that matches either of them is right.


JOINED = " and "


def _looks_reduced(value: Any) -> bool:
    return isinstance(value, dict) and {"passage_id", "passage", "qa_pairs"} <= value.keys()


def _decode_reduced(raw: Raw) -> Item:
    fields = raw.fields
    id_ = fields.text("passage_id")
    document = Document(id_, fields.text("passage"))
    questions = tuple(_reduced_question(qa, document) for qa in fields.objects("qa_pairs"))
    return Item((Block(questions, document, id_, extra=fields.rest()),))


def _reduced_question(fields: Fields, document: Document) -> Question:
    id_, asked = fields.text("query_id"), fields.text("question")
    written = fields.optional_texts("answers")
    searched = f"{document.text}\n{asked}".casefold()
    gold = None
    if written is not None:
        gold = Gold(tuple(answer for text in written for answer in _readings(text, searched)))
    return Question(id_, asked, context=document, gold=gold, extra=fields.rest())


def _readings(written: str, searched: str) -> Iterator[Answer]:
    value = number_value(written)
    if value is not None:
        yield Answer.number(value, written)
        return
    parts = written.split(JOINED)
    whole = len(parts) == 1 or written.casefold() in searched
    if not whole and all(part.casefold() in searched for part in parts):
        yield Answer.spans(tuple(parts))
    yield Answer.span(written)


def _encode_reduced(item: Item) -> Encoded:
    (block,) = item.blocks
    assert block.document is not None
    qa_pairs = []
    for question in block.questions:
        raw: dict[str, Any] = {"query_id": question.id, "question": question.text}
        if question.gold is not None:
            raw["answers"] = list(_written(question.gold.answers))
        qa_pairs.append({**raw, **question.extra})
    text = block.document.text
    return None, {"passage_id": block.id, "passage": text, "qa_pairs": qa_pairs, **block.extra}


def _written(answers: Iterable[Answer]) -> Iterator[str]:
    second_reading = None
    for answer in answers:
        text = JOINED.join(answer.texts)
        if answer.kind is AnswerKind.SPAN and text == second_reading:
            second_reading = None
            continue
        second_reading = text if answer.kind is AnswerKind.SPANS else None
        yield text


REDUCED = Form(
    "reduced", (Shape.LIST, Shape.LINES), _looks_reduced, _decode_reduced, _encode_reduced
)


SEPARATOR = re.compile(" |-")
Bag = frozenset[str]
ABSTENTION = Prediction(Answer.none())


class DropMetric(Metric):
    """An answer that says nothing is never matched, but its question counts."""

    measures = main = ("em", "f1")
    none: str = ""
    """The spelling of an answer "none" in a prediction."""

    def judge(self, question: Question, prediction: Prediction | None) -> Row:
        assert question.gold is not None
        best_exact = best_f1 = 0.0
        if prediction and prediction.answer:
            predicted = texts_from_answer(prediction.answer, self.none)
            for answer in question.gold.answers:
                wanted = texts_from_answer(answer, self.none)
                if wanted and wanted[0].strip():
                    exact, f1 = compare(predicted, wanted)
                    best_exact, best_f1 = max(best_exact, exact), max(best_f1, f1)
        return best_exact, best_f1

    def abstention(self, question: Question) -> Prediction:
        return ABSTENTION

    def kind(self, question: Question) -> AnswerKind:
        assert question.gold is not None
        answers = question.gold.answers
        return answers[0].kind if answers else AnswerKind.NONE

    def means(self, rows: Sequence[Row]) -> dict[str, float | None]:
        import numpy as np

        # numpy adds in pairs, and the official scorer is numpy's: the last digit shows it.
        columns = zip(*rows, strict=True)
        return {m: float(np.mean(c)) for m, c in zip(self.measures, columns, strict=True)}

    def official(self, scores: Sequence[QuestionScore]) -> dict[str, Any]:
        return {
            **super().official(scores),
            "per_question": {score.id: list(score.row) for score in scores},
        }


def compare(predicted: tuple[str, ...], wanted: tuple[str, ...]) -> tuple[float, float]:
    """Exact match and F1 of two answers, each a list of spans.

    >>> compare(("the 12 ships",), ("12 ships", "2 boats"))
    (0.0, 0.5)
    """
    prediction = [normalise(text) for text in predicted]
    reference = [normalise(text) for text in wanted]
    exact = set(prediction) == set(reference) and len(prediction) == len(reference)
    f1 = _aligned([bag(text) for text in prediction], [bag(text) for text in reference])
    return float(exact), f1


def _aligned(predicted: list[Bag], wanted: list[Bag]) -> float:
    import numpy as np

    scores = np.array([[_f1(p, w) for p in predicted] for w in wanted], dtype=float)
    if scores.shape == (1, 1):
        best = scores[0]
    else:
        from scipy.optimize import linear_sum_assignment

        best = np.zeros(max(len(wanted), len(predicted)))
        rows, columns = linear_sum_assignment(-scores.reshape(len(wanted), len(predicted)))
        for row, column in zip(rows, columns, strict=True):
            best[row] = scores[row, column]
    # numpy's rounding differs from Python's in the last digit, and the official scorer has numpy's.
    return float(np.round(np.mean(best), 2))


def _f1(predicted: Bag, wanted: Bag) -> float:
    if not _numbers_agree(predicted, wanted):
        return 0.0
    same = len(predicted & wanted)
    precision = same / len(predicted) if predicted else 1.0
    recall = same / len(wanted) if wanted else 1.0
    return 2 * precision * recall / (precision + recall) if precision or recall else 0.0


def _numbers_agree(predicted: Bag, wanted: Bag) -> bool:
    numbers = {word for word in wanted if _is_number(word)}
    return not numbers or not numbers.isdisjoint(word for word in predicted if _is_number(word))


@lru_cache(maxsize=8192)
def normalise(text: str) -> str:
    """Token by token: numbers become floats, others lose punctuation and articles.

    >>> normalise("The 12 half-built ships!")
    '12.0 half built ships'
    """
    parts = (" ".join(_token(token.lower()).split()) for token in SEPARATOR.split(text))
    return " ".join(part for part in parts if part)


def bag(normalised: str) -> Bag:
    """The words of a normalised text."""
    return frozenset(normalised.split())


def _token(token: str) -> str:
    if not _is_number(token):
        token = token.translate(NO_PUNCTUATION)
    if _is_number(token):
        token = str(float(token))
    return ARTICLES.sub(" ", token)


def _is_number(text: str) -> bool:
    """Whatever Python reads as a float, so "nan" and "1_000" too: the official scorer's rule."""
    try:
        float(text)
    except ValueError:
        return False
    return True


# DROP: a passage, and questions that count, compare and calculate over it.
#
# Two forms are read: the official JSON, and a reduced one whose answers are plain texts.


class DROP(Dataset):
    """DROP, official and reduced."""

    name = "drop"
    about = "counting and arithmetic over a passage (Dua et al. 2019)"
    forms = (drop_form("official", yes_no=False), REDUCED)
    settings = by_name(Setting("passage", AnswerMode.CALCULATE))
    downloads = OfficialFiles(
        "CC BY-SA 4.0",
        "https://allenai.org/data/drop",
        (
            OfficialFile(
                "https://s3-us-west-2.amazonaws.com/allennlp/datasets/drop/drop_dataset.zip",
                8308692,
                "39d2278a29fd729de301b111a45f434c24834f40df8f4ff116d864589e3249d6",
                members=(
                    "drop_dataset/drop_dataset_train.json",
                    "drop_dataset/drop_dataset_dev.json",
                ),
            ),
        ),
    )

    def metric(self, **options: Any) -> Metric:
        return DropMetric(**options)

    def read_predictions(self, path: Path) -> dict[str, Prediction]:
        return read_texts(path, self.no_answer, yes_no=False)
