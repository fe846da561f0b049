"""SQuAD 1.1 and 2.0: a paragraph, a question, a span of the paragraph, or no answer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from lacuna.answers import AnswerMode
from lacuna.datasets.base import Block, Dataset, Form, Item, Raw, Setting, by_name
from lacuna.datasets.fetch import OfficialFile, OfficialFiles
from lacuna.datasets.fields import HIDDEN, Fields, evidence_at, keep, restore, visible
from lacuna.datasets.prediction_files import read_texts, write_texts
from lacuna.errors import LacunaError, shown
from lacuna.files.json import Encoded, Shape
from lacuna.metrics.metric import Metric, QuestionScore, Row, normalise, overlap
from lacuna.types import (
    Answer,
    AnswerKind,
    Document,
    Evidence,
    Extra,
    Gold,
    Prediction,
    Question,
    Role,
)

if TYPE_CHECKING:
    from lacuna_lab.describe.description import Description


NO_ANSWERS = HIDDEN + "no answers"
"""Notes that a question came without the field, not with an empty list."""


def _looks_like(value: Any) -> bool:
    """An article whose paragraphs have no id; QuAC's have one."""
    match value:
        case {"paragraphs": [dict(first), *_]}:
            return "qas" in first and "id" not in first
    return False


def _decode(raw: Raw) -> Item:
    fields = raw.fields
    title = str(fields.peek("title") or "")
    blocks = []
    for paragraph in fields.objects("paragraphs"):
        document = Document(title, paragraph.text("context"))
        questions = tuple(_question(qa, document, raw.gold_only) for qa in paragraph.objects("qas"))
        blocks.append(Block(questions, document, extra=paragraph.rest()))
    return Item(tuple(blocks), extra=fields.rest())


def _question(fields: Fields, document: Document, gold_only: bool) -> Question:
    id_, text = fields.text("id"), fields.text("question")
    impossible = fields.peek("is_impossible")
    if impossible not in (None, True, False):
        raise fields.bad("is_impossible", "true or false")
    gold, leftovers = None, {}
    # An empty list that is not called impossible is how test files hide their answers. The
    # official 2.0 scorer, though, takes every empty list for an unanswerable question.
    if fields.peek("answers") or impossible or (gold_only and impossible is False):
        references = fields.optional_objects("answers")
        plausible = fields.optional_objects("plausible_answers")
        answers = tuple(span_answer(answer, document, gold_only) for answer in references)
        if answers and impossible:
            raise fields.bad("is_impossible", "false where there are answers")
        gold = Gold(
            answers or (Answer.none(),),
            evidence=tuple(evidence_at(answer, document, Role.PLAUSIBLE) for answer in plausible)
            if "plausible_answers" in fields and not gold_only
            else None,
        )
        leftovers = {
            **({NO_ANSWERS: True} if fields.peek("answers") is None else {}),
            **keep("answers", [answer.rest() for answer in references]),
            **keep("plausible_answers", [answer.rest() for answer in plausible]),
        }
    return Question(id_, text, context=document, gold=gold, extra={**fields.rest(), **leftovers})


def span_answer(fields: Fields, document: Document, gold_only: bool) -> Answer:
    """A reference answer; where only scores matter, its place is not looked at."""
    text = fields.text("text")
    return Answer.span(text, *(() if gold_only else (evidence_at(fields, document, Role.ANSWER),)))


def _encode(item: Item) -> Encoded:
    paragraphs = []
    for block in item.blocks:
        assert block.document is not None
        context = block.document.text
        qas = [_raw_question(question, context) for question in block.questions]
        paragraphs.append({"context": context, "qas": qas, **block.extra})
    return None, {"paragraphs": paragraphs, **item.extra}


def _raw_question(question: Question, context: str) -> dict[str, Any]:
    raw: dict[str, Any] = {"id": question.id, "question": question.text}
    if gold := question.gold:
        answers = [answer for answer in gold.answers if answer.kind is not AnswerKind.NONE]
        if NO_ANSWERS not in question.extra:
            raw["answers"] = raw_answers("answers", answers, context, question.extra)
        if gold.evidence is not None:
            plausible = [_raw_answer(evidence, context) for evidence in gold.evidence]
            raw["plausible_answers"] = restore("plausible_answers", plausible, question.extra)
    return {**raw, **visible(question.extra)}


def raw_answers(
    name: str, answers: Iterable[Answer], context: str, extra: Extra
) -> list[dict[str, Any]]:
    """Answers as SQuAD and QuAC write them."""
    raws = [_raw_answer(_place(answer, context), context) for answer in answers]
    return restore(name, raws, extra)


def _place(answer: Answer, context: str) -> Evidence:
    """The place of an answer; the first place where its text is, if it does not say."""
    if answer.found_at:
        return answer.found_at[0]
    start = context.find(answer.texts[0]) if answer.texts else -1
    if start < 0:
        raise LacunaError(
            f"The answer {answer.text!r} cannot be written: it is no part of the text "
            f"{shown(context)}. SQuAD and QuAC answer with spans alone."
        )
    return Evidence("", start, start + len(answer.texts[0]))


def _raw_answer(evidence: Evidence, context: str) -> dict[str, Any]:
    """Evidence as SQuAD and QuAC write it."""
    return {"text": context[evidence.start : evidence.end], "answer_start": evidence.start}


ARTICLES = Form("articles", (Shape.DATA, Shape.LIST, Shape.LINES), _looks_like, _decode, _encode)


# SQuAD's scorers, 1.1 and 2.0, and 2.0's best thresholds for saying that there is no answer.
#
# Which of the two a question gets is told by ``is_impossible``, which only 2.0 has.


THRESHOLD = 1.0
"""The official default: above it, a probability of no answer overrides the prediction."""
ABSTENTION = Prediction(Answer.none())


class SquadMetric(Metric):
    """A missing prediction counts as wrong (the 2.0 script cannot score a file that lacks one)."""

    scale = 100.0

    def __init__(self, no_answer_probability: Mapping[str, float] | None = None) -> None:
        self._probability = no_answer_probability
        self._second = False

    @property
    def main(self) -> tuple[str, ...]:  # type: ignore[override]
        return ("exact" if self._second else "exact_match", "f1")

    @property
    def measures(self) -> tuple[str, ...]:  # type: ignore[override]
        more = () if self._probability is None else ("raw_exact", "raw_f1", "answered")
        return (*self.main, *more)

    def judge(self, question: Question, prediction: Prediction | None) -> Row:
        assert question.gold is not None
        text = _text(prediction)
        answers = [a.texts[0] for a in question.gold.answers if a.kind is not AnswerKind.NONE]
        second = "is_impossible" in question.extra
        self._second |= second
        exact, f1 = (_second if second else _first)(text, answers)
        if self._probability is None:
            return exact, f1
        raw = exact, f1, float(bool(text))
        if self._probability_of(question.id) > THRESHOLD:
            exact = f1 = float(not answers)
        return exact, f1, *raw

    def abstention(self, question: Question) -> Prediction:
        return ABSTENTION

    def official(self, scores: Sequence[QuestionScore]) -> dict[str, Any]:
        if not self._second:
            if self._probability is not None:
                raise LacunaError("--na-prob belongs to SQuAD 2.0; this file is 1.1. Leave it out.")
            return super().official(scores)
        summary = self._part("", scores)
        for name, wanted in (("HasAns_", True), ("NoAns_", False)):
            summary |= self._part(name, [s for s in scores if _has_answer(s) is wanted])
        if self._probability is not None:
            for measure in ("exact", "f1"):
                best, threshold = self._best(scores, self.measures.index(f"raw_{measure}"))
                summary |= {f"best_{measure}": best, f"best_{measure}_thresh": threshold}
        return summary

    def _part(self, name: str, scores: Sequence[QuestionScore]) -> dict[str, Any]:
        if not scores:
            return {}
        means = self.means([score.row for score in scores])
        return {
            f"{name}exact": means["exact"],
            f"{name}f1": means["f1"],
            f"{name}total": len(scores),
        }

    def _best(self, scores: Sequence[QuestionScore], measure: int) -> tuple[float, float]:
        """The threshold that gives the highest score, by trying each probability in turn."""
        answered = self.measures.index("answered")
        total = best = float(sum(not _has_answer(score) for score in scores))
        threshold = 0.0
        assert self._probability is not None
        by_id = {score.id: score for score in scores}
        # Equal probabilities stay in the order of their file, as in the official script.
        for id_, probability in sorted(self._probability.items(), key=itemgetter(1)):
            score = by_id.get(id_)
            if score is None:
                continue
            if _has_answer(score):
                total += score.row[measure] or 0.0
            elif score.row[answered]:
                total -= 1
            if total > best:
                best, threshold = total, probability
        return self.scale * best / len(scores), threshold

    def _probability_of(self, id_: str) -> float:
        assert self._probability is not None
        if id_ not in self._probability:
            raise LacunaError(
                f"The no-answer probabilities have none for question {id_!r}. "
                "Give one for every question, or leave --na-prob out."
            )
        return self._probability[id_]


def _text(prediction: Prediction | None) -> str | None:
    if prediction is None or prediction.answer is None:
        return None
    return "" if prediction.answer.kind is AnswerKind.NONE else prediction.answer.texts[0]


def _has_answer(score: QuestionScore) -> bool:
    return score.kind is not AnswerKind.NONE


def _first(text: str | None, answers: Sequence[str]) -> tuple[float, float]:
    """SQuAD 1.1: the best over all references."""
    if text is None:
        return 0.0, 0.0
    prediction, references = normalise(text), [normalise(answer) for answer in answers]
    exact = float(prediction in references)
    return exact, max(overlap(prediction, reference).f1 for reference in references)


def _second(text: str | None, answers: Sequence[str]) -> tuple[float, float]:
    """SQuAD 2.0: references that normalise to nothing do not count; no answer is an empty text."""
    if text is None:
        return 0.0, 0.0
    references = [normalised for answer in answers if (normalised := normalise(answer))] or [""]
    prediction = normalise(text)
    exact = float(prediction in references)
    return exact, max(_f1(prediction, reference) for reference in references)


def _f1(prediction: str, reference: str) -> float:
    if not prediction or not reference:
        return float(prediction == reference)
    return overlap(prediction, reference).f1


ADDRESS = "https://rajpurkar.github.io/SQuAD-explorer/dataset/"
PAPER_LENGTHS = {"words a question": 11.0, "words an answer": 3.2}
"""Lengths of SQuAD in QuAC's paper, in tokens."""


class SQuAD(Dataset):
    """SQuAD 1.1 and 2.0."""

    name = "squad"
    about = "spans of a paragraph, in 2.0 also no answer (Rajpurkar et al. 2016, 2018)"
    forms = (ARTICLES,)
    settings = by_name(
        Setting("may-abstain", AnswerMode.ABSTAIN), Setting("always-answer", AnswerMode.EXTRACT)
    )
    metric_options = frozenset({"no_answer_probability"})
    header: ClassVar[Mapping[str, Any]] = {"version": "v2.0"}
    downloads = OfficialFiles(
        "CC BY-SA 4.0",
        "https://rajpurkar.github.io/SQuAD-explorer",
        (
            OfficialFile(
                ADDRESS + "train-v1.1.json",
                30288272,
                "3527663986b8295af4f7fcdff1ba1ff3f72d07d61a20f487cb238a6ef92fd955",
            ),
            OfficialFile(
                ADDRESS + "dev-v1.1.json",
                4854279,
                "95aa6a52d5d6a735563366753ca50492a658031da74f301ac5238b03966972c9",
            ),
            OfficialFile(
                ADDRESS + "train-v2.0.json",
                42123633,
                "68dcfbb971bd3e96d5b46c7177b16c1a4e7d4bdef19fb204502738552dede002",
            ),
            OfficialFile(
                ADDRESS + "dev-v2.0.json",
                4370528,
                "80a5225e94905956a6446d296ca1093975c4d3b3260f1d6c8f68bc2ab77182d8",
            ),
        ),
    )

    def metric(self, **options: Any) -> Metric:
        return SquadMetric(**options)

    def description(self) -> Description:
        from lacuna_lab.describe.description import GeneralDescription

        return GeneralDescription(PAPER_LENGTHS, "QuAC's paper, sections 3 and 6")

    def read_predictions(self, path: Path) -> dict[str, Prediction]:
        return read_texts(path, self.no_answer, several=False, yes_no=False)

    def write_predictions(self, path: Path, predictions: Mapping[str, Prediction]) -> None:
        write_texts(path, predictions, self.no_answer, several=False)
