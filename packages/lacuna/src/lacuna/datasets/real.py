"""Questions that people wrote over collections of documents, each with the patterns of its answer.

For measuring and for choosing between models and settings, never for training: what is asked here
is what a user asks of documents that nobody trained on.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import Any

from lacuna.answers import AnswerMode
from lacuna.datasets.base import (
    Block,
    Dataset,
    Form,
    Item,
    Raw,
    Setting,
    by_name,
    unanswered_history,
)
from lacuna.datasets.fields import HIDDEN, Fields, visible
from lacuna.datasets.prediction_files import write_texts
from lacuna.errors import BadField, shown
from lacuna.files.json import Encoded, Shape
from lacuna.metrics.metric import Metric, QuestionScore, Row
from lacuna.types import Answer, AnswerKind, Extra, Gold, Prediction, Question, Turn

Match = str | list[str]
"""A regular expression, or several that must all be found."""
YES, NO, NONE = "^yes$", "^no$", "^none$"
"""Patterns with a meaning of their own; the last is that of a question that the documents do not
answer."""


class Judgement(StrEnum):
    """The judgement of an answer."""

    RIGHT = "right"
    WRONG = "wrong"
    WRONGLY_NONE = "wrongly none"
    RIGHTLY_NONE = "rightly none"
    ANSWERED_THOUGH_NONE = "answered though none"


CORRECT = (Judgement.RIGHT, Judgement.RIGHTLY_NONE)


def outcome(match: Match, text: str) -> Judgement:
    """Judge the text of an answer; "none" or nothing at all means that none was given.

    >>> outcome("^yes$", "Yes.").value, outcome("^none$", "none").value
    ('right', 'rightly none')
    """
    none = text.strip().lower() in ("none", "")
    if match == NONE:
        return Judgement.RIGHTLY_NONE if none else Judgement.ANSWERED_THOUGH_NONE
    if none:
        return Judgement.WRONGLY_NONE
    return Judgement.RIGHT if matches(match, text) else Judgement.WRONG


def matches(match: Match, text: str) -> bool:
    """Tell if all patterns are found, in any case; the full stop of a sentence does not count."""
    bare = text.strip().rstrip(".").strip()
    patterns = [match] if isinstance(match, str) else match
    return all(re.search(pattern, bare, re.IGNORECASE) for pattern in patterns)


def text_of(answer: Answer) -> str:
    """An answer as a person reads it, which is what the patterns are written for."""
    return "none" if answer.kind is AnswerKind.NONE else answer.text or "none"


LONG = 12
"""Words that an answer may have before it counts as long. The patterns accept a whole sentence,
also where a name or a number is asked for."""


class RealMetric(Metric):
    """Judges by the patterns of the file.

    ``correct`` counts all questions, ``right`` and ``wrongly_none`` those that have an answer,
    ``refused`` those that have none, and ``over_12_words`` is the share of long ones among the
    right answers. A missing prediction counts as wrong.
    """

    measures = ("correct", "right", "wrongly_none", "refused", "over_12_words")
    main = measures
    answer_measure = "correct"
    right_or_wrong = True

    def __init__(self) -> None:
        self._partner: dict[str, str] = {}

    def judge(self, question: Question, prediction: Prediction | None) -> Row:
        match = question.extra["match"]
        if isinstance(partner := question.extra.get("pair"), str):
            self._partner[question.id] = partner
        answerable = match != NONE
        if prediction is None or prediction.answer is None:
            return (0.0, 0.0, 0.0, None, None) if answerable else (0.0, None, None, 0.0, None)
        text = text_of(prediction.answer)
        found = outcome(match, text)
        correct, right = float(found in CORRECT), found is Judgement.RIGHT
        if not answerable:
            return correct, None, None, correct, None
        long = float(len(text.split()) > LONG) if right else None
        return correct, correct, float(found is Judgement.WRONGLY_NONE), None, long

    def abstention(self, question: Question) -> Prediction:
        return Prediction(Answer.none())

    def official(self, scores: Sequence[QuestionScore]) -> dict[str, Any]:
        return {**super().official(scores), **self._pairs(scores)}

    def _pairs(self, scores: Sequence[QuestionScore]) -> Mapping[str, Any]:
        """Of the pairs with opposite answers, how many have both right."""
        right = {score.id: bool(score.row[1]) for score in scores}
        pairs = {
            frozenset((id_, partner))
            for id_, partner in self._partner.items()
            if id_ != partner and id_ in right and partner in right
        }
        if not pairs:
            return {}
        won = sum(all(right[id_] for id_ in pair) for pair in pairs)
        return {"pairs_right": won / len(pairs), "pairs_total": len(pairs)}


COLLECTION = HIDDEN + "collection"
"""The key of the collection of documents that it is asked of."""
EXACT = {YES: Answer.yes(), NO: Answer.no(), NONE: Answer.none()}
"""The patterns that stand for an answer of their own kind."""


def collection_of(question: Question) -> str:
    """The name of the collection that a question is asked of."""
    return str(question.extra[COLLECTION])


def collection_name(fields: Fields) -> str:
    """The field ``corpus``: the name of a file or folder, which leads nowhere else."""
    name = fields.text("corpus")
    if not name.strip() or name.startswith(".") or "/" in name or "\\" in name:
        raise fields.bad("corpus", "the name of a collection of documents")
    return name


def gold_of(fields: Fields) -> Gold | None:
    """The answer as people wrote it; None where there is no pattern to judge by.

    Nothing is taken from the fields, since the scorer goes by the patterns as they stand.
    """
    if "match" not in fields:
        return None
    match = fields.peek("match")
    patterns = match if isinstance(match, list) else [match]
    if not patterns:
        raise fields.bad("match", "at least one regular expression")
    for pattern in patterns:
        _check(pattern, fields.where("match"))
    if not isinstance(gold := fields.peek("gold"), str):
        raise fields.bad("gold", "the answer as a text")
    answer = EXACT.get(match) if isinstance(match, str) else None
    return Gold((answer or Answer.span(gold),))


def _check(pattern: Any, where: str) -> None:
    if not isinstance(pattern, str):
        raise BadField(where, "a regular expression, or a list of them", shown(pattern))
    try:
        re.compile(pattern, re.IGNORECASE)
    except (re.error, OverflowError, RecursionError) as problem:
        found = f"{shown(pattern)} ({problem})"
        raise BadField(where, "a regular expression", found) from None


def check_labels(extra: Extra) -> None:
    """Refuse labels that the scorer could not go by; other packages may add kinds of their own."""
    for name, kind, wanted in (
        ("kind", str, "the kind of question, as a text"),
        ("pair", str, "the id of the opposite question"),
        ("paraphrase", bool, "true or false"),
    ):
        value = extra.get(name)
        if value is not None and not isinstance(value, kind):
            raise BadField(name, wanted, shown(value))


def _looks_like_question(value: Any) -> bool:
    match value:
        case {"corpus": _, "question": str()}:
            return True
    return False


def _decode_question(raw: Raw) -> Item:
    fields = raw.fields
    id_, text, name = fields.text("id"), fields.text("question"), collection_name(fields)
    gold, rest = gold_of(fields), fields.rest()
    check_labels(rest)
    return Item.of(Question(id_, text, gold=gold, extra={**rest, COLLECTION: name}))


def _encode_question(item: Item) -> Encoded:
    question = item.question
    raw = {"id": question.id, "corpus": collection_of(question), "question": question.text}
    return None, {**raw, **visible(question.extra)}


QUESTIONS = Form(
    "questions", (Shape.LIST, Shape.LINES), _looks_like_question, _decode_question, _encode_question
)


TURN = HIDDEN + "turn"
"""The key of a question's number in its dialog, from 1."""


def _looks_like(value: Any) -> bool:
    match value:
        case {"corpus": _, "turns": list()}:
            return True
    return False


def _decode(raw: Raw) -> Item:
    fields = raw.fields
    id_, name = fields.text("id"), collection_name(fields)
    history: tuple[Turn, ...] = ()
    questions = []
    for number, turn in enumerate(fields.objects("turns"), 1):
        text, gold = turn.text("question"), gold_of(turn)
        extra = {**turn.rest(), COLLECTION: name, TURN: number}
        questions.append(Question(f"{id_}.{number}", text, history=history, gold=gold, extra=extra))
        history = (*history, Turn(text, gold.answers[0] if gold else None))
    block = Block(tuple(questions), id=id_, extra={"corpus": name})
    return Item((block,), extra=fields.rest())


def _encode(item: Item) -> Encoded:
    (dialog,) = item.blocks
    turns = [{"question": turn.text, **visible(turn.extra)} for turn in dialog.questions]
    return None, {"id": dialog.id, **dialog.extra, "turns": turns, **item.extra}


DIALOGS = Form("dialogs", (Shape.LIST, Shape.LINES), _looks_like, _decode, _encode)


# Questions that people wrote over collections of documents, each with the patterns of its answer.
#
# For measuring and for choosing between models and settings, never for training: what is asked
# here is what a user asks of documents that nobody trained on.


def _by_itself(question: Question) -> Question:
    return replace(question, history=())


class RealQuestions(Dataset):
    """Real questions over real documents."""

    name = "real"
    about = "questions over collections of documents, judged by patterns; for measuring alone"
    forms = (QUESTIONS, DIALOGS)
    settings = by_name(
        Setting(
            "by-itself", AnswerMode.ASK, _by_itself, over_corpus=True, collection=collection_of
        ),
        Setting(
            "dialog",
            AnswerMode.ASK,
            unanswered_history,
            over_corpus=True,
            collection=collection_of,
            predicted_history=True,
        ),
    )
    no_answer = "none"
    for_training = False

    def metric(self, **options: Any) -> Metric:
        return RealMetric(**options)

    def facets(self, question: Question) -> dict[str, str]:
        extra = question.extra
        labels = {"type": extra.get("kind"), "turn": extra.get(TURN)}
        if (paraphrase := extra.get("paraphrase")) is not None:
            labels["words"] = "other than the evidence's" if paraphrase else "of the evidence"
        labels["corpus"] = collection_of(question)
        return {name: str(value) for name, value in labels.items() if value is not None}

    def oddities(self, question: Question) -> list[str]:
        match, gold = question.extra.get("match"), question.extra.get("gold")
        if match is not None and not matches(match, str(gold)):
            return ["a gold answer that its own pattern does not match"]
        return []

    def write_predictions(self, path: Path, predictions: Mapping[str, Prediction]) -> None:
        """Numbers are written with their unit, as they were judged."""
        write_texts(path, {id_: _readable(p) for id_, p in predictions.items()}, self.no_answer)


def _readable(prediction: Prediction) -> Prediction:
    answer = prediction.answer
    if answer is None or answer.kind is AnswerKind.SPANS:
        return prediction
    return replace(prediction, answer=Answer.span(text_of(answer)))
