"""IIRC: a paragraph with links, and questions that need more than the paragraph says.

Three forms are read: the dataset's own, the DROP-style file that its authors score, and single
questions with their evidence as short texts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from lacuna import demo
from lacuna.answers import AnswerMode, answer_from_text, text_from_answer
from lacuna.datasets.base import (
    AnswerTrace,
    Baseline,
    Block,
    Dataset,
    Form,
    Item,
    Raw,
    Setting,
    always,
    by_name,
)
from lacuna.datasets.drop import DropMetric, drop_form, number_value
from lacuna.datasets.fetch import OfficialFile, OfficialFiles
from lacuna.datasets.fields import Fields, keep, restore, visible
from lacuna.errors import LacunaError, shown
from lacuna.files.json import Encoded, Shape
from lacuna.metrics.metric import Metric
from lacuna.types import (
    Answer,
    AnswerKind,
    Document,
    Evidence,
    Gold,
    Link,
    Prediction,
    Question,
    Span,
)

if TYPE_CHECKING:
    from lacuna_lab.describe.description import Description
    from lacuna_lab.describe.labelling import LabellingTask


NO_ANSWER = "none"
MAIN = "main"
"""IIRC's name for the paragraph itself among the sources of evidence."""
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
    """The number of linked articles that a question needs, as table 4 of the paper counts.

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


OWN, LINKED = "main_context", "link_context"


def _looks_like_snippet(value: Any) -> bool:
    return (
        isinstance(value, dict)
        and isinstance(value.get("question"), str)
        and (LINKED in value or "link_candidates" in value)
    )


def _decode_snippet(raw: Raw) -> Item:
    fields = raw.fields
    text = fields.text("question")
    whole = fields.optional_text("passage")
    documents = tuple(
        Document(name, quoted)
        for name in (OWN, LINKED)
        if (quoted := fields.optional_text(name)) is not None
    )
    link = fields.optional_text("gold_link")
    gold = Gold(
        _answers(fields.texts("answer") if fields.peek("answer") else ()),
        evidence=tuple(Evidence(d.title, 0, len(d.text)) for d in documents) or None,
        links=None if link is None else (link,),
    )
    context = None if whole is None else Document("passage", whole)
    # These lines have no id of their own.
    id_ = f"line-{raw.number}"
    question = Question(id_, text, context, documents, gold=gold, extra=fields.rest())
    return Item((Block((question,), context),))


def _answers(texts: tuple[str, ...]) -> tuple[Answer, ...]:
    if not texts:
        return ()
    return (answer_from_text(texts[0], NO_ANSWER) if len(texts) == 1 else Answer.spans(texts),)


def _encode_snippet(item: Item) -> Encoded:
    question = item.question
    gold = question.gold or Gold()
    raw: dict[str, Any] = {"question": question.text}
    raw |= {document.title: document.text for document in question.documents}
    if gold.answers:
        answer = gold.answers[0]
        several = answer.kind is AnswerKind.SPANS
        raw["answer"] = list(answer.texts) if several else [text_from_answer(answer, NO_ANSWER)]
    if question.context is not None:
        raw["passage"] = question.context.text
    if gold.links:
        raw["gold_link"] = gold.links[0]
    return None, {**raw, **question.extra}


SNIPPETS = Form(
    "snippets", (Shape.LINES, Shape.LIST), _looks_like_snippet, _decode_snippet, _encode_snippet
)


class IIRCMetric(DropMetric):
    """DROP's scorer with its one difference."""

    none = NO_ANSWER


RETRIEVED = "retrieved_context"
RETRIEVED_MARK = " (retrieved)"
"""Behind the title of an article that the context is named like."""


def _with_gold(question: Question) -> Question:
    """The linked gold sentences; where there is no answer, what a system retrieved instead.

    Were unanswerable questions left without linked texts, the lack of them would tell.
    """
    answers = question.gold.answers if question.gold else ()
    if answers and answers[0].kind is not AnswerKind.NONE:
        return question
    instead = retrieved(question)
    if answers:
        return replace(question, documents=instead or question.documents)
    return replace(question, documents=question.documents or instead)


def _with_retrieved(question: Question) -> Question:
    return replace(question, documents=retrieved(question))


def retrieved(question: Question) -> tuple[Document, ...]:
    """The passages that a system retrieved for a question, where the file has it."""
    quoted: dict[str, list[str]] = {}
    raws = question.extra.get(RETRIEVED) or []
    for raw in raws if isinstance(raws, list) else [raws]:
        match raw:
            case {"passage": str(title), "text": str(text)}:
                quoted.setdefault(_free(title, question.context), []).append(text)
            case _:
                raise LacunaError(
                    f"Question {question.id!r}, field {RETRIEVED}: expected a list of objects "
                    f"with passage and text, found {shown(raw)}. Mend it."
                )
    return tuple(quoted_document(title, texts) for title, texts in quoted.items())


def _free(title: str, context: Document | None) -> str:
    """A title that the context does not have, since evidence names documents by title."""
    return f"{title}{RETRIEVED_MARK}" if context and context.title == title else title


def _context_alone(question: Question) -> Question:
    return replace(question, documents=())


def _gold_links_alone(question: Question) -> Question:
    """The context with the gold links and no others, except where there are none.

    A context without any link would tell that there is no answer.
    """
    context, gold = question.context, question.gold.links if question.gold else None
    if context is not None and gold:
        links = tuple(link for link in context.links if link.target in gold)
        located = {link.target for link in links}
        # IIRC's files do not always say where a gold link stands.
        links += tuple(Link(0, 0, title) for title in gold if title not in located)
        context = replace(context, links=links)
    return replace(question, context=context, documents=())


SETTINGS = by_name(
    Setting("oracle-context", AnswerMode.ASK, _with_gold),
    Setting("retrieved-context", AnswerMode.ASK, _with_retrieved, required_field=RETRIEVED),
    Setting("full", AnswerMode.ASK, _context_alone, over_corpus=True),
    Setting("oracle-links", AnswerMode.ASK, _gold_links_alone, over_corpus=True),
)


UNIT = r"(?:second|minute|hour|day|week|month|year|decade|centur(?:y|ie))s?"
SPAN = re.compile(
    rf"(?:(?:for|after|within|over|about) )?how (?:old|long|much time|many {UNIT})\b"
    r"|(?:at )?(?:what|which) age\b"
)
POINT = re.compile(
    rf"when\b|(?:(?:in|on|during|by|since|from|until) )?(?:what|which) "
    rf"(?:{UNIT}|date|season|time|era)\b"
)
TIME_WORDS = 4
"""The number of a question's words that tell: "for how many years"."""


class TimeQuestion(StrEnum):
    """A kind of question about time."""

    SPAN = "asks for an age or a duration"
    POINT = "asks for a point in time"
    OTHER = "asks for something else"


def time_question(beginning: str) -> TimeQuestion:
    """The kind of question about time that begins with these words.

    >>> time_question("how old was").name, time_question("in what year").name
    ('SPAN', 'POINT')
    >>> time_question("for how many years").name
    'SPAN'
    """
    if SPAN.match(beginning):
        return TimeQuestion.SPAN
    return TimeQuestion.POINT if POINT.match(beginning) else TimeQuestion.OTHER


# The four classes of errors in section 4.4 of IIRC's paper, told by what a system looked at.
#
# The paper labelled them by hand. Here a link counts as chosen if a document of its title was
# looked into, and a gold sentence as found if it stands, word for word, in what was read.


ERROR = "error (section 4.4)"
ERROR_FIELDS = {ERROR: "no wrong answer could be traced"}
LINKS, CONTEXT = "insufficient links", "incorrect context"
MODEL, UNANSWERABLE = "modeling error", "unanswerable"
UNKNOWN = "not told: no gold context"


def error_class(question: Question, trace: AnswerTrace) -> str:
    """The stage that an error of this question is due to."""
    gold = question.gold
    assert gold is not None
    if gold.answers[0].kind is AnswerKind.NONE:
        return UNANSWERABLE
    if not gold.evidence:
        return UNKNOWN
    texts = {document.title: document.text for document in question.documents}
    linked = [piece for piece in gold.evidence if piece.document in texts]
    wanted = {_title(title) for title in gold.links or (piece.document for piece in linked)}
    if not wanted <= {_title(title) for title in trace.titles}:
        return LINKS
    read = "\n".join(map(_plain, trace.texts))
    quotes = (texts[piece.document][piece.start : piece.end] for piece in linked)
    return MODEL if all(_plain(quote) in read for quote in quotes) else CONTEXT


def _title(title: str) -> str:
    return _plain(title.removesuffix(RETRIEVED_MARK))


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())


# IIRC: a paragraph with links, and questions that need more than the paragraph says.
#
# Three forms are read: the dataset's own, the DROP-style file that its authors score, and single
# questions with their evidence as short texts.


NUMBER_OF_LINKS = "number of links"
BREAKDOWN_FIELDS = {NUMBER_OF_LINKS: "question_links"}
ADDRESS = "https://iirc-dataset.s3.us-west-2.amazonaws.com/"


class IIRC(Dataset):
    """IIRC."""

    name = "iirc"
    about = "a paragraph, its links, and what it leaves out (Ferguson et al. 2020)"
    forms = (PASSAGES, drop_form("DROP-style", yes_no=True), SNIPPETS)
    settings = SETTINGS
    no_answer = NO_ANSWER
    downloads = OfficialFiles(
        "CC BY 4.0",
        "https://allennlp.org/iirc",
        (
            OfficialFile(
                ADDRESS + "iirc_train_dev.tgz",
                members=("iirc_train_dev/train.json", "iirc_train_dev/dev.json"),
            ),
            OfficialFile(ADDRESS + "iirc_test.json"),
            OfficialFile(ADDRESS + "context_articles.tar.gz", members=("context_articles.json",)),
        ),
    )
    breakdown_fields = BREAKDOWN_FIELDS
    error_fields = ERROR_FIELDS
    baselines = (
        Baseline(
            "always-none", "none to every question (table 6)", always(Prediction(Answer.none()))
        ),
    )
    demo_questions = demo.QUESTIONS

    def metric(self, **options: Any) -> Metric:
        return IIRCMetric(**options)

    def description(self) -> Description:
        from lacuna_lab.describe.iirc import IIRCDescription

        return IIRCDescription()

    def labelling(self) -> tuple[LabellingTask, ...]:
        from lacuna_lab.describe.iirc import TASKS

        return TASKS

    def facets(self, question: Question) -> dict[str, str]:
        if not question.gold or not question.gold.answers:
            return {}
        return {"type": TYPE_OF_KIND[question.gold.answers[0].kind]}

    def breakdowns(self, question: Question) -> dict[str, str]:
        links = question.gold and question.gold.links
        return {
            **({NUMBER_OF_LINKS: link_count(len(set(links)))} if links else {}),
            **self.facets(question),
        }

    def errors(
        self, question: Question, prediction: Prediction, trace: AnswerTrace
    ) -> dict[str, str]:
        return {ERROR: error_class(question, trace)}

    def oddities(self, question: Question) -> list[str]:
        linked = {link.target for link in question.context.links} if question.context else set()
        oddities = []
        if any(target not in linked for target in (question.gold and question.gold.links) or ()):
            oddities.append("a gold link that the context does not have")
        if any(document.title == MAIN for document in question.documents):
            oddities.append("evidence that does not stand in the context where it says")
        if isinstance(question.extra.get("answer"), str):
            oddities.append("an answer that is a plain text, left unread")
        return oddities
