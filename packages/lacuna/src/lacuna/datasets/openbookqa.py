"""OpenBookQA: a science question, four choices, and the core fact behind the right one.

Files may have the annotations of KGD, the knowledge-gap dataset of GapQA's authors. A plain text
file of facts, one a line, is read as well.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lacuna import demo
from lacuna.answers import AnswerMode
from lacuna.datasets.base import (
    AnswerTrace,
    Block,
    Dataset,
    Form,
    Item,
    Raw,
    Setting,
    by_name,
    official_id,
    under_id,
)
from lacuna.datasets.fetch import OfficialFile, OfficialFiles
from lacuna.datasets.fields import HIDDEN, Fields, keep, restore, visible
from lacuna.errors import BadField, ItemError, LacunaError, shown
from lacuna.files.json import FORBIDDEN, LARGEST_VALUE, Encoded, Shape
from lacuna.files.opening import open_text
from lacuna.files.writing import replace_text
from lacuna.metrics.metric import Metric, Row
from lacuna.text import STOP_WORDS, words
from lacuna.types import Answer, Choice, Document, Evidence, Gold, Prediction, Question, Role

if TYPE_CHECKING:
    from lacuna_lab.describe.description import Description
    from lacuna_lab.describe.labelling import LabellingTask


FACT, KGD_FACT = "fact1", "fact"
FACT_NAME = HIDDEN + "fact name"
"""The key of a mark that the file names the fact otherwise than OpenBookQA does."""


def id_with_fact(question: Question) -> str:
    """An id that tells a question from others: its official id, and its fact if it has one.

    >>> id_with_fact(Question("7-980", "What carries pollen?", fact="bees carry pollen"))
    '7-980#bees carry pollen'
    """
    id_ = official_id(question)
    return id_ if question.fact is None else f"{id_}#{question.fact}"


def _looks_like(value: Any) -> bool:
    match value:
        case {"question": {"stem": _, "choices": _}}:
            return True
    return False


def _decode(raw: Raw) -> Item:
    fields = raw.fields
    id_ = fields.text("id")
    stem = fields.object("question")
    raw_choices = stem.objects("choices")
    choices = tuple(Choice(choice.text("label"), choice.text("text")) for choice in raw_choices)
    name = KGD_FACT if KGD_FACT in fields and FACT not in fields else FACT
    fact = fields.optional_text(name)
    spans = _key_spans(fields, fact) if "answer_spans" in fields else None
    relations = fields.optional_texts("relations")
    answers = (_answer(fields, choices),) if fields.peek("answerKey") else ()
    gold = None
    if answers or spans is not None or relations is not None:
        gold = Gold(answers, evidence=spans, relations=relations)
    text = stem.text("stem")
    extra = {
        **fields.rest(),
        **({FACT_NAME: name} if name != FACT else {}),
        **keep("question", [stem.rest()]),
        **keep("choices", [choice.rest() for choice in raw_choices]),
    }
    question = Question(id_, text, choices=choices, fact=fact, gold=gold, extra=extra)
    if name == KGD_FACT:
        question = under_id(question, id_with_fact(question))
    return Item.of(question)


def _answer(fields: Fields, choices: tuple[Choice, ...]) -> Answer:
    label = fields.text("answerKey")
    for choice in choices:
        if choice.label == label:
            return Answer.choice(label, choice.text)
    labels = ", ".join(choice.label for choice in choices)
    raise fields.bad("answerKey", f"one of the labels {labels}", shown(label))


def _key_spans(fields: Fields, fact: str | None) -> tuple[Evidence, ...]:
    """KGD's spans of the fact; the fields stay in the extra, for case may differ from the fact."""
    if fact is None:
        raise fields.bad(FACT, "the fact that answer_spans are spans of")
    texts = Fields({"answer_spans": fields.peek("answer_spans")}, fields.path).texts("answer_spans")
    starts = fields.peek("answer_starts")
    if starts is None:
        starts = [_start_of(text, fact) for text in texts]
    evidence = []
    for index, text in enumerate(texts):
        start: Any = starts[index] if isinstance(starts, list) and index < len(starts) else None
        if not _stands(text, start, fact):
            where = f"answer_spans[{index}]"
            raise BadField(where, f"a span of the fact {shown(fact)}", shown(text))
        evidence.append(Evidence(FACT, start, start + len(text), Role.KEY_SPAN))
    return tuple(evidence)


def _start_of(text: str, fact: str) -> int:
    # Not by looking into the folded fact: that may have another length than the fact.
    found = re.finditer(re.escape(text), fact, re.IGNORECASE)
    return next((match.start() for match in found if _stands(text, match.start(), fact)), -1)


def _stands(text: str, start: Any, fact: str) -> bool:
    """Tell if a span of the fact, in whatever case, begins there."""
    if type(start) is not int or start < 0:
        return False
    return fact[start : start + len(text)].casefold() == text.casefold()


def _encode(item: Item) -> Encoded:
    question = item.question
    choices = [{"text": choice.text, "label": choice.label} for choice in question.choices]
    inner = {"stem": question.text, "choices": restore("choices", choices, question.extra)}
    raw: dict[str, Any] = {"id": official_id(question)}
    (raw["question"],) = restore("question", [inner], question.extra)
    if question.fact is not None:
        raw[question.extra.get(FACT_NAME, FACT)] = question.fact
    if gold := question.gold:
        if gold.answers:
            raw["answerKey"] = gold.answers[0].label
        if gold.evidence is not None:
            fact = question.fact or ""
            raw["answer_spans"] = [fact[piece.start : piece.end] for piece in gold.evidence]
        if gold.relations is not None:
            raw["relations"] = list(gold.relations)
    return None, {**raw, **visible(question.extra)}


def _is_line(value: Any) -> bool:
    return isinstance(value, str)


def _decode_fact(raw: Raw) -> Item:
    if not (text := raw.value.strip()):
        return Item((), extra={"line": raw.value})
    fact = text.strip('"')
    return Item((Block((), Document(FACT, fact)),), extra={"line": raw.value})


def _encode_fact(item: Item) -> Encoded:
    return None, item.extra["line"]


QUESTIONS = Form("questions", (Shape.LINES, Shape.LIST), _looks_like, _decode, _encode)
FACTS = Form("facts", (Shape.TEXT,), _is_line, _decode_fact, _encode_fact)


SEPARATOR = ";"


class OpenBookQAMetric(Metric):
    """Abstaining means naming every choice, so that the floor is chance."""

    measures = main = ("accuracy",)
    answer_measure = "accuracy"

    def prediction_ids(self, question: Question) -> tuple[str, ...]:
        """A prediction for the question itself holds for each of KGD's facts about it."""
        return question.id, official_id(question)

    def judge(self, question: Question, prediction: Prediction | None) -> Row:
        assert question.gold is not None
        named = prediction.answer.label.split(SEPARATOR) if prediction and prediction.answer else []
        right = question.gold.answers[0].label in named
        return (1.0 / len(named) if right else 0.0,)

    def lacking(self, question: Question, prediction: Prediction) -> str | None:
        labels = {choice.label for choice in question.choices}
        named = prediction.answer.label.split(SEPARATOR) if prediction.answer else []
        return None if labels.issuperset(named) else "choice that the question offers"

    def abstention(self, question: Question) -> Prediction:
        return Prediction(Answer.choice(SEPARATOR.join(c.label for c in question.choices)))


# GapQA's classes of errors (section 5.4), and what made a wrong choice win.
#
# Whether a key span is wrong, or a relation out of scope, only KGD's annotations tell. What the
# trace tells of any question: which of the two scores preferred the wrong choice, and whether
# anything was found for the right one.


ERROR, PREFERRED, KNOWLEDGE = (
    "error (section 5.4)",
    "the wrong choice was preferred by",
    "knowledge of the right choice",
)
ERROR_FIELDS = {
    ERROR: "it takes KGD's answer_spans and relations, and a system that names its key span (gapqa)"
}
SPAN, SCORES, SCOPE = (
    "incorrect predicted span",
    "incorrect relation scores",
    "out-of-scope gap relation",
)
IN_SCOPE = frozenset(
    "causes definedas definition enables isa locatedin madeof partof provides synonym synonymof".split()  # noqa: E501, SIM905
)


def error_labels(question: Question, prediction: Prediction, trace: AnswerTrace) -> dict[str, str]:
    """All that is known of one error."""
    kind = error_class(question, prediction)
    return {**({ERROR: kind} if kind else {}), **_by_scores(question, prediction, trace)}


def error_class(question: Question, prediction: Prediction) -> str | None:
    """The paper's class; None where the file has no annotation, or the system no key span."""
    gold = question.gold
    spans = [piece for piece in (gold and gold.evidence) or () if piece.role is Role.KEY_SPAN]
    given = [piece for piece in prediction.evidence if piece.role is Role.KEY_SPAN]
    if gold is None or not spans or not given or gold.relations is None:
        return None
    if not any(_overlap(given[0], span) for span in spans):
        return SPAN
    return SCORES if any(map(_in_scope, gold.relations)) else SCOPE


def _overlap(one: Evidence, other: Evidence) -> bool:
    return one.start < other.end and other.start < one.end


def _in_scope(relation: str) -> bool:
    plain = relation.casefold().replace(" ", "").replace("_", "").replace("⁻¹", "-1")
    return plain.removesuffix("-1") in IN_SCOPE


def _by_scores(question: Question, prediction: Prediction, trace: AnswerTrace) -> dict[str, str]:
    choices = {choice.label: choice for choice in trace.choices}
    right = choices.get(question.gold.answers[0].label) if question.gold else None
    chosen = choices.get(prediction.answer.label) if prediction.answer else None
    if right is None or chosen is None:
        return {}
    by_fact = chosen.fact_score > right.fact_score
    by_relation = chosen.relation_score > right.relation_score
    if by_fact and by_relation:
        preferred = "both scores"
    else:
        preferred = "the fact score alone" if by_fact else "the relation score alone"
    return {PREFERRED: preferred, KNOWLEDGE: "found" if right.known else "none"}


# OpenBookQA: a science question, four choices, and the core fact behind the right one.
#
# Files may have the annotations of KGD, the knowledge-gap dataset of GapQA's authors. A plain text
# file of facts, one a line, is read as well.


SHORT, LONGER = "OBQA-Short", "longer choices"
SHORT_WORDS = 2


def _without_fact(question: Question) -> Question:
    return replace(question, fact=None)


class OpenBookQA(Dataset):
    """OpenBookQA, with KGD's annotations where a file has them."""

    name = "openbookqa"
    about = "science questions with choices and a core fact (Mihaylov et al. 2018; KGD 2019)"
    forms = (QUESTIONS, FACTS)
    settings = by_name(
        Setting("core-fact", AnswerMode.CHOOSE),
        Setting("no-fact", AnswerMode.CHOOSE, _without_fact),
    )
    downloads = OfficialFiles(
        "Apache-2.0",
        "https://allenai.org/data/open-book-qa",
        (
            OfficialFile(
                "https://s3-us-west-2.amazonaws.com/ai2-website/data/OpenBookQA-V1-Sep2018.zip",
                1446098,
                "82368cf05df2e3b309c17d162e10b888b4d768fad6e171e0a041954c8553be46",
                members=(
                    "OpenBookQA-V1-Sep2018/Data/Main/openbook.txt",
                    "OpenBookQA-V1-Sep2018/Data/Additional/train_complete.jsonl",
                    "OpenBookQA-V1-Sep2018/Data/Additional/dev_complete.jsonl",
                    "OpenBookQA-V1-Sep2018/Data/Additional/test_complete.jsonl",
                    "OpenBookQA-V1-Sep2018/Data/Additional/crowdsourced-facts.txt",
                ),
            ),
        ),
    )
    error_fields = ERROR_FIELDS
    demo_questions = demo.OPENBOOK

    def metric(self, **options: Any) -> Metric:
        return OpenBookQAMetric(**options)

    def unique_id(self, question: Question) -> str:
        return id_with_fact(question)

    def description(self) -> Description:
        from lacuna_lab.describe.openbookqa import OpenBookDescription

        return OpenBookDescription()

    def labelling(self) -> tuple[LabellingTask, ...]:
        from lacuna_lab.describe.openbookqa import TASKS

        return TASKS

    def facets(self, question: Question) -> dict[str, str]:
        relations = (question.gold and question.gold.relations) or ()
        labels = {"relation": ", ".join(dict.fromkeys(relations))} if relations else {}
        return {"subset": SHORT if is_short(question) else LONGER, **labels}

    def errors(
        self, question: Question, prediction: Prediction, trace: AnswerTrace
    ) -> dict[str, str]:
        return error_labels(question, prediction, trace)

    def read_predictions(self, path: Path) -> dict[str, Prediction]:
        predictions: dict[str, Prediction] = {}
        with open_text(path) as source:
            rows = csv.reader(source.lines(LARGEST_VALUE))
            try:
                for row in rows:
                    if not row:
                        continue
                    line = f"line {rows.line_num}"
                    id_, label = _row(path, line, row)
                    if id_ in predictions:
                        twice = BadField("id", "every question once", f"{id_!r} a second time")
                        raise ItemError(path, line, twice, can_skip=False)
                    predictions[id_] = Prediction(Answer.choice(label))
            except csv.Error as error:
                raise LacunaError(
                    f"{path} is not a CSV file of id,choice: {error} at line {rows.line_num}."
                ) from error
        if not predictions:
            raise LacunaError(f"{path} holds no predictions: expected lines of id,choice.")
        return predictions

    def write_predictions(self, path: Path, predictions: Mapping[str, Prediction]) -> None:
        with replace_text(path) as out:
            rows = csv.writer(out, lineterminator="\n")
            for id_, prediction in predictions.items():
                if prediction.answer is None:
                    continue
                if not prediction.answer.label:
                    raise LacunaError(
                        f"The prediction for {id_!r} is no choice but {prediction.answer.text!r}, "
                        "which OpenBookQA's format cannot say."
                    )
                rows.writerow([id_, prediction.answer.label])


def is_short(question: Question) -> bool:
    """Tell if it belongs to OBQA-Short: no choice has more than two words beside stop words."""
    return all(
        sum(word not in STOP_WORDS for word in words(choice.text)) <= SHORT_WORDS
        for choice in question.choices
    )


def right_choice(question: Question) -> int:
    """The number of the right choice, -1 where it is not known."""
    answers = question.gold.answers if question.gold else ()
    labels = [choice.label for choice in question.choices]
    return labels.index(answers[0].label) if answers else -1


def _row(path: Path, line: str, row: list[str]) -> tuple[str, str]:
    if len(row) != 2:
        problem = BadField("row", "two columns, id and choice", f"{len(row)}")
    elif FORBIDDEN.search("".join(row)):
        problem = BadField("row", "text without NUL characters", shown(row[0]))
    elif not row[0] or not all(row[1].split(";")):
        problem = BadField("row", "an id and a choice, or several with ; between", shown(row))
    else:
        return row[0], row[1]
    raise ItemError(path, line, problem, can_skip=False)
