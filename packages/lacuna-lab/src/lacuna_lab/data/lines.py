"""Training files with one object a line, each with its way to become questions."""

from __future__ import annotations

import re
from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import groupby, islice, pairwise, zip_longest
from random import Random
from typing import Any

from lacuna.datasets.fields import Fields
from lacuna.datasets.hotpotqa import document_of, sentences_of
from lacuna.errors import BadField, shown
from lacuna.types import Answer, AnswerKind, Document, Evidence, Gold, Question, Role, Span
from lacuna_lab.data.texts import (
    SimilarTexts,
    hidden_among,
    sentences_at,
    together,
    units,
    with_sentences,
)
from lacuna_lab.train.instances import occurrences

WORD = re.compile(r"[^\W_]+")
WORD_OF_SENTENCE = re.compile(r"((?:[.!?]\s{1,3}|\n)\W{0,3})?([^\W_]+)")
"""A word, and before it what says that a sentence begins."""
APART = re.compile(r"(?<=\w) - (?=\w)")
"""A hyphen that a source has put between blanks."""


def reworded(questions: Iterable[Question], seed: int) -> Iterator[Question]:
    """Half of the questions in writing, the others as typed into a search box."""
    random = Random(seed)
    for unit in units(questions):
        in_writing = random.random() < 0.5
        for question in unit:
            passage = question.context.text if question.context else ""
            text = written(question.text, passage) if in_writing else typed(question.text)
            yield replace(question, text=text)


def typed(text: str) -> str:
    """The question in lower case, without its mark.

    >>> typed("Who built the non - German ferry?")
    'who built the non-german ferry'
    """
    return APART.sub("-", text.lower()).rstrip("?!. ")


def written(text: str, passage: str) -> str:
    """The question with the capitals that its passage has, and a mark.

    What the passage also has in lower case is no name, nor what only begins a sentence. Whatever
    capitals the question has itself are not used: only some questions have them.

    >>> written("who built the ferry marrow", "The ferry Marrow was built by Ada.")
    'Who built the ferry Marrow?'
    """
    forms: dict[str, str] = {}
    for begins, form in WORD_OF_SENTENCE.findall(f"\n{passage}"):
        if not begins and forms.get(form.lower()) != form.lower():
            forms[form.lower()] = form
    text = WORD.sub(lambda match: forms.get(match.group(), match.group()), typed(text))
    return f"{text[:1].upper()}{text[1:]}?"


def decode_boolq(fields: Fields, number: int) -> Question:
    """A line: ``question``, ``title``, ``passage`` and ``answer``."""
    document = Document(fields.text("title"), fields.text("passage"))
    gold = Gold((yes_or_no(fields),))
    return Question(str(number), fields.text("question"), document, gold=gold)


def yes_or_no(fields: Fields) -> Answer:
    """The answer of a line whose ``answer`` is true or false."""
    answer = fields.peek("answer")
    if not isinstance(answer, bool):
        raise fields.bad("answer", "true or false")
    return Answer.yes() if answer else Answer.no()


LONGEST = 200
"""Characters of an answer; some are whole tables."""
TOO_LONG = f"an answer of more than {LONGEST} characters"


def decode_qed(fields: Fields, number: int) -> Question:
    """A line: ``answers`` are alternatives, each a list of places in the ``paragraph``."""
    title, text = fields.text("title"), fields.text("paragraph")
    starts = (start for start in fields.integers("sentence_starts") if 0 < start < len(text))
    edges = sorted({0, *starts, len(text)})
    sentences = (_trimmed(text, start, end) for start, end in pairwise(edges))
    document = Document(title, text, tuple(span for span in sentences if span.start < span.end))
    alternatives = [_places(each, document) for each in fields.items("answers")]
    answers = tuple(_answer(places, document) for places in alternatives)
    facts = sentences_at(document, (place for places in alternatives for place in places))
    gold = Gold(answers, supporting_facts=facts)
    return Question(fields.text("id"), fields.text("question"), document, gold=gold)


def short_answers(questions: Iterable[Question], left_out: Counter[str]) -> Iterator[Question]:
    """The questions with a short answer; the others are counted."""
    for question in questions:
        answers = question.gold.answers if question.gold else ()
        if any(len(text) > LONGEST for answer in answers for text in answer.texts):
            left_out[TOO_LONG] += 1
        else:
            yield question


def _trimmed(text: str, start: int, end: int) -> Span:
    return Span(start, start + len(text[start:end].rstrip()))


def _places(raw: Any, document: Document) -> list[Span]:
    match raw:
        case [_, *_] if all(_is_place(each, len(document.text)) for each in raw):
            return [Span(start, end) for start, end in raw]
    raise BadField("answers", "places in the paragraph", shown(raw))


def _is_place(raw: Any, size: int) -> bool:
    match raw:
        case [int(start), int(end)]:
            return 0 <= start < end <= size
    return False


def _answer(places: list[Span], document: Document) -> Answer:
    found_at = tuple(Evidence(document.title, *place, Role.ANSWER) for place in places)
    texts = tuple(document.text[start:end] for start, end in places)
    return Answer.spans(texts, *found_at) if len(texts) > 1 else Answer.span(texts[0], *found_at)


ANSWERS = {
    "entailment": (Answer.yes(),),
    "contradiction": (Answer.no(),),
    "neutral": (Answer.none(),),
    "-": (),
}
"""By their labels; annotators did not agree on "-"."""
VERB = re.compile(r"\b(is|are|was|were|can|will|could|has|have)(n't| not)?\b", re.IGNORECASE)
NO_SUBJECT = re.compile(r"\b(?:who|that|which|where|while|when|as|if)$", re.IGNORECASE)
PERFECT = re.compile(r" (?:not )?(?:been|\w+ed|gone|taken|fallen|made|done|got|gotten)\b")
LONGEST_SUBJECT = 8
NO_QUESTION = "a statement that gives no question, or has no opposite"


def decode_snli(fields: Fields, number: int) -> Question:
    """A line: the ``hypothesis`` stands for the question, the ``premise`` is its text."""
    label = fields.text("label")
    if label not in ANSWERS:
        raise fields.bad("label", "entailment, contradiction, neutral or -")
    document = Document("", fields.text("premise"))
    gold = Gold(ANSWERS[label])
    return Question(str(number), fields.text("hypothesis"), document, gold=gold)


def opposite_claims(questions: Iterable[Question], left_out: Counter[str]) -> Iterator[Question]:
    """Pairs of a supported and a contradicted statement about the same sentence, as questions."""
    for _, group in groupby(questions, key=lambda q: q.context.text if q.context else ""):
        claims: dict[AnswerKind, list[Question]] = {kind: [] for kind in AnswerKind}
        seen = used = 0
        for statement in group:
            seen += 1
            assert statement.gold is not None
            if text := asked(statement.text):
                claims[statement.gold.answers[0].kind].append(replace(statement, text=text))
        for pair in zip(claims[AnswerKind.YES], claims[AnswerKind.NO], strict=False):
            used += len(pair)
            yield from together(*pair)
        left_out[NO_QUESTION] += seen - used


def asked(statement: str) -> str | None:
    """The question whether it is so; None where its first verb cannot simply be put in front.

    >>> asked("The old men aren't at home.")
    'Are the old men not at home?'
    >>> asked("A man smokes.")
    """
    statement = " ".join(statement.split()).rstrip(".!")
    found = VERB.search(statement)
    if found is None:
        return None
    subject, rest = statement[: found.start()].rstrip(), statement[found.end() :]
    if not subject or not rest or NO_SUBJECT.search(subject):
        return None
    if len(subject.split()) > LONGEST_SUBJECT or "," in subject or "?" in statement:
        return None
    verb = found[1].capitalize()
    if verb in ("Has", "Have") and not PERFECT.match(rest):
        return None
    negation = " not" if found[2] else ""
    return f"{verb} {subject[:1].lower()}{subject[1:]}{negation}{rest}?"


TWIN, PLAUSIBLE = "paired_answerable_id", "plausible_answer"
NO_TWIN = "its answerable twin is not there"


def decode_squad_twins(fields: Fields, number: int) -> Question:
    """A line: a question in lower case that its ``context`` does not answer."""
    document = Document(fields.text("title"), fields.text("context"))
    extra: dict[str, Any] = {TWIN: fields.text(TWIN)}
    if PLAUSIBLE in fields:
        plausible = fields.object(PLAUSIBLE)
        text, start = plausible.text("text"), plausible.integer("answer_start")
        if document.text.startswith(text, start):
            extra[PLAUSIBLE] = Span(start, start + len(text))
    return Question(
        fields.text("id"),
        fields.text("question"),
        document,
        gold=Gold((Answer.none(),)),
        extra=extra,
    )


def twins(
    unanswerable: Iterable[Question], answerable: Iterable[Question], left_out: Counter[str]
) -> Iterator[Question]:
    """Both questions of each pair, in the order of the answerable ones.

    ``answerable`` have SQuAD's ids behind the name of their source: squad1/….
    """
    made_from = {question.extra[TWIN]: question for question in unanswerable}
    for question in answerable:
        if (twin := made_from.pop(question.id.partition("/")[2], None)) is not None:
            yield from together(twin, _beside(twin, question))
    left_out[NO_TWIN] += len(made_from)


def _beside(twin: Question, question: Question) -> Question:
    return Question(f"{twin.id}/answerable", question.text, question.context, gold=question.gold)


AT_ONCE = 1000
"""So many questions give each other facts that decide nothing."""
FEWEST, MOST = 3, 7
"""Facts of other questions that are put among those of a question."""


def decode_strategyqa(fields: Fields, number: int) -> Question:
    """A line: the ``facts`` become one text about the ``term``."""
    facts = (" ".join(fact.split()) for fact in fields.texts("facts"))
    ended = [fact if fact.endswith((".", "!", "?")) else f"{fact}." for fact in facts if fact]
    if not ended:
        raise fields.bad("facts", "some facts")
    document = document_of(fields.text("term"), ended)
    gold = Gold((yes_or_no(fields),))
    return Question(fields.text("qid"), fields.text("question"), document, gold=gold)


def among_facts(questions: Iterable[Question], seed: int) -> Iterator[Question]:
    """The facts of each question among others: those most like it in words, then any."""
    random, remaining = Random(seed), iter(questions)
    while block := list(islice(remaining, AT_ONCE)):
        facts = [sentences_of(question.context) for question in block if question.context]
        everything = [fact for own in facts for fact in own]
        asked = (question.text for question in block)
        nearest = SimilarTexts(everything).best(asked, 2 * MOST)
        for number, (question, near) in enumerate(zip(block, nearest, strict=True)):
            any_ = random.sample(range(len(everything)), min(2 * MOST, len(everything)))
            others = dict.fromkeys(everything[each] for each in (*near, *any_))
            distinct = [fact for fact in others if fact not in facts[number]]
            assert question.context
            assert question.gold
            title, chosen = question.context.title, distinct[: random.randint(FEWEST, MOST)]
            document, own = hidden_among(title, facts[number], chosen, random)
            gold = replace(question.gold, supporting_facts=own)
            yield replace(question, context=document, gold=gold)


FIXED = {"yes": Answer.yes(), "no": Answer.no(), "none": Answer.none()}
PAIR = "pair"
SOURCE = "source"
"""The collection that a document is of."""
NO_OPPOSITE = "a yes that no question for no is left for"


def decode_synthetic(fields: Fields, number: int) -> Question:
    """A line of any kind: fact, list, yes, no or none.

    What its sentence of evidence touches is evidence; where there is no answer, nothing is.
    """
    document = with_sentences(fields.text("title"), fields.text("passage"))
    kind = fields.text("kind")
    if kind in FIXED:
        answer = FIXED[kind]
    elif kind in ("fact", "list"):
        answer = _spans(fields, document)
    else:
        raise fields.bad("kind", "fact, list, yes, no or none")
    places = []
    if evidence := fields.optional_text("evidence"):
        start = fields.integer("evidence_start")
        places.append(Span(start, start + len(evidence)))
    gold = Gold((answer,), supporting_facts=sentences_at(document, places))
    extra = {name: fields.text(name) for name in (PAIR, SOURCE) if name in fields}
    return Question(fields.text("id"), fields.text("question"), document, gold=gold, extra=extra)


def _spans(fields: Fields, document: Document) -> Answer:
    texts, places = [], []
    for answer in fields.objects("answers"):
        text, start = answer.text("text"), answer.integer("start")
        if document.text[start : start + len(text)] != text:
            raise answer.bad("start", "where the text stands")
        texts.append(text)
        places.append(Evidence(document.title, start, start + len(text), Role.ANSWER))
    if not texts:
        raise fields.bad("answers", "an answer")
    return Answer.spans(tuple(texts), *places) if texts[1:] else Answer.span(texts[0], *places)


def opposites(
    yes: Iterable[Question], no: Iterable[Question], left_out: Counter[str]
) -> Iterator[Question]:
    """Pairs that differ in one detail; every other no beside one of the other yeses.

    The yeses that remain are left out, since most questions would be answered with yes.
    """
    of_pair: defaultdict[str, list[Question]] = defaultdict(list)
    for question in no:
        of_pair[question.extra.get(PAIR, "")].append(question)
    alone: list[Question] = []
    wanted = sum(map(len, of_pair.values()))
    for question in yes:
        if (pair := question.extra.get(PAIR)) and of_pair.get(pair):
            yield from together(question, of_pair[pair].pop())
        elif len(alone) < wanted:
            alone.append(question)
        else:
            left_out[NO_OPPOSITE] += 1
    rest = [question for left in of_pair.values() for question in left]
    for both in zip_longest(alone[: len(rest)], rest):
        yield from (question for question in both if question)
    left_out[NO_OPPOSITE] += len(alone[len(rest) :])


REMEMBERED = 40
"""Sentences before, among which a sentence is hidden."""
FEWEST_WORDS, MOST_WORDS = 2, 6


def decode_zre(fields: Fields, number: int) -> Question:
    """A line: one sentence as ``context``, and ``answers`` that stand in it."""
    document = Document("", fields.text("context").strip())
    answers = tuple(Answer.span(text) for text in fields.texts("answers"))
    for answer in answers:
        if next(occurrences(document.text, answer.text), None) is None:
            raise fields.bad("answers", "words of the context")
    return Question(str(number), fields.text("question"), document, gold=Gold(answers))


def among_sentences(questions: Iterable[Question], seed: int) -> Iterator[Question]:
    """The sentence of each question among those of earlier ones that do not have its answer."""
    random = Random(seed)
    before: deque[str] = deque(maxlen=REMEMBERED)
    for question in questions:
        assert question.context
        assert question.gold
        text = question.context.text
        texts = [answer.text for answer in question.gold.answers]
        others = [
            other
            for other in dict.fromkeys(before)
            if other != text and not any(next(occurrences(other, each), None) for each in texts)
        ]
        chosen = random.sample(others, min(len(others), random.randint(FEWEST_WORDS, MOST_WORDS)))
        before.append(text)
        document, facts = hidden_among("", [text], chosen, random)
        places = document.sentences[facts[0].sentence]
        answers = tuple(_found(answer, document, places.start) for answer in question.gold.answers)
        gold = replace(question.gold, answers=answers, supporting_facts=facts)
        yield replace(question, context=document, gold=gold)


def _found(answer: Answer, document: Document, start: int) -> Answer:
    """The answer as it is first written in the sentence that begins there."""
    first = next(occurrences(document.text[start:], answer.text))
    place = Evidence(document.title, start + first.start, start + first.end, Role.ANSWER)
    return Answer.span(document.text[place.start : place.end], place)
