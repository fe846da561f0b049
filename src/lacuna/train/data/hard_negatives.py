"""IIRC's train questions with evidence that tells nothing by its mere presence.

The file quotes the linked article for answerable questions and nothing for the others. A reader
would learn that no quote means no answer. Here both get quotes that are on topic or close in
words, as many and as long, and both stand without any now and then. Some questions are asked again
without what answers them, or changed so that their own quote does not answer them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from random import Random

from lacuna.datasets.iirc.iirc_snippets_format import LINKED, OWN
from lacuna.train.data.contradictions import Names, Setting, opposite, other_name, other_number
from lacuna.train.data.hard_negative_pool import HardNegativePool, QuotedText, is_miss
from lacuna.train.data.iirc_answers import find, typed_answers
from lacuna.train.data.on_topic import (
    Passages,
    names_in,
    opening_quotes,
    other_sentences,
    quote_title,
)
from lacuna.types import Answer, AnswerKind, Document, Evidence, Gold, Question

PASSAGE = "passage"
NOT_IN_TEXT = "an answer that is not in the text"


@dataclass(frozen=True, slots=True)
class Shares:
    """How often each form of a question is made."""

    second_quote: float = 0.5
    no_quote: float = 0.15
    contrast: float = 0.4
    changed: float = 0.6
    on_topic: float = 0.9


@dataclass(frozen=True, slots=True)
class IircCase:
    """A question taken apart. ``link`` is None where there is no quote of its own."""

    question: Question
    context: Document
    own: Evidence
    link: QuotedText | None
    answers: tuple[Answer, ...]

    @property
    def whole(self) -> bool:
        return self.question.context is not None

    @property
    def answerable(self) -> bool:
        return self.answers[0].kind is not AnswerKind.NONE

    @property
    def answered_by_passage(self) -> bool:
        return any(_stands_in(answer, self.context.text) for answer in self.answers)


def iirc_questions(
    questions: Iterable[Question],
    *,
    seed: int,
    left_out: Counter[str],
    shares: Shares = Shares(),  # noqa: B008 - it is frozen
    openings: Mapping[str, Document] | None = None,
) -> Iterator[Question]:
    """Training questions with near-miss evidence, and contrast questions beside their originals."""
    cases = []
    for question in questions:
        case = _case(question)
        if case.answers:
            cases.append(case)
        else:
            left_out[NOT_IN_TEXT] += 1
    random = Random(seed)
    make = _Maker(cases, shares, openings or {}, random)
    for number, case in enumerate(cases):
        yield from make.questions(number, case)


class _Maker:
    """Makes questions of cases."""

    def __init__(
        self,
        cases: list[IircCase],
        shares: Shares,
        openings: Mapping[str, Document],
        random: Random,
    ) -> None:
        self._random, self._shares, self._openings = random, shares, openings
        linked = [(_own(case), case.link) for case in cases if case.link]
        self._passages = Passages(linked)
        self._names = Names(case.question for case in cases)
        quotes = [quote for _, quote in linked]
        self._pool = HardNegativePool(quotes, [_query(case) for case in cases], random)
        self._bare, self._bare_share = _without_quotes(cases, shares.no_quote, random)

    def questions(self, number: int, case: IircCase) -> Iterator[Question]:
        """The question with quotes and, for some, its contrast and a changed form of it."""
        random, shares = self._random, self._shares
        if not case.answerable:
            yield _asked(case, self._near(number, case, self._count()))
            return
        if number in self._bare:
            yield _asked(replace(case, link=None), [])
        else:
            yield _asked(case, self._quotes(number, case))
        if random.random() < shares.contrast and _needs_its_link(case):
            rest = self._rest_of_quote(case)
            count = self._count()
            near = self._near(number, case, count - len(rest)) if count else []
            yield _contrast(case, _shuffled([*rest[:count], *near], random))
        if random.random() < shares.changed and (changed := self._changed(case)) is not None:
            asked = _asked(changed, self._quotes(number, case))
            yield replace(asked, id=f"{case.question.id}/changed")

    def _quotes(self, number: int, case: IircCase) -> list[QuotedText]:
        """The question's own quote, and another one now and then."""
        count = 1 + (self._random.random() < self._shares.second_quote)
        own = [case.link] if case.link else []
        return _shuffled([*own, *self._near(number, case, count - len(own))], self._random)

    def _count(self) -> int:
        bare = self._random.random() < self._bare_share
        return 0 if bare else 1 + (self._random.random() < self._shares.second_quote)

    def _near(self, number: int, case: IircCase, count: int) -> list[QuotedText]:
        """Near misses: on topic where such are found, else close in words."""
        avoid = _avoided(case)
        unlike = [case.link] if case.link else []
        near: list[QuotedText] = []
        for quote in self._on_topic(case) if count > 0 else ():
            if len(near) < count and is_miss(quote, [*unlike, *near], avoid):
                near.append(quote)
        missing = count - len(near)
        others = self._pool.near(number, case.whole, case.link, avoid, missing)
        return [*near, *others]

    def _on_topic(self, case: IircCase) -> list[QuotedText]:
        if self._random.random() > self._shares.on_topic:
            return []
        links = (case.question.gold.links or ()) if case.question.gold else ()
        place = case.context.text if case.whole else _own(case)
        titles = dict.fromkeys([*links, *names_in(f"A {case.question.text} {place}")])
        opened = list(opening_quotes(titles, self._openings, case.whole, self._random))
        return [*_shuffled(self._passages.of(_own(case)), self._random), *opened[:2]]

    def _rest_of_quote(self, case: IircCase) -> list[QuotedText]:
        """The gold quote without its answer."""
        answer = case.answers[0]
        if case.link is None or answer.kind is not AnswerKind.SPAN or len(case.answers) > 1:
            return []
        rest = other_sentences(case.link, answer.texts[0])
        return [rest] if rest is not None else []

    def _changed(self, case: IircCase) -> IircCase | None:
        """The question changed so that the same texts do not answer it."""
        own = _own(case)
        quoted = case.link.text if case.link else ""
        others = (case.context.text.replace(own, " "),)
        answers = tuple(text for answer in case.answers for text in answer.texts)
        asked = " ".join(case.question.text.split())
        text = f"{case.context.text} {quoted}"
        setting = Setting(asked, text, f"{own} {quoted}", others, answers, self._names)
        for move in (other_name, other_number, opposite):
            if (made := move(setting, self._random)) is not None:
                question = replace(case.question, text=made)
                return replace(case, question=question, answers=(Answer.none(),))
        return None


def _own(case: IircCase) -> str:
    return case.context.text[case.own.start : case.own.end]


def _avoided(case: IircCase) -> tuple[str, ...]:
    """Texts that would answer the question, or let the answer be calculated."""
    texts = [text for answer in case.answers for text in answer.texts]
    if case.link and any(answer.kind is AnswerKind.NUMBER for answer in case.answers):
        texts += sorted(word for word in case.link.words if word.isdigit() and len(word) > 2)
    return tuple(texts)


def _query(case: IircCase) -> str:
    """What a near miss should be close to: the question first, and what its passage is about."""
    return f"{case.question.text} {_own(case)}"


def _case(question: Question) -> IircCase:
    quoted = {document.title: document.text for document in question.documents}
    own, linked = quoted.get(OWN, ""), quoted.get(LINKED, "").strip()
    passage = Document(PASSAGE, question.context.text if question.context else own)
    start = max(passage.text.find(own), 0)
    place = Evidence(PASSAGE, start, min(start + len(own), len(passage.text)))
    gold = question.gold or Gold((Answer.none(),))
    title = gold.links[0] if gold.links else quote_title(linked)
    none = gold.answers[0].kind is AnswerKind.NONE
    repeated = " ".join(linked.split()).rstrip(" .") in " ".join(passage.text.split())
    link = (
        None
        if none or not linked or repeated
        else QuotedText(linked, title, bool(question.context))
    )
    texts = (*((link.text,) if link else ()), own, passage.text)
    answers = typed_answers(gold.answers[0], texts)
    if link is None and not any(_stands_in(answer, passage.text) for answer in answers):
        # Nothing at all gives this answer.
        answers = answers if none else ()
    return IircCase(question, passage, place, link, answers)


def _without_quotes(cases: list[IircCase], share: float, random: Random) -> tuple[set[int], float]:
    """Answerable questions to be asked of their passage alone, and what share of all they are.

    First those that have no quote of their own, then those that hardly need it.
    """
    answerable = [number for number, case in enumerate(cases) if case.answerable]
    fit = [number for number in answerable if cases[number].answered_by_passage]
    random.shuffle(fit)
    fit.sort(key=lambda number: (cases[number].link is not None, _may_be_chance(cases[number])))
    chosen = set(fit[: round(share * len(answerable))])
    return chosen, len(chosen) / max(len(answerable), 1)


def _may_be_chance(case: IircCase) -> bool:
    """The answer stands in the passage, but the quote is needed to tell that it is the answer."""
    if any(answer.kind is AnswerKind.NUMBER for answer in case.answers):
        return True
    words = set(case.question.text.casefold().replace("?", "").replace(",", "").split())
    return bool(words & {"or", "which", "first", "older", "oldest", "more", "most", "larger"})


def _needs_its_link(case: IircCase) -> bool:
    """Surely unanswerable without its quote: what is asked, or calculated with, stands there only.

    A text that is both in the passage and in the quote may be known from the passage.
    """
    if case.link is None or case.answered_by_passage:
        return False
    if any(_stands_in(answer, case.link.text) for answer in case.answers):
        return True
    digits = {word for word in case.link.words if word.isdigit()}
    return bool(digits) and not any(find(word, case.context.text) for word in digits)


def _stands_in(answer: Answer, text: str) -> bool:
    return bool(answer.texts) and all(find(one, text) for one in answer.texts)


def _shuffled(quotes: list[QuotedText], random: Random) -> list[QuotedText]:
    random.shuffle(quotes)
    return quotes


def _asked(case: IircCase, quotes: list[QuotedText]) -> Question:
    titles = _titles(quotes)
    documents = tuple(
        Document(title, quote.text) for title, quote in zip(titles, quotes, strict=True)
    )
    evidence = [case.own] if case.answerable else []
    if case.answerable and case.link in quotes:
        document = documents[quotes.index(case.link)]
        evidence.append(Evidence(document.title, 0, len(document.text)))
    links = case.question.gold.links if case.question.gold else None
    gold = Gold(case.answers, evidence=tuple(evidence) or None, links=links)
    return replace(case.question, context=case.context, documents=documents, gold=gold, extra={})


def _contrast(case: IircCase, quotes: list[QuotedText]) -> Question:
    asked = _asked(replace(case, link=None, answers=(Answer.none(),)), quotes)
    return replace(asked, id=f"{case.question.id}/contrast")


def _titles(quotes: list[QuotedText]) -> list[str]:
    """Evidence names documents by title, so that each needs one of its own."""
    given = [quote.title or f"link {number}" for number, quote in enumerate(quotes, 1)]
    return [
        title if title not in given[:number] and title != PASSAGE else f"{title} ({number + 1})"
        for number, title in enumerate(given)
    ]
