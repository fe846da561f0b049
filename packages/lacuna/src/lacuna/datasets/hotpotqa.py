"""HotpotQA: a question over ten paragraphs, an answer, and the sentences that support it.

Files of 2WikiMultihopQA are in the same format.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from lacuna.answers import AnswerMode, answer_from_text, text_from_answer
from lacuna.corpus.passages import Cutter, Excerpt
from lacuna.datasets.base import Block, Dataset, Form, Item, Raw, Setting, by_name
from lacuna.datasets.baselines import HOTPOTQA_BASELINES as BASELINES
from lacuna.datasets.fetch import OfficialFile, OfficialFiles
from lacuna.datasets.fields import HIDDEN, visible
from lacuna.datasets.prediction_files import prediction_error, read_map
from lacuna.errors import BadField, LacunaError, shown
from lacuna.files.json import Encoded, Shape, dump
from lacuna.files.writing import replace_text
from lacuna.metrics.metric import Metric, Row, normalise, overlap
from lacuna.text import words
from lacuna.types import (
    Answer,
    Document,
    Evidence,
    Gold,
    Prediction,
    Question,
    Span,
    SupportingFact,
)

if TYPE_CHECKING:
    from lacuna_lab.describe.description import Description
    from lacuna_lab.describe.labelling import LabellingTask


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


ONE_TEXT = HIDDEN + "one text"
"""Notes that a paragraph came as one text, not as sentences."""


def _is_paragraph(value: Any) -> bool:
    return (
        isinstance(value, dict)
        and "title" in value
        and "question" not in value
        and ("sentences" in value or isinstance(value.get("text"), str))
        and "questions" not in value
    )


def _decode_paragraph(raw: Raw) -> Item:
    fields = raw.fields
    title = fields.text("title")
    if "sentences" in fields:
        document = document_of(title, fields.texts("sentences"))
        return Item((Block((), document),), extra=fields.rest())
    document = Document(title, fields.text("text"))
    return Item((Block((), document),), extra={**fields.rest(), ONE_TEXT: True})


def _encode_paragraph(item: Item) -> Encoded:
    document = item.blocks[0].document
    assert document is not None
    one_text = ONE_TEXT in item.extra
    whole = {"text": document.text} if one_text else {"sentences": sentences_of(document)}
    return None, {"title": document.title, **whole, **visible(item.extra)}


def _is_gold_only(value: Any) -> bool:
    return isinstance(value, dict) and {"question", "knowledge", "answer"} <= value.keys()


def _decode_gold_only(raw: Raw) -> Item:
    fields = raw.fields
    document = Document("knowledge", fields.text("knowledge"))
    gold = Gold(
        (answer_from_text(fields.text("answer"), NO_ANSWER),),
        evidence=(Evidence(document.title, 0, len(document.text)),),
    )
    # These lines have no id of their own.
    id_ = f"line-{raw.number}"
    question = Question(
        id_, fields.text("question"), documents=(document,), gold=gold, extra=fields.rest()
    )
    return Item.of(question)


def _encode_gold_only(item: Item) -> Encoded:
    question = item.question
    assert question.gold is not None
    return None, {
        "question": question.text,
        "knowledge": question.documents[0].text,
        "answer": text_from_answer(question.gold.answers[0], NO_ANSWER),
        **question.extra,
    }


PARAGRAPHS = Form("paragraphs", LISTED, _is_paragraph, _decode_paragraph, _encode_paragraph)
GOLD_SENTENCES = Form("gold sentences", LISTED, _is_gold_only, _decode_gold_only, _encode_gold_only)


CLOSED = frozenset({"yes", "no", NO_ANSWER})
Four = tuple[float, float, float, float]
NOTHING: Four = (0.0, 0.0, 0.0, 0.0)
ABSTENTION = Prediction(Answer.none(), supporting_facts=())


class HotpotQAMetric(Metric):
    """A missing prediction scores 0 and still counts: the official script divides by all."""

    measures = tuple(
        part + name for part in ("", "sp_", "joint_") for name in ("em", "f1", "prec", "recall")
    )
    main = ("em", "f1", "sp_em", "sp_f1", "joint_em", "joint_f1")

    def judge(self, question: Question, prediction: Prediction | None) -> Row:
        gold = question.gold
        assert gold is not None
        answer = facts = joint = NOTHING
        if prediction and prediction.answer:
            answer = _answer(prediction.answer, gold.answers[0])
        if prediction and prediction.supporting_facts is not None:
            facts = _facts(prediction.supporting_facts, gold.supporting_facts or ())
            if prediction.answer:
                joint = _joint(answer, facts)
        return (*answer, *facts, *joint)

    def lacking(self, question: Question, prediction: Prediction) -> str | None:
        if prediction.answer and prediction.supporting_facts is None:
            return "supporting facts"
        return super().lacking(question, prediction)

    def abstention(self, question: Question) -> Prediction:
        return ABSTENTION


def _answer(predicted: Answer, wanted: Answer) -> Four:
    prediction = normalise(text_from_answer(predicted, NO_ANSWER))
    reference = normalise(text_from_answer(wanted, NO_ANSWER))
    same = prediction == reference
    # A yes, a no or an abstention is right or wrong: shared words do not count.
    if not same and (prediction in CLOSED or reference in CLOSED):
        return NOTHING
    precision, recall, f1 = overlap(prediction, reference)
    return float(same), f1, precision, recall


def _facts(predicted: Iterable[SupportingFact], wanted: Iterable[SupportingFact]) -> Four:
    prediction, reference = set(predicted), set(wanted)
    right = len(prediction & reference)
    if not right:
        return float(prediction == reference), 0.0, 0.0, 0.0
    precision, recall = right / len(prediction), right / len(reference)
    return float(prediction == reference), _f1(precision, recall), precision, recall


def _joint(answer: Four, facts: Four) -> Four:
    precision, recall = answer[2] * facts[2], answer[3] * facts[3]
    if not precision and not recall:
        return answer[0] * facts[0], 0.0, 0.0, 0.0
    return answer[0] * facts[0], _f1(precision, recall), precision, recall


def _f1(precision: float, recall: float) -> float:
    return 2 * precision * recall / (precision + recall)


# HotpotQA's settings: ten paragraphs, the gold ones alone, their sentences alone, or a corpus.
#
# Where the gold sentences are read alone, predictions find their way back to the whole paragraphs.


def _supporting_facts(question: Question) -> tuple[SupportingFact, ...]:
    """The gold sentences of a question; an error where the file does not name them."""
    facts = question.gold.supporting_facts if question.gold else None
    if facts is None:
        raise LacunaError(
            f"Question {question.id!r} has no supporting_facts, which this setting chooses its "
            "text by. Give a file that has them, or use the setting distractor."
        )
    return facts


def _narrowed(question: Question) -> Question:
    """The question over nothing but its supporting sentences."""
    excerpts = _gold_sentences(question).values()
    return replace(question, documents=tuple(excerpt.document for excerpt in excerpts))


def _widened(question: Question, prediction: Prediction) -> Prediction:
    """A prediction for the narrowed question, with the places of the question itself."""
    excerpts = _gold_sentences(question)

    def place(evidence: tuple[Evidence, ...]) -> tuple[Evidence, ...]:
        return tuple(
            excerpts[piece.document].evidence(piece) if piece.document in excerpts else piece
            for piece in evidence
        )

    answer, facts = prediction.answer, prediction.supporting_facts
    return replace(
        prediction,
        answer=answer and replace(answer, found_at=place(answer.found_at)),
        evidence=place(prediction.evidence),
        supporting_facts=facts
        and tuple(
            SupportingFact(fact.title, excerpts[fact.title].sentences[fact.sentence])
            for fact in facts
        ),
    )


def _gold_sentences(question: Question) -> dict[str, Excerpt]:
    """The supporting sentences of each paragraph, by its title.

    A fact that points to no sentence is passed over; of two paragraphs with one title, the first
    counts.
    """
    wanted = set(_supporting_facts(question))
    by_title: dict[str, Excerpt] = {}
    for document in question.documents:
        count = len(document.sentences)
        numbers = [n for n in range(count) if SupportingFact(document.title, n) in wanted]
        if numbers and document.title not in by_title:
            by_title[document.title] = Cutter(document).cut_sentences(numbers, _gap)
    return by_title


def _gap(text: str, sentence: str) -> str:
    """The blank that HotpotQA's format puts between a text and its next sentence, if any."""
    joined = document_of("", (text, sentence))
    return joined.text[len(text) : joined.sentences[1].start]


def _gold_paragraphs(question: Question) -> Question:
    titles = {fact.title for fact in _supporting_facts(question)}
    documents = tuple(document for document in question.documents if document.title in titles)
    return replace(question, documents=documents)


def _question_alone(question: Question) -> Question:
    return replace(question, context=None, documents=())


SETTINGS = by_name(
    Setting("distractor", AnswerMode.HOP),
    Setting("gold-only", AnswerMode.HOP, _gold_paragraphs),
    Setting("supporting-facts-only", AnswerMode.HOP, _narrowed, _widened),
    Setting("fullwiki", AnswerMode.HOP, _question_alone, over_corpus=True),
)


# HotpotQA: a question over ten paragraphs, an answer, and the sentences that support it.
#
# Files of 2WikiMultihopQA are in the same format.


ADDRESS = "http://curtis.ml.cmu.edu/datasets/hotpot/"
EXPECTED = '{"answer": {id: text}, "sp": {id: [[title, sentence], …]}}'
LABELS = {"type": "type", "level": "level"}


class HotpotQA(Dataset):
    """HotpotQA, distractor and full-wiki."""

    name = "hotpotqa"
    about = "questions over several paragraphs, with supporting sentences (Yang et al. 2018)"
    forms = (QUESTIONS, PARAGRAPHS, GOLD_SENTENCES)
    settings = SETTINGS
    no_answer = NO_ANSWER
    breakdown_fields = LABELS
    baselines = BASELINES
    downloads = OfficialFiles(
        "CC BY-SA 4.0",
        "https://hotpotqa.github.io",
        (
            OfficialFile(
                ADDRESS + "hotpot_train_v1.1.json",
                566426227,
                "26650cf50234ef5fb2e664ed70bbecdfd87815e6bffc257e068efea5cf7cd316",
            ),
            OfficialFile(
                ADDRESS + "hotpot_dev_distractor_v1.json",
                46320117,
                "4e9ecb5c8d3b719f624d66b60f8d56bf227f03914f5f0753d6fa1b359d7104ea",
            ),
            OfficialFile(
                ADDRESS + "hotpot_dev_fullwiki_v1.json",
                47454698,
                "2f1f3e594a3066a3084cc57950ca2713c24712adaad03af6ccce18d1846d5618",
            ),
            OfficialFile(
                ADDRESS + "hotpot_test_fullwiki_v1.json",
                46213747,
                "c61a5274b9aa6deca3f7d2dc4d7757684c158fbd2264f759307699fb53801c2b",
            ),
        ),
    )

    def metric(self, **options: Any) -> Metric:
        return HotpotQAMetric(**options)

    def gold_at_once(self, path: Path) -> list[Question] | None:

        return gold_at_once(path)

    def description(self) -> Description:
        from lacuna_lab.describe.hotpotqa import HotpotDescription

        return HotpotDescription()

    def labelling(self) -> tuple[LabellingTask, ...]:
        from lacuna_lab.describe.hotpotqa import TASKS

        return TASKS

    def facets(self, question: Question) -> dict[str, str]:
        given = {key: question.extra.get(key) for key in LABELS}
        return {key: str(value) for key, value in given.items() if value is not None}

    def oddities(self, question: Question) -> list[str]:
        sentences: dict[str, int] = {}
        oddities = []
        for document in question.documents:
            if document.title in sentences:
                oddities.append("two paragraphs of the same title")
            sentences.setdefault(document.title, len(document.sentences))
        for title, sentence in (question.gold and question.gold.supporting_facts) or ():
            if title not in sentences:
                oddities.append("a supporting fact whose paragraph is not among the candidates")
            elif sentence >= sentences[title]:
                oddities.append("a supporting fact past its paragraph's last sentence")
        return oddities

    def read_predictions(self, path: Path) -> dict[str, Prediction]:
        predictions: dict[str, Prediction] = {}
        sections = read_map(path)
        answers, facts = sections.get("answer", {}), sections.get("sp", {})
        if not isinstance(answers, dict) or not isinstance(facts, dict) or not (answers or facts):
            raise LacunaError(f"{path} holds no HotpotQA predictions: expected {EXPECTED}.")
        for id_ in {**answers, **facts}:
            try:
                predictions[id_] = Prediction(
                    _predicted_answer(answers[id_]) if id_ in answers else None,
                    supporting_facts=_predicted_facts(facts[id_]) if id_ in facts else None,
                )
            except BadField as problem:
                raise prediction_error(path, id_, problem) from problem
        return predictions

    def write_predictions(self, path: Path, predictions: Mapping[str, Prediction]) -> None:
        answers = {
            id_: text_from_answer(p.answer, NO_ANSWER) for id_, p in predictions.items() if p.answer
        }
        facts = {
            id_: raw_facts(p.supporting_facts)
            for id_, p in predictions.items()
            if p.supporting_facts is not None
        }
        with replace_text(path) as out:
            out.write(dump({"answer": answers, "sp": facts}) + "\n")


def _predicted_answer(raw: Any) -> Answer:
    if not isinstance(raw, str):
        raise BadField("answer", "a text", shown(raw))
    return answer_from_text(raw, NO_ANSWER)


def _predicted_facts(raw: Any) -> tuple[SupportingFact, ...]:
    if not isinstance(raw, list):
        raise BadField("sp", "a list of [title, sentence]", shown(raw))
    return facts_from(raw, "sp")


# The gold of a HotpotQA file in one go, without the paragraphs that make up nearly all of it.
#
# Scoring needs a hundredth of the file. msgspec skips the rest without making Python objects of
# it, several times faster than any parser that builds the whole. Whatever is unusual about a file
# is left to the ordinary reader, which can say what is wrong and where.


NUL = "\0"
LARGEST = 256 << 20
"""Bytes of a file that is read at once; a larger one is streamed."""


class _Entry(msgspec.Struct, rename={"id": "_id"}):
    id: str
    question: str
    answer: str
    supporting_facts: tuple[SupportingFact, ...]
    type: str | None = None
    level: str | None = None


def gold_at_once(path: Path) -> list[Question] | None:
    """All questions with their gold; None where the ordinary reader has to look at the file."""
    try:
        if not path.is_file() or path.stat().st_size > LARGEST:
            return None
        with path.open("rb") as file, mmap(file.fileno(), 0, access=ACCESS_READ) as raw:
            entries = msgspec.json.decode(raw, type=list[_Entry])
    # ValueError: an empty file; RecursionError: one that is nested deeply
    except (msgspec.MsgspecError, OSError, ValueError, RecursionError):
        return None
    questions = []
    for entry in entries:
        if NUL in entry.id or NUL in entry.answer:
            return None
        answers = (answer_from_text(entry.answer, NO_ANSWER),)
        gold = Gold(answers, supporting_facts=entry.supporting_facts)
        labels = {"type": entry.type, "level": entry.level}
        questions.append(Question(entry.id, entry.question, gold=gold, extra=labels))
    return questions if len({question.id for question in questions}) == len(questions) else None


WH_WORDS = ("who", "whom", "whose", "what", "which", "when", "where", "why", "how")
VERBS = ("is", "are", "was", "were", "do", "does", "did")
"""The paper names "is", "are", "does" and "did" as examples."""
QUESTION_WORDS = frozenset((*WH_WORDS, *VERBS))
PREPOSITIONS = frozenset(("in", "at", "on", "of", "by", "for", "from", "with", "to", "under"))
NEAR_THE_START = 3
FOLLOWING = 2


def question_type(question: str) -> tuple[str, ...]:
    """The central question word, a preposition before it, and up to two words after it.

    The first question word is central if it is among the first three words, else the last one is,
    since relative clauses begin with the same words. Without any, the type is empty.

    >>> question_type("Which team does the MVP play for?")
    ('which', 'team', 'does')
    >>> question_type("The company that owns it is based in what city?")
    ('in what', 'city')
    """
    said = words(question)
    places = [at for at, word in enumerate(said) if word in QUESTION_WORDS]
    if not places:
        return ()
    central = places[0] if places[0] < NEAR_THE_START else places[-1]
    word = said[central]
    if central and said[central - 1] in PREPOSITIONS:
        word = f"{said[central - 1]} {word}"
    return (word, *said[central + 1 : central + 1 + FOLLOWING])
