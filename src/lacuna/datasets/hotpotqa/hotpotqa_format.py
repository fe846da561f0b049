"""HotpotQA's questions, each with its paragraphs, answer and supporting facts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from lacuna.answer_text import answer_from_text, text_from_answer
from lacuna.datasets.item import Form, Item, Raw
from lacuna.errors import BadField, shown
from lacuna.files.json_stream import Shape
from lacuna.files.json_write import Encoded
from lacuna.types import Document, Gold, Question, Span, SupportingFact

NO_ANSWER = "noanswer"
LISTED = (Shape.LIST, Shape.LINES)


def document_of(title: str, sentences: Iterable[str]) -> Document:
    """Join sentences to a text; a blank goes between two that bring none of their own."""
    spans: list[Span] = []
    text = ""
    for sentence in sentences:
        if text and sentence and not text[-1].isspace() and not sentence[0].isspace():
            text += " "
        spans.append(Span(len(text), len(text) + len(sentence)))
        text += sentence
    return Document(title, text, tuple(spans))


def sentences_of(document: Document) -> list[str]:
    """The sentences of a document, as ``document_of`` got them."""
    if not document.sentences and document.text:
        return [document.text]  # the format has no other place for it
    return [document.text[start:end] for start, end in document.sentences]


def _decode(raw: Raw) -> Item:
    fields = raw.fields
    id_, text = fields.text("_id"), fields.text("question")
    answer = fields.optional_text("answer")
    facts = None
    if "supporting_facts" in fields:
        facts = facts_from(fields.items("supporting_facts"), "supporting_facts")
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


def facts_from(raws: list[Any], where: str) -> tuple[SupportingFact, ...]:
    """Supporting facts as a file has them; ``where`` names them in an error."""
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
            raw["supporting_facts"] = raw_facts(question.gold.supporting_facts)
    raw["context"] = [[document.title, sentences_of(document)] for document in question.documents]
    return None, {**raw, **question.extra}


def raw_facts(facts: Iterable[SupportingFact]) -> list[list[str | int]]:
    """Supporting facts as a file has them."""
    return [[title, sentence] for title, sentence in facts]


def _is_question(value: Any) -> bool:
    return isinstance(value, dict) and "_id" in value and "question" in value and "context" in value


QUESTIONS = Form("questions", LISTED, _is_question, _decode, _encode)
