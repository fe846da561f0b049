"""HotpotQA: a question over ten paragraphs, an answer, and the sentences that support it.

Files of 2WikiMultihopQA are in the same format.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from lacuna.answer_text import answer_from_text, text_from_answer
from lacuna.errors import BadField, LacunaError, shown
from lacuna.files.json_stream import RawItem, nested_entries
from lacuna.files.json_write import Encoded, dump
from lacuna.files.opening import open_text
from lacuna.files.writing import replace_text
from lacuna.tasks.hotpotqa_parts import (
    GOLD_SENTENCES,
    LISTED,
    NO_ANSWER,
    PARAGRAPHS,
    document_of,
    sentences_of,
)
from lacuna.tasks.item import Item
from lacuna.tasks.prediction_files import prediction_error
from lacuna.tasks.task import Form, Raw, Task
from lacuna.types import Document, Gold, Prediction, Question, SupportingFact

EXPECTED = '{"answer": {id: text}, "sp": {id: [[title, sentence], …]}}'


class HotpotQA(Task):
    """HotpotQA, distractor and full-wiki."""

    name = "hotpotqa"
    about = "questions over several paragraphs, with supporting sentences (Yang et al. 2018)"

    def __init__(self) -> None:
        self.forms = (
            Form("questions", LISTED, _is_question, _decode, _encode),
            PARAGRAPHS,
            GOLD_SENTENCES,
        )

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
        with open_text(path) as source:
            for section, item in nested_entries(source):
                if section not in ("answer", "sp"):
                    continue  # the official scorer looks at these two alone
                if item.key is None:
                    raise LacunaError(f'{path}: expected {EXPECTED}; "{section}" is no object.')
                try:
                    found[item.key] = _predicted(section, item, found.get(item.key, Prediction()))
                except BadField as problem:
                    raise prediction_error(path, item.key, problem) from problem
        if not found:
            raise LacunaError(f"{path} holds no predictions: expected {EXPECTED}.")
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
    facts = (
        tuple(
            _fact(fact, f"supporting_facts[{index}]")
            for index, fact in enumerate(fields.items("supporting_facts"))
        )
        if "supporting_facts" in fields
        else None
    )
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


def _fact(raw: Any, where: str) -> SupportingFact:
    match raw:
        case [str(title), int(sentence)] if sentence >= 0 and sentence is not True:
            return SupportingFact(title, sentence)
    raise BadField(where, "[title, number of the sentence from 0]", shown(raw))


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


def _predicted(section: str, item: RawItem, before: Prediction) -> Prediction:
    if item.problem:
        raise item.problem
    value = item.value
    if section == "answer":
        if not isinstance(value, str):
            raise BadField("answer", "a text", shown(value))
        return replace(before, answer=answer_from_text(value, NO_ANSWER))
    if not isinstance(value, list):
        raise BadField("sp", "a list of [title, sentence]", shown(value))
    facts = (_fact(fact, f"sp[{index}]") for index, fact in enumerate(value))
    return replace(before, supporting_facts=tuple(facts))
