"""IIRC's training questions with evidence whose mere presence gives nothing away.

The file quotes the linked article for answerable questions and nothing for the others, so a model
would learn that no quote means no answer. Here both get hard negatives, as many and as long, and
both come without any quote now and then. Some questions are asked again without the quote that
answers them, or changed so that their own quote contradicts them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from random import Random

from lacuna.train.data.contradictions import AnswerSentence, opposite, other_name, other_number
from lacuna.train.data.iirc.hard_negatives import (
    HardNegativePool,
    QuotedText,
    QuotesByParagraph,
    is_negative,
    opening_quotes,
    other_sentences,
)
from lacuna.train.data.iirc.quoted_question import (
    CONTEXT,
    QuotedQuestion,
    contains_answer,
    quoted_question,
)
from lacuna.train.data.names import NamesByKind, names_in
from lacuna.train.data.text_search import find_text
from lacuna.types import Answer, AnswerKind, Document, Evidence, Gold, Question

NOT_IN_TEXT = "an answer that is not in the text"


@dataclass(frozen=True, slots=True)
class Shares:
    """How often each form of a question is made."""

    second_quote: float = 0.5
    no_quote: float = 0.15
    contrast: float = 0.4
    changed: float = 0.6
    on_topic: float = 0.9


def iirc_questions(
    questions: Iterable[Question],
    *,
    seed: int,
    left_out: Counter[str],
    shares: Shares = Shares(),  # it is frozen
    openings: Mapping[str, Document] | None = None,
) -> Iterator[Question]:
    """Training questions with hard negatives, and contrast questions next to their originals."""
    asked = []
    for question in questions:
        quoted = quoted_question(question)
        if quoted.answers:
            asked.append(quoted)
        else:
            left_out[NOT_IN_TEXT] += 1
    maker = _QuestionMaker(asked, shares, openings or {}, Random(seed))
    for number, quoted in enumerate(asked):
        yield from maker.questions(number, quoted)


class _QuestionMaker:
    """Makes the forms of each question."""

    def __init__(
        self,
        asked: list[QuotedQuestion],
        shares: Shares,
        openings: Mapping[str, Document],
        random: Random,
    ) -> None:
        self._random, self._shares, self._openings = random, shares, openings
        linked = [(quoted.own_text, quoted.quote) for quoted in asked if quoted.quote]
        self._by_paragraph = QuotesByParagraph(linked)
        self._names = NamesByKind(quoted.question for quoted in asked)
        quotes = [quote for _, quote in linked]
        queries = [f"{quoted.question.text} {quoted.own_text}" for quoted in asked]
        self._pool = HardNegativePool(quotes, queries, random)
        self._bare, self._bare_share = _without_quotes(asked, shares.no_quote, random)

    def questions(self, number: int, quoted: QuotedQuestion) -> Iterator[Question]:
        """The question with quotes and, for some, its contrast and a changed form of it."""
        random, shares = self._random, self._shares
        if not quoted.answerable:
            yield _with_quotes(quoted, self._negatives(number, quoted, self._count()))
            return
        if number in self._bare:
            yield _with_quotes(replace(quoted, quote=None), [])
        else:
            yield _with_quotes(quoted, self._quotes(number, quoted))
        if random.random() < shares.contrast and _needs_its_quote(quoted):
            rest = self._rest_of_quote(quoted)
            count = self._count()
            negatives = self._negatives(number, quoted, count - len(rest)) if count else []
            yield _contrast(quoted, _shuffled([*rest[:count], *negatives], random))
        if random.random() < shares.changed and (changed := self._changed(quoted)) is not None:
            question = _with_quotes(changed, self._quotes(number, quoted))
            yield replace(question, id=f"{quoted.question.id}/changed")

    def _quotes(self, number: int, quoted: QuotedQuestion) -> list[QuotedText]:
        """The question's gold quote, and a second one now and then."""
        count = 1 + (self._random.random() < self._shares.second_quote)
        gold = [quoted.quote] if quoted.quote else []
        negatives = self._negatives(number, quoted, count - len(gold))
        return _shuffled([*gold, *negatives], self._random)

    def _count(self) -> int:
        bare = self._random.random() < self._bare_share
        return 0 if bare else 1 + (self._random.random() < self._shares.second_quote)

    def _negatives(self, number: int, quoted: QuotedQuestion, count: int) -> list[QuotedText]:
        """Hard negatives: on topic where there are such, otherwise similar in words."""
        avoid = _avoided(quoted)
        unlike = [quoted.quote] if quoted.quote else []
        chosen: list[QuotedText] = []
        for quote in self._on_topic(quoted) if count > 0 else ():
            if len(chosen) < count and is_negative(quote, [*unlike, *chosen], avoid):
                chosen.append(quote)
        missing = count - len(chosen)
        others = self._pool.draw(number, quoted.whole, quoted.quote, avoid, missing)
        return [*chosen, *others]

    def _on_topic(self, quoted: QuotedQuestion) -> list[QuotedText]:
        if self._random.random() > self._shares.on_topic:
            return []
        links = (quoted.question.gold.links or ()) if quoted.question.gold else ()
        text = quoted.context.text if quoted.whole else quoted.own_text
        titles = dict.fromkeys([*links, *names_in(f"A {quoted.question.text} {text}")])
        openings = list(opening_quotes(titles, self._openings, quoted.whole, self._random))
        same_paragraph = self._by_paragraph.of(quoted.own_text)
        return [*_shuffled(same_paragraph, self._random), *openings[:2]]

    def _rest_of_quote(self, quoted: QuotedQuestion) -> list[QuotedText]:
        """The gold quote without its answer."""
        answer = quoted.answers[0]
        if quoted.quote is None or answer.kind is not AnswerKind.SPAN or len(quoted.answers) > 1:
            return []
        rest = other_sentences(quoted.quote, answer.texts[0])
        return [rest] if rest is not None else []

    def _changed(self, quoted: QuotedQuestion) -> QuotedQuestion | None:
        """The question changed so that the same texts do not answer it."""
        own = quoted.own_text
        quote = quoted.quote.text if quoted.quote else ""
        others = (quoted.context.text.replace(own, " "),)
        answers = tuple(text for answer in quoted.answers for text in answer.texts)
        asked = " ".join(quoted.question.text.split())
        text = f"{quoted.context.text} {quote}"
        given = AnswerSentence(asked, text, f"{own} {quote}", others, answers, self._names)
        for change in (other_name, other_number, opposite):
            if (changed := change(given, self._random)) is not None:
                question = replace(quoted.question, text=changed)
                return replace(quoted, question=question, answers=(Answer.none(),))
        return None


def _avoided(quoted: QuotedQuestion) -> tuple[str, ...]:
    """Texts that would answer the question, or let the answer be calculated."""
    texts = [text for answer in quoted.answers for text in answer.texts]
    if quoted.quote and any(answer.kind is AnswerKind.NUMBER for answer in quoted.answers):
        texts += sorted(word for word in quoted.quote.words if word.isdigit() and len(word) > 2)
    return tuple(texts)


def _without_quotes(
    asked: list[QuotedQuestion], share: float, random: Random
) -> tuple[set[int], float]:
    """Answerable questions to be asked about their paragraph alone, and what share of all they are.

    First those that have no quote of their own, then those that hardly need it.
    """
    answerable = [number for number, quoted in enumerate(asked) if quoted.answerable]
    fit = [number for number in answerable if asked[number].answered_by_context]
    random.shuffle(fit)
    fit.sort(key=lambda number: (asked[number].quote is not None, _may_be_chance(asked[number])))
    chosen = set(fit[: round(share * len(answerable))])
    return chosen, len(chosen) / max(len(answerable), 1)


def _may_be_chance(quoted: QuotedQuestion) -> bool:
    """The paragraph contains the answer, but only the quote tells that it is the answer."""
    if any(answer.kind is AnswerKind.NUMBER for answer in quoted.answers):
        return True
    words = set(quoted.question.text.casefold().replace("?", "").replace(",", "").split())
    return bool(words & {"or", "which", "first", "older", "oldest", "more", "most", "larger"})


def _needs_its_quote(quoted: QuotedQuestion) -> bool:
    """Certainly unanswerable without its quote: only there is what is asked or calculated with.

    A text that both the paragraph and the quote contain may be known from the paragraph.
    """
    if quoted.quote is None or quoted.answered_by_context:
        return False
    if any(contains_answer(answer, quoted.quote.text) for answer in quoted.answers):
        return True
    digits = {word for word in quoted.quote.words if word.isdigit()}
    return bool(digits) and not any(find_text(word, quoted.context.text) for word in digits)


def _shuffled(quotes: list[QuotedText], random: Random) -> list[QuotedText]:
    random.shuffle(quotes)
    return quotes


def _with_quotes(quoted: QuotedQuestion, quotes: list[QuotedText]) -> Question:
    titles = _titles(quotes)
    documents = tuple(
        Document(title, quote.text) for title, quote in zip(titles, quotes, strict=True)
    )
    evidence = [quoted.own] if quoted.answerable else []
    if quoted.answerable and quoted.quote in quotes:
        document = documents[quotes.index(quoted.quote)]
        evidence.append(Evidence(document.title, 0, len(document.text)))
    links = quoted.question.gold.links if quoted.question.gold else None
    gold = Gold(quoted.answers, evidence=tuple(evidence) or None, links=links)
    return replace(
        quoted.question, context=quoted.context, documents=documents, gold=gold, extra={}
    )


def _contrast(quoted: QuotedQuestion, quotes: list[QuotedText]) -> Question:
    question = _with_quotes(replace(quoted, quote=None, answers=(Answer.none(),)), quotes)
    return replace(question, id=f"{quoted.question.id}/contrast")


def _titles(quotes: list[QuotedText]) -> list[str]:
    """Evidence names documents by title, so each needs one of its own."""
    given = [quote.title or f"link {number}" for number, quote in enumerate(quotes, 1)]
    return [
        title if title not in given[:number] and title != CONTEXT else f"{title} ({number + 1})"
        for number, title in enumerate(given)
    ]
