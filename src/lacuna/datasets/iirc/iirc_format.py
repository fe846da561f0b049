"""IIRC's own format: a paragraph with its links, and questions with evidence and answers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from lacuna.datasets.drop.drop_format import number_value
from lacuna.datasets.fields import Fields, keep, restore, visible
from lacuna.datasets.item import Block, Form, Item, Raw
from lacuna.errors import shown
from lacuna.files.json_stream import Shape
from lacuna.files.json_write import Encoded
from lacuna.types import Answer, AnswerKind, Document, Evidence, Gold, Link, Question, Span

NO_ANSWER = "none"
MAIN = "main"
"""What IIRC calls the paragraph itself among the sources of evidence."""
TYPE_OF_KIND = {
    AnswerKind.SPAN: "span",
    AnswerKind.SPANS: "span",
    AnswerKind.NUMBER: "value",
    AnswerKind.YES: "binary",
    AnswerKind.NO: "binary",
    AnswerKind.NONE: "none",
}

MANY_LINKS = 4


def link_count(links: int) -> str:
    """How many linked articles a question needs, as table 4 of the paper counts.

    >>> link_count(2), link_count(7)
    ('2', '4+')
    """
    return str(links) if links < MANY_LINKS else f"{MANY_LINKS}+"


def _looks_like(value: Any) -> bool:
    return isinstance(value, dict) and {"text", "links", "questions"} <= value.keys()


def _decode(raw: Raw) -> Item:
    fields = raw.fields
    id_ = fields.text("pid") if fields.peek("pid") else ""
    text = fields.text("text")
    raw_links = fields.objects("links")
    links = tuple(_link(link, text) for link in raw_links)
    raw_questions = fields.objects("questions")
    title = _passage_title(fields, id_, raw_questions)
    document = Document(title, text, links=links)
    questions = tuple(_question(inner, document) for inner in raw_questions)
    extra = {**fields.rest(), **keep("links", [link.rest() for link in raw_links])}
    return Item((Block(questions, document, id_, extra=extra),))


def _passage_title(fields: Fields, id_: str, questions: list[Fields]) -> str:
    """A title that no quoted article has, since evidence names documents by title."""
    quoted = {
        str(quote.peek("passage"))
        for question in questions
        for quote in question.optional_objects("context")
    }
    names = (fields.peek("title"), id_, f"{id_} passage", "passage", "this passage")
    free = (name for name in names if isinstance(name, str) and name and name not in quoted)
    return next(free, "the passage itself")


def _link(fields: Fields, text: str) -> Link:
    start, end = _indices(fields, text)
    return Link(start, end, fields.text("target"))


def _indices(fields: Fields, text: str) -> Span:
    match fields.integers("indices"):
        case (start, end) if 0 <= start <= end <= len(text):
            return Span(start, end)
    raise fields.bad("indices", f"[start, end] within the text's {len(text)} characters")


def _question(fields: Fields, context: Document) -> Question:
    id_, text = fields.text("qid"), fields.text("question")
    links = fields.optional_texts("question_links")
    quotes = fields.optional_objects("context")
    documents, evidence = _evidence(quotes, context)
    leftovers = dict(keep("context", [quote.rest() for quote in quotes]))
    answers: tuple[Answer, ...] = ()
    if isinstance(raw := fields.peek("answer"), dict) and raw.get("type") != "bad":
        answer = fields.object("answer")
        spans = answer.optional_objects("answer_spans") if raw.get("type") == "span" else []
        answers = (_answer(answer, spans),)
        leftovers |= keep("answer_spans", [span.rest() for span in spans])
        leftovers |= keep("answer", [answer.rest()])
    gold = None
    if answers or evidence or links is not None:
        gold = Gold(answers, evidence=evidence or None, links=links)
    extra = {**fields.rest(), **leftovers}
    return Question(id_, text, context, documents, gold=gold, extra=extra)


def _evidence(
    quotes: list[Fields], context: Document
) -> tuple[tuple[Document, ...], tuple[Evidence, ...]]:
    """Evidence from the context by its offsets, and from other articles as short documents.

    A file does not bring the articles along: of each, the quoted texts make a document.
    """
    quoted: dict[str, list[str]] = {}
    evidence: list[Evidence] = []
    for quote in quotes:
        source, text = quote.text("passage"), quote.text("text")
        if source == MAIN and (own := _own(quote.peek("indices"), text, context.text)):
            quote.integers("indices")
            evidence.append(Evidence(context.title, *own))
            continue
        before = quoted.setdefault(source, [])
        start = sum(len(piece) + 1 for piece in before)
        before.append(text)
        evidence.append(Evidence(source, start, start + len(text)))
    documents = tuple(quoted_document(title, texts) for title, texts in quoted.items())
    return documents, tuple(evidence)


def _own(indices: Any, text: str, context: str) -> Span | None:
    """The place in the context that indices give, if the text really stands there."""
    match indices:
        case [int(start), int(end)] if 0 <= start <= end and context[start:end] == text:
            return Span(start, end)
    return None


def quoted_document(title: str, texts: Sequence[str]) -> Document:
    """The texts that are quoted from one article as a document, a sentence each."""
    ends: list[int] = []
    for text in texts:
        ends.append((ends[-1] + 1 if ends else 0) + len(text))
    spans = tuple(Span(end - len(text), end) for text, end in zip(texts, ends, strict=True))
    return Document(title, "\n".join(texts), spans)


def _answer(fields: Fields, spans: list[Fields]) -> Answer:
    match kind := fields.text("type"):
        case "span" if spans:
            texts = tuple(span.text("text") for span in spans)
            return Answer.span(texts[0]) if len(texts) == 1 else Answer.spans(texts)
        case "span":
            raise fields.bad("answer_spans", "at least one span")
        case "value":
            text = fields.text("answer_value")
            unit = fields.text("answer_unit") if fields.peek("answer_unit") else ""
            return Answer.number(number_value(text), text, unit=unit)
        case "binary":
            value = fields.text("answer_value")
            if value not in ("yes", "no"):
                raise fields.bad("answer_value", "yes or no")
            return Answer.yes() if value == "yes" else Answer.no()
        case "none":
            return Answer.none()
    raise fields.bad("type", "span, value, binary or none", shown(kind))


def _encode(item: Item) -> Encoded:
    (block,) = item.blocks
    document = block.document
    assert document is not None
    links = [{"target": link.target, "indices": [link.start, link.end]} for link in document.links]
    raw: dict[str, Any] = {"pid": block.id} if block.id else {}
    raw["text"] = document.text
    raw["links"] = restore("links", links, block.extra)
    raw["questions"] = [_raw_question(question, document) for question in block.questions]
    return None, {**raw, **visible(block.extra)}


def _raw_question(question: Question, context: Document) -> dict[str, Any]:
    raw: dict[str, Any] = {"qid": question.id, "question": question.text}
    if gold := question.gold:
        if gold.links is not None:
            raw["question_links"] = list(gold.links)
        if gold.evidence is not None:
            texts = {document.title: document.text for document in question.documents}
            quotes = list(_raw_quotes(gold.evidence, context, texts))
            raw["context"] = restore("context", quotes, question.extra)
        if gold.answers:
            answer = _raw_answer(gold.answers[0])
            if "answer_spans" in answer:
                spans = restore("answer_spans", answer["answer_spans"], question.extra)
                answer["answer_spans"] = spans
            (raw["answer"],) = restore("answer", [answer], question.extra)
    return {**raw, **visible(question.extra)}


def _raw_quotes(
    evidence: Iterable[Evidence], context: Document, texts: Mapping[str, str]
) -> Iterable[dict[str, Any]]:
    for piece in evidence:
        if piece.document in texts:
            text = texts[piece.document][piece.start : piece.end]
            yield {"passage": piece.document, "text": text}
        else:
            text = context.text[piece.start : piece.end]
            yield {"passage": MAIN, "text": text, "indices": [piece.start, piece.end]}


def _raw_answer(answer: Answer) -> dict[str, Any]:
    raw: dict[str, Any] = {"type": TYPE_OF_KIND[answer.kind]}
    if answer.kind in (AnswerKind.YES, AnswerKind.NO):
        raw["answer_value"] = str(answer.kind)
    elif answer.kind is AnswerKind.NUMBER:
        raw["answer_value"] = answer.texts[0]
        if answer.unit:
            raw["answer_unit"] = answer.unit
    elif answer.kind is not AnswerKind.NONE:
        raw["answer_spans"] = [{"text": text} for text in answer.texts]
    return raw


PASSAGES = Form("passages", (Shape.LIST, Shape.LINES), _looks_like, _decode, _encode)
