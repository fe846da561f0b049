"""IIRC's train questions with evidence that tells nothing by its mere presence.

The file quotes the linked article for answerable questions and nothing for the others. A reader
would learn that no quote means no answer. Here both get quotes of other questions that are close
in words, as many and as long, and both stand without any now and then.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from random import Random

from lacuna.tasks.iirc_snippets import LINKED, OWN
from lacuna.train.iirc_answers import find, typed_answers
from lacuna.train.near_miss_pool import NearMisses, Quote
from lacuna.types import Answer, AnswerKind, Document, Evidence, Gold, Question

PASSAGE = "passage"
NOT_IN_TEXT = "an answer that is not in the text"


@dataclass(frozen=True, slots=True)
class Shares:
    """How often each form of a question is made."""

    second_quote: float = 0.5
    no_quote: float = 0.15
    contrast: float = 0.25


@dataclass(frozen=True, slots=True)
class Case:
    """A question taken apart. ``link`` is None where there is no quote of its own."""

    question: Question
    passage: Document
    own: Evidence
    link: Quote | None
    answers: tuple[Answer, ...]

    @property
    def whole(self) -> bool:
        return self.question.passage is not None

    @property
    def answerable(self) -> bool:
        return self.answers[0].kind is not AnswerKind.NONE

    @property
    def answered_by_passage(self) -> bool:
        return any(_stands_in(answer, self.passage.text) for answer in self.answers)


def iirc_questions(
    questions: Iterable[Question],
    *,
    seed: int,
    left_out: Counter[str],
    shares: Shares = Shares(),  # noqa: B008 - it is frozen
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
    quotes = [case.link for case in cases if case.link]
    pool = NearMisses(quotes, [_query(case) for case in cases], random)
    bare, bare_share = _without_quotes(cases, shares.no_quote, random)
    for number, case in enumerate(cases):
        count = 1 + (random.random() < shares.second_quote)
        if not case.answerable:
            count = 0 if random.random() < bare_share else count
            yield _asked(case, pool.near(number, case.whole, case.link, (), count))
            continue
        avoid = tuple(text for answer in case.answers for text in answer.texts)
        if number in bare:
            yield _asked(replace(case, link=None), [])
        else:
            missing = count - (case.link is not None)
            near = pool.near(number, case.whole, case.link, avoid, missing)
            yield _asked(case, _shuffled([*([case.link] if case.link else []), *near], random))
        if random.random() < shares.contrast and _needs_its_link(case):
            count = 1 + (random.random() < shares.second_quote)
            count = 0 if random.random() < bare_share else count
            near = pool.near(number, case.whole, case.link, avoid, count)
            yield _contrast(case, near)


def _query(case: Case) -> str:
    """What a near miss should be close to: the question first, and what its passage is about."""
    place = case.own
    return f"{case.question.text} {case.passage.text[place.start : place.end]}"


def _case(question: Question) -> Case:
    quoted = {document.title: document.text for document in question.documents}
    own, linked = quoted.get(OWN, ""), quoted.get(LINKED, "").strip()
    passage = Document(PASSAGE, question.passage.text if question.passage else own)
    start = max(passage.text.find(own), 0)
    place = Evidence(PASSAGE, start, min(start + len(own), len(passage.text)))
    gold = question.gold or Gold((Answer.none(),))
    title = gold.links[0] if gold.links else ""
    none = gold.answers[0].kind is AnswerKind.NONE
    repeated = " ".join(linked.split()).rstrip(" .") in " ".join(passage.text.split())
    link = None if none or not linked or repeated else Quote(linked, title, bool(question.passage))
    texts = (*((link.text,) if link else ()), own, passage.text)
    answers = typed_answers(gold.answers[0], texts)
    if link is None and not any(_stands_in(answer, passage.text) for answer in answers):
        # Nothing at all gives this answer.
        answers = answers if none else ()
    return Case(question, passage, place, link, answers)


def _without_quotes(cases: list[Case], share: float, random: Random) -> tuple[set[int], float]:
    """Answerable questions to be asked of their passage alone, and what share of all they are.

    First those that have no quote of their own, then those that hardly need it.
    """
    answerable = [number for number, case in enumerate(cases) if case.answerable]
    fit = [number for number in answerable if cases[number].answered_by_passage]
    random.shuffle(fit)
    fit.sort(key=lambda number: (cases[number].link is not None, _may_be_chance(cases[number])))
    chosen = set(fit[: round(share * len(answerable))])
    return chosen, len(chosen) / max(len(answerable), 1)


def _may_be_chance(case: Case) -> bool:
    """The answer stands in the passage, but the quote is needed to tell that it is the answer."""
    if any(answer.kind is AnswerKind.NUMBER for answer in case.answers):
        return True
    words = set(case.question.text.casefold().replace("?", "").replace(",", "").split())
    return bool(words & {"or", "which", "first", "older", "oldest", "more", "most", "larger"})


def _needs_its_link(case: Case) -> bool:
    """Surely unanswerable without its quote: what is asked, or calculated with, stands there only.

    A text that is both in the passage and in the quote may be known from the passage.
    """
    if case.link is None or case.answered_by_passage:
        return False
    if any(_stands_in(answer, case.link.text) for answer in case.answers):
        return True
    digits = {word for word in case.link.words if word.isdigit()}
    return bool(digits) and not any(find(word, case.passage.text) for word in digits)


def _stands_in(answer: Answer, text: str) -> bool:
    return bool(answer.texts) and all(find(one, text) for one in answer.texts)


def _shuffled(quotes: list[Quote], random: Random) -> list[Quote]:
    random.shuffle(quotes)
    return quotes


def _asked(case: Case, quotes: list[Quote]) -> Question:
    titles = _titles(quotes)
    documents = tuple(
        Document(title, quote.text) for title, quote in zip(titles, quotes, strict=True)
    )
    evidence = [case.own] if case.answerable else []
    if case.link in quotes:
        document = documents[quotes.index(case.link)]
        evidence.append(Evidence(document.title, 0, len(document.text)))
    links = case.question.gold.links if case.question.gold else None
    gold = Gold(case.answers, evidence=tuple(evidence) or None, links=links)
    return replace(case.question, passage=case.passage, documents=documents, gold=gold, extra={})


def _contrast(case: Case, quotes: list[Quote]) -> Question:
    asked = _asked(replace(case, link=None, answers=(Answer.none(),)), quotes)
    return replace(asked, id=f"{case.question.id}/contrast")


def _titles(quotes: list[Quote]) -> list[str]:
    """Evidence names documents by title, so that each needs one of its own."""
    given = [quote.title or f"link {number}" for number, quote in enumerate(quotes, 1)]
    return [
        title if title not in given[:number] and title != PASSAGE else f"{title} ({number + 1})"
        for number, title in enumerate(given)
    ]
