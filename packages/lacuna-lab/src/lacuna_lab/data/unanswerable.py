"""Questions that their text does not answer, made from those that it does."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import groupby
from random import Random
from typing import TypeVar

from lacuna.types import Answer, AnswerKind, Document, Gold, Question
from lacuna_lab.data.texts import (
    LARGE_PLACES,
    NAME,
    NATIONS,
    NO_NAME,
    OPPOSITES,
    OVERLAPPING_NATIONS,
    THINGS,
    TO_BASE,
    TRANSITIVE,
    NamesByKind,
    bare_name,
    sentences_of,
)
from lacuna_lab.train.instances import occurrences

WEAK = frozenset(re.findall(r"\w+", "of the by and with for to as is was that or than"))
"""Anything may follow these."""
T = TypeVar("T")
YEAR = re.compile(r"\b(?:1[0-9]|20)\d\d\b(?!s)")
COUNT = re.compile(r"(?<![\d.,$–-])\b\d{1,3}(?:,\d{3})*\b(?![\d.,]*\d|[%–-])")
WORD = re.compile(r"[a-z]{4,}")
COMMON = frozenset(
    re.findall(
        r"\w+",
        "what which when where whom whose that this there their with from have been were does into "
        "about many much some other after before during name called they than also used first most",
    )
)
PASSIVE = re.compile(rf"\b(was|were|is|are) (?=(?:{'|'.join(TO_BASE)}|\w+ed)\b)")
DOER = re.compile(rf"^(Who|Which \w+|What \w+) (?=(?:{'|'.join(TO_BASE)})\b)")
DONE = re.compile(
    rf"^((?:Who|What|Which \w+|Where|When) (?:did|does|do) .{{3,60}}?) (?=(?:{TRANSITIVE})\b)"
)
NEGATED = re.compile(r"\b(?:not|never|no|without|except)\b|n't\b")
PAST = rf"did|was|were|\w+ed|{'|'.join(TO_BASE)}"
DATABLE = re.compile(rf"^(?:Who|What|Which|Where|How many)\b.*\b(?:{PAST})\b")
ENDS_OPEN = re.compile(r"\b(?:in|on|at|by|to|of|for|with|from|as|when|while|during|after|before)\b")


@dataclass(frozen=True, slots=True)
class AnswerSentence:
    """A question, its text, and the sentence of the text that contains the answer."""

    question: str
    text: str
    sentence: str
    others: tuple[str, ...]
    answers: tuple[str, ...]
    names: NamesByKind

    @classmethod
    def of(cls, question: Question, names: NamesByKind) -> AnswerSentence | None:
        """None where no single sentence contains the answer."""
        answers = question.gold.answers if question.gold else ()
        context = question.context
        if context is None or not answers or not answers[0].texts:
            return None
        text, places = context.text, answers[0].found_at
        at = places[0].start if places else text.find(answers[0].texts[0])
        if at < 0 or question.text.count("?") != 1:
            return None
        sentences = sentences_of(text)
        own = [text[start:end] for start, end in sentences if start <= at < end]
        others = tuple(text[start:end] for start, end in sentences if not start <= at < end)
        texts = tuple(t for answer in answers for t in answer.texts)
        asked = " ".join(question.text.split())
        return cls(asked, text, own[0], others, texts, names) if own else None

    def elsewhere(self, word: str) -> bool:
        """Tell if another sentence with that word is about what is asked, too."""
        asked = set(WORD.findall(self.question)) - COMMON
        stems = {content_word[:5] for content_word in asked}
        return any(
            stems & {content_word[:5] for content_word in WORD.findall(sentence)}
            for sentence in self.others
            if contains(word, sentence)
        )


Change = Callable[[AnswerSentence, Random], str | None]


def contains(word: str, text: str) -> bool:
    """Tell if a text contains a word or name as a whole."""
    return re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text) is not None


def other_name(given: AnswerSentence, random: Random) -> str | None:
    """The name in a question replaced by another of its kind."""
    for match in _shuffled(NAME.finditer(given.question), random):
        name = bare_name(match)
        if match.start() == 0 or NO_NAME.match(name) or not contains(name, given.sentence):
            continue
        if any(name in answer or answer in name for answer in given.answers):
            continue
        other = _of_its_kind(name, given, random)
        if other:
            at = match.start()
            return given.question[:at] + other + given.question[at + len(name) :]
    return None


def _of_its_kind(name: str, given: AnswerSentence, random: Random) -> str | None:
    for kind in (NATIONS, LARGE_PLACES):
        if name in kind:
            if f"the {name}" in given.question:
                return None
            fit = [o for o in sorted(kind) if o != name and not _may_be_same(name, o)]
            near = [o for o in fit if o in given.text]
            return _first_fit(given, [*_shuffled(near, random), *_shuffled(fit, random)])
    before = {_word_before(text, name) for text in (given.sentence, given.question)}
    before -= WEAK | {""}
    near = [
        bare_name(match)
        for sentence in given.others
        for match in (NAME.finditer(sentence) if before else ())
        if match.start() and _word_before(sentence, match.group()) in before
    ]
    same = given.names.like(name)
    mentioned = [other for other in same if other in given.text]
    far = random.sample(same, min(20, len(same)))
    fit = [*_shuffled(mentioned, random), *_shuffled(near, random), *far]
    return _first_fit(given, [other for other in fit if _like(other, name)])


def _first_fit(given: AnswerSentence, names: Iterable[str]) -> str | None:
    return next(
        (
            name
            for name in names
            if not contains(name, given.sentence)
            and not contains(name, given.question)
            and name not in given.answers
            and not given.elsewhere(name)
        ),
        None,
    )


def _like(one: str, name: str) -> bool:
    """Tell if two names look alike without sharing a word."""
    a, b = one.split(), name.split()
    if NO_NAME.match(one) or set(a) & set(b) or one in LARGE_PLACES or one in NATIONS:
        return False
    things = THINGS.search(name), THINGS.search(one)
    if any(things):
        return bool(all(things)) and a[-1] == b[-1]
    plural = one.endswith("s") == name.endswith("s")
    return (
        plural and (len(a) > 1) == (len(b) > 1) and one.isupper() == name.isupper() and len(one) > 3
    )


def _may_be_same(one: str, other: str) -> bool:
    return any({one, other} <= some for some in OVERLAPPING_NATIONS) or one in other or other in one


def other_number(given: AnswerSentence, random: Random) -> str | None:
    """The year or number in a question replaced by another."""
    for pattern in (YEAR, COUNT):
        for match in _shuffled(pattern.finditer(given.question), random):
            value = match.group()
            if not contains(value, given.sentence) or value in given.answers:
                continue
            near = [m.group() for s in given.others for m in pattern.finditer(s)]
            number = int(value.replace(",", ""))
            steps = [-20, -11, -10, -5, -2, -1, 1, 2, 5, 10, 11, 20]
            far = [f"{number + step:,}" if "," in value else str(number + step) for step in steps]
            if pattern is COUNT:
                near, far = [], [str(n) for n in far if not n.startswith("-") and n != "0"]
            far = [candidate for candidate in far if candidate not in given.text]
            other = _first_fit(given, [*_shuffled(near, random), *_shuffled(far, random)])
            if other:
                return given.question[: match.start()] + other + given.question[match.end() :]
    return None


def opposite(given: AnswerSentence, random: Random) -> str | None:
    """A word replaced by its opposite, which the text does not contain."""
    for match in _shuffled(re.finditer(r"[A-Za-z]+", given.question), random):
        word = match.group()
        others = OPPOSITES.get(word)
        stem = word[: max(len(word) - 2, 4)]
        if not others or not match.start() or not re.search(rf"\b{stem}", given.sentence):
            continue
        other = random.choice(others)
        if not re.search(rf"\b{other[: max(len(other) - 2, 4)]}", given.text, re.IGNORECASE):
            return given.question[: match.start()] + other + given.question[match.end() :]
    return None


def negated(given: AnswerSentence, random: Random) -> str | None:
    """The question negated."""
    if NEGATED.search(given.sentence) or NEGATED.search(given.question):
        return None
    word = random.choice(("not", "never"))
    if DONE.search(given.question):
        return DONE.sub(rf"\1 {word}", given.question, count=1).replace(f" {word}", f" {word} ", 1)
    if DOER.search(given.question):
        return DOER.sub(r"\1 never ", given.question, count=1)
    if len(PASSIVE.findall(given.question)) == 1:
        return PASSIVE.sub(rf"\1 {word} ", given.question)
    return None


def wrong_time(given: AnswerSentence, random: Random) -> str | None:
    """A year added that contradicts the only one in the sentence."""
    years = set(YEAR.findall(given.sentence))
    if len(years) != 1 or YEAR.search(given.question) or ENDS_OPEN.search(given.question):
        return None
    if not DATABLE.search(given.question) or len(given.question.split()) > 12:
        return None
    year = int(years.pop())
    near = [y for s in given.others for y in YEAR.findall(s) if int(y) != year]
    far = [str(year + step) for step in (-31, -14, -9, -6, -4, 4, 6, 9, 14)]
    other = _first_fit(given, [*_shuffled(near, random), *_shuffled(far, random)])
    return f"{given.question.rstrip('? ')} in {other}?" if other else None


CHANGES: dict[Change, float] = {
    other_number: 1, opposite: 0.8, wrong_time: 0.6, negated: 0.05, other_name: 1,
}  # fmt: skip
"""Every change, and the share of questions on which it is tried."""


def changed(given: AnswerSentence, random: Random) -> tuple[str, str] | None:
    """The name of the first change that fits, and the changed question."""
    for change, share in CHANGES.items():
        if random.random() < share and (text := change(given, random)):
            return change.__name__, text
    return None


def _word_before(text: str, name: str) -> str:
    match = re.search(rf"([a-z]+) (?:the )?{re.escape(name)}", text)
    return match[1] if match else ""


def _shuffled(values: Iterable[T], random: Random) -> list[T]:
    shuffled = list(values)
    random.shuffle(shuffled)
    return shuffled


# Questions that one text may not answer, half of them answerable.
#
# SQuAD 2.0's answerable training questions are all in SQuAD 1.1's dev file, so only its
# unanswerable ones can be learned from. SQuAD 1.1's questions are added as they are, changed so
# that the same text does not answer them, and asked about a wrong text of the same article:
# neither a topic nor a text by itself then means "no answer".


CHANGED = 0.5
"""The share of SQuAD 1.1's questions that are changed, where a change is possible."""
WRONG = 0.036
"""The share that is asked about a wrong text."""
PLAIN = 0.12
"""The share that is asked as it is, besides the originals of changed questions."""
TIMES = 2
"""The times that each question is seen that annotators made unanswerable: they are the best."""
ANSWERABLE = "an answerable question that stands in a dev file"


def unanswerable_questions(
    squad2: Iterable[Question], squad1: Iterable[Question], seed: int, left_out: Counter[str]
) -> Iterator[Question]:
    """Unanswerable questions and about as many answerable ones."""
    for question in squad2:
        if question.gold and question.gold.answers[0].kind is AnswerKind.NONE:
            yield question
            for time in range(1, TIMES):
                yield replace(question, id=f"{question.id}/again-{time}")
        else:
            left_out[ANSWERABLE] += 1
    yield from contrasted(squad1, seed)


def contrasted(questions: Iterable[Question], seed: int) -> Iterator[Question]:
    """Questions with an answer, most of them next to one about the same text that has none."""
    random = Random(seed)
    for _, group in groupby(questions, key=_title):
        article = list(group)
        names = NamesByKind(article)
        contexts = list({q.context.text: q.context for q in article if q.context}.values())
        for question in article:
            chance = random.random()
            original = replace(question, id=f"unanswerable/{question.id}")
            if chance < CHANGED:
                if (contradicted := contradict(question, names, random)) is not None:
                    yield original
                    yield contradicted
            elif chance < CHANGED + WRONG:
                if (moved := ask_elsewhere(question, contexts)) is not None:
                    yield moved
            elif chance < CHANGED + WRONG + PLAIN:
                yield original


def contradict(question: Question, names: NamesByKind, random: Random) -> Question | None:
    """The question changed so that its text contradicts it; None where no change is possible."""
    given = AnswerSentence.of(question, names)
    result = given and changed(given, random)
    if not result:
        return None
    change, text = result
    gold = Gold((Answer.none(),))
    return replace(question, id=f"unanswerable/{question.id}/{change}", text=text, gold=gold)


def _title(question: Question) -> str:
    return question.context.title if question.context else ""


def ask_elsewhere(question: Question, contexts: Iterable[Document]) -> Question | None:
    """The question about the text that shares most words with it and does not answer it."""
    assert question.gold is not None
    texts = [text for answer in question.gold.answers for text in answer.texts]
    words = _words(question.text)
    wrong = [
        context
        for context in contexts
        if context != question.context
        and not any(next(occurrences(context.text, text), None) for text in texts)
    ]
    if not wrong:
        return None
    nearest = max(wrong, key=lambda context: len(words & _words(context.text)))
    gold = Gold((Answer.none(),))
    return replace(question, id=f"unanswerable/{question.id}/wrong", context=nearest, gold=gold)


def _words(text: str) -> set[str]:
    return {word for word in text.casefold().split() if len(word) > 3}
