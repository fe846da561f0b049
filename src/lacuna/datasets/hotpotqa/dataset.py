"""HotpotQA: a question over ten paragraphs, an answer, and the sentences that support it.

Files of 2WikiMultihopQA are in the same format.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from lacuna.answer_text import answer_from_text, text_from_answer
from lacuna.datasets.base import Dataset, Form, Raw
from lacuna.datasets.hotpotqa.parts import (
    GOLD_SENTENCES,
    LISTED,
    NO_ANSWER,
    PARAGRAPHS,
    document_of,
    sentences_of,
)
from lacuna.datasets.item import Item
from lacuna.datasets.prediction_files import prediction_error, read_map
from lacuna.errors import BadField, LacunaError, shown
from lacuna.files.json_write import Encoded, dump
from lacuna.files.writing import replace_text
from lacuna.types import Answer, Document, Gold, Prediction, Question, SupportingFact

EXPECTED = '{"answer": {id: text}, "sp": {id: [[title, sentence], …]}}'


class HotpotQA(Dataset):
    """HotpotQA, distractor and full-wiki."""

    name = "hotpotqa"
    about = "questions over several paragraphs, with supporting sentences (Yang et al. 2018)"

    def __init__(self) -> None:
        self.forms = (
            Form("questions", LISTED, _is_question, _decode, _encode),
            PARAGRAPHS,
            GOLD_SENTENCES,
        )

    def gold_at_once(self, path: Path) -> list[Question] | None:
        from lacuna.datasets.hotpotqa.gold import gold_at_once

        return gold_at_once(path)

    def facets(self, question: Question) -> dict[str, str]:
        given = {key: question.extra.get(key) for key in ("type", "level")}
        return {key: str(value) for key, value in given.items() if value is not None}

    def oddities(self, question: Question) -> list[str]:
        sentences: dict[str, int] = {}
        found = []
        for document in question.documents:
            if document.title in sentences:
                found.append("two paragraphs of the same title")
            sentences.setdefault(document.title, len(document.sentences))
        for title, sentence in (question.gold and question.gold.supporting_facts) or ():
            if title not in sentences:
                found.append("a supporting fact whose paragraph is not among the candidates")
            elif sentence >= sentences[title]:
                found.append("a supporting fact past its paragraph's last sentence")
        return found

    def read_predictions(self, path: Path) -> dict[str, Prediction]:
        found: dict[str, Prediction] = {}
        sections = read_map(path)
        answers, facts = sections.get("answer", {}), sections.get("sp", {})
        if not isinstance(answers, dict) or not isinstance(facts, dict) or not (answers or facts):
            raise LacunaError(f"{path} holds no HotpotQA predictions: expected {EXPECTED}.")
        for id_ in {**answers, **facts}:
            try:
                found[id_] = Prediction(
                    _predicted_answer(answers[id_]) if id_ in answers else None,
                    supporting_facts=_predicted_facts(facts[id_]) if id_ in facts else None,
                )
            except BadField as problem:
                raise prediction_error(path, id_, problem) from problem
        return found

    def write_predictions(self, path: Path, predictions: Mapping[str, Prediction]) -> None:
        answers = {
            id_: text_from_answer(p.answer, NO_ANSWER) for id_, p in predictions.items() if p.answer
        }
        facts = {
            id_: _raw_facts(p.supporting_facts)
            for id_, p in predictions.items()
            if p.supporting_facts is not None
        }
        with replace_text(path) as out:
            out.write(dump({"answer": answers, "sp": facts}) + "\n")


def _decode(raw: Raw) -> Item:
    fields = raw.fields
    id_, text = fields.text("_id"), fields.text("question")
    answer = fields.optional_text("answer")
    facts = None
    if "supporting_facts" in fields:
        facts = _facts(fields.items("supporting_facts"), "supporting_facts")
    paragraphs = fields.items("context")
    documents = () if raw.gold_only else tuple(_documents(paragraphs))
    gold = None
    if answer is not None or facts is not None:
        answers = () if answer is None else (answer_from_text(answer, NO_ANSWER),)
        gold = Gold(answers, supporting_facts=facts)
    question = Question(id_, text, documents=documents, gold=gold, extra=fields.rest())
    return Item.of(question)


def _documents(paragraphs: list[Any]) -> Iterable[Document]:
    for index, paragraph in enumerate(paragraphs):
        match paragraph:
            case [str(title), list(sentences)] if all(type(text) is str for text in sentences):
                yield document_of(title, sentences)
            case _:
                raise BadField(f"context[{index}]", "[title, [sentence, …]]", shown(paragraph))


def _facts(raws: list[Any], where: str) -> tuple[SupportingFact, ...]:
    for index, raw in enumerate(raws):
        if not (
            type(raw) is list and len(raw) == 2 and type(raw[0]) is str and type(raw[1]) is int
        ):
            field = f"{where}[{index}]"
            raise BadField(field, "[title, number of the sentence from 0]", shown(raw))
    return tuple([SupportingFact(*raw) for raw in raws])


def _encode(item: Item) -> Encoded:
    question = item.question
    raw: dict[str, Any] = {"_id": question.id, "question": question.text}
    if question.gold is not None:
        if question.gold.answers:
            raw["answer"] = text_from_answer(question.gold.answers[0], NO_ANSWER)
        if question.gold.supporting_facts is not None:
            raw["supporting_facts"] = _raw_facts(question.gold.supporting_facts)
    raw["context"] = [[document.title, sentences_of(document)] for document in question.documents]
    return None, {**raw, **question.extra}


def _raw_facts(facts: Iterable[SupportingFact]) -> list[list[str | int]]:
    return [[title, sentence] for title, sentence in facts]


def _is_question(value: Any) -> bool:
    return isinstance(value, dict) and "_id" in value and "question" in value and "context" in value


def _predicted_answer(raw: Any) -> Answer:
    if not isinstance(raw, str):
        raise BadField("answer", "a text", shown(raw))
    return answer_from_text(raw, NO_ANSWER)


def _predicted_facts(raw: Any) -> tuple[SupportingFact, ...]:
    if not isinstance(raw, list):
        raise BadField("sp", "a list of [title, sentence]", shown(raw))
    return _facts(raw, "sp")
