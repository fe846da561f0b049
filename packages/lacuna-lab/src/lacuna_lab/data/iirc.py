"""IIRC's training questions, with evidence whose mere presence gives nothing away."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from pathlib import Path
from random import Random

from lacuna.datasets import get_dataset
from lacuna.datasets.drop import number_value
from lacuna.datasets.iirc import LINKED, OWN
from lacuna.types import Answer, AnswerKind, Document, Evidence, Gold, Link, Question
from lacuna_lab.data.texts import (
    NAME,
    NO_NAME,
    NamesByKind,
    SimilarTexts,
    find_text,
    names_in,
    opening_title,
    other_names,
    sentences_of,
)
from lacuna_lab.data.unanswerable import AnswerSentence, opposite, other_name, other_number
from lacuna_lab.train.instances import occurrences

NUMBER = re.compile(r"[$£€]?(\d[\d,]*(?:\.\d+)?)%?(?: [^\W\d]+\.?)?")
"""A number, at most with a word for its unit."""
MONTH = re.compile(r"\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b", re.IGNORECASE)


def cleaned(text: str) -> str:
    r"""An answer without the punctuation and lines that were marked along with it.

    >>> cleaned(" Kim Philby\n\nHarold Adrian Russell Philby")
    'Kim Philby'
    >>> cleaned("the West Branch, and East Branch.")
    'the West Branch, and East Branch'
    """
    lines = [" ".join(line.split()) for line in text.splitlines()]
    first = next((line for line in lines if line), "")
    bare = first.rstrip(" ,;:").lstrip(" ,;:.")
    # A last full stop stays where it ends an abbreviation: "Normal, Ill.", "Inc.", "U.S."
    if bare.endswith(".") and not re.search(r"(?:\b\w|\.\w|\b[A-Z]\w{1,3})\.$", bare):
        bare = bare[:-1]
    return bare


def bare_number(text: str) -> float | None:
    """The value of a text that is a number and at most a unit.

    >>> bare_number("3,190 km"), bare_number("16 May"), bare_number("route 66")
    (3190.0, None, None)
    """
    match = NUMBER.fullmatch(text)
    return number_value(match[1]) if match and not MONTH.search(text) else None


def typed_answers(answer: Answer, texts: tuple[str, ...]) -> tuple[Answer, ...]:
    """The types that an answer may have, given the texts; none where they do not contain it.

    A number may be calculated, so the texts need not contain it.
    """
    if answer.kind is not AnswerKind.SPAN:
        return (answer,)
    text = cleaned(answer.texts[0])
    written = next((match for where in texts if (match := find_text(text, where))), None)
    value = bare_number(text)
    number = () if value is None else (Answer.number(value, text),)
    return (*((Answer.span(written),) if written else ()), *number)


# Quoted sentences put back among others, as in a whole paragraph.
#
# Most questions of IIRC's snippet file come with the gold sentences of their paragraph alone; a
# model that learns from them never has to find anything. Sentences of another question's
# paragraph, one that is similar in words, are put around them.


SHARE = 0.9
"""The share of short contexts that are surrounded."""
LONG = 400
"""A longer context, in characters, counts as a whole paragraph."""
FEWEST, MOST = 4, 10
"""Sentences that are put around."""
SIMILAR = 5
"""The most similar paragraphs, one of which gives the sentences."""


def surrounded(questions: Iterable[Question], seed: int) -> Iterator[Question]:
    """The same questions, most of the short contexts made long."""
    listed = list(questions)
    whole = {q.context.text for q in listed if q.context and len(q.context.text) > LONG}
    texts = sorted(whole)
    sentences = [_sentences(text) for text in texts]
    queries = (q.context.text if q.context else "" for q in listed)
    similar = SimilarTexts(texts).best(queries, SIMILAR) if texts else [[] for _ in listed]
    random = Random(seed)
    for question, candidates in zip(listed, similar, strict=True):
        context = question.context
        short = context is not None and len(context.text) <= LONG
        if not short or not sentences or random.random() > SHARE:
            yield question
            continue
        others = sentences[random.choice(candidates)] if candidates else random.choice(sentences)
        size = random.randint(FEWEST, MOST)
        start = random.randint(0, max(0, len(others) - size))
        chosen = others[start : start + size]
        cut = random.randint(0, len(chosen))
        yield _between(question, " ".join(chosen[:cut]), " ".join(chosen[cut:]))


def _sentences(text: str) -> list[str]:
    return [text[span.start : span.end].strip() for span in sentences_of(text)]


def _between(question: Question, before: str, after: str) -> Question:
    context, gold = question.context, question.gold or Gold()
    assert context is not None
    before = f"{before} " if before else ""
    stop = "" if context.text.rstrip().endswith((".", "!", "?")) else "."
    text = f"{before}{context.text}{stop} {after}".rstrip()

    def moved(evidence: Iterable[Evidence]) -> tuple[Evidence, ...]:
        return tuple(_moved(piece, context, len(before)) for piece in evidence)

    gold = replace(
        gold,
        answers=tuple(replace(answer, found_at=moved(answer.found_at)) for answer in gold.answers),
        evidence=None if gold.evidence is None else moved(gold.evidence),
    )
    return replace(question, context=Document(context.title, text), gold=gold)


def _moved(piece: Evidence, context: Document, by: int) -> Evidence:
    if piece.document != context.title:
        return piece
    return replace(piece, start=piece.start + by, end=piece.end + by)


# Hard negatives: quotes that look as if they answered a question, and do not.
#
# Some are on topic: the quotes of other questions about the same paragraph, the other sentences of
# a quote, and the openings of articles that a question or its paragraph mentions. The others are
# quotes of any question that are similar in words.


CANDIDATES = 40
"""The most similar quotes, from which those of a fitting length are drawn."""
FITTING = 5
SAME = 0.6
"""Two quotes that share more of their words may say the same."""
LONGEST = 3
"""Sentences of an opening that are quoted at most."""
SAME_START = 60
"""Two quotes that begin with as many equal characters are from the same paragraph."""


@dataclass(frozen=True)
class QuotedText:
    """A quote of a linked article; ``whole`` where its question came with the whole paragraph."""

    text: str
    title: str
    whole: bool

    @cached_property
    def words(self) -> frozenset[str]:
        return frozenset(re.findall(r"\w+", self.text.casefold()))

    @cached_property
    def names(self) -> frozenset[str]:
        """Capitalised words, except the first."""
        return frozenset(_capitalised(self.text))


class HardNegativePool:
    """Finds hard negatives for the questions of one file.

    Titles are known only where the whole paragraph is. A question of either sort gets hard
    negatives of its own sort, so that a title gives nothing away.
    """

    def __init__(
        self, quotes: Iterable[QuotedText], questions: Sequence[str], random: Random
    ) -> None:
        self._random = random
        self._names = [set(_capitalised(text)) for text in questions]
        self._quotes: dict[bool, list[QuotedText]] = {True: [], False: []}
        for quote in dict.fromkeys(quotes):
            self._quotes[quote.whole].append(quote)
        self._similar = {
            whole: SimilarTexts([quote.text for quote in quotes]).best(questions, CANDIDATES)
            for whole, quotes in self._quotes.items()
        }

    def draw(
        self, number: int, whole: bool, gold: QuotedText | None, avoid: Sequence[str], count: int
    ) -> list[QuotedText]:
        """So many hard negatives for a question, unlike its gold quote and one another."""
        quotes = self._quotes[whole]
        similar = [quotes[index] for index in self._similar[whole][number]]
        chosen: list[QuotedText] = []
        unlike = [gold] if gold else []
        while len(chosen) < count and quotes:
            length = len(self._random.choice(quotes).text)
            fit = [quote for quote in similar if is_negative(quote, unlike, avoid)]
            # Those that mention the same people and places are the hardest.
            fit = [quote for quote in fit if quote.names & self._names[number]] or fit
            if not fit:  # any quote: a missing one would give something away
                sample = self._random.sample(quotes, min(FITTING * 4, len(quotes)))
                fit = [quote for quote in sample if is_negative(quote, unlike, avoid)]
            if not fit:
                break
            fit.sort(key=lambda quote: abs(math.log((1 + len(quote.text)) / (1 + length))))
            chosen.append(self._random.choice(fit[:FITTING]))
            unlike.append(chosen[-1])
        return chosen


def is_negative(quote: QuotedText, unlike: Iterable[QuotedText], avoid: Sequence[str]) -> bool:
    """Tell if a quote differs from some others and contains none of the texts to avoid."""
    if any(_alike(quote, other) for other in unlike):
        return False
    return not any(find_text(text, quote.text) for text in avoid)


def _alike(quote: QuotedText, other: QuotedText) -> bool:
    fewer = min(len(quote.words), len(other.words))
    return len(quote.words & other.words) > SAME * fewer


def _capitalised(text: str) -> list[str]:
    return re.findall(r"(?<=\s)[A-Z]\w{3,}", text)


class QuotesByParagraph:
    """The quotes that belong to each paragraph, by the sentences that a question has of it."""

    def __init__(self, quotes: Iterable[tuple[str, QuotedText]]) -> None:
        self._quotes: dict[str, dict[QuotedText, None]] = {}
        for own, quote in quotes:
            self._quotes.setdefault(_start(own), {})[quote] = None

    def of(self, own: str) -> list[QuotedText]:
        """Quotes of articles that the same paragraph links to."""
        return list(self._quotes.get(_start(own), ()))


def _start(own: str) -> str:
    return "".join(own.casefold().split())[:SAME_START]


@lru_cache(maxsize=1)
def openings_by_title(path: Path) -> Mapping[str, Document]:
    """The paragraphs of a file by their titles in lower case."""
    with get_dataset("hotpotqa").open(path, skip_bad=True) as reader:
        documents = (block.document for item in reader for block in item.blocks)
        return {
            document.title.casefold(): document
            for document in documents
            if document and document.sentences
        }


def opening_quotes(
    titles: Iterable[str], openings: Mapping[str, Document], whole: bool, random: Random
) -> Iterator[QuotedText]:
    """The first sentences of the articles with these titles."""
    for title in titles:
        if (opening := openings.get(title.casefold())) is not None:
            count = min(random.randint(1, LONGEST), len(opening.sentences))
            text = opening.text[: opening.sentences[count - 1].end].strip()
            if len(text) > len(title) + 10:
                yield QuotedText(text, title, whole)


def other_sentences(quote: QuotedText, answer: str) -> QuotedText | None:
    """A quote without the one sentence that contains the answer; None if there is no such one."""
    text = quote.text
    sentences = [text[start:end].strip() for start, end in sentences_of(text)]
    rest = [sentence for sentence in sentences if answer not in sentence]
    if len(rest) != len(sentences) - 1 or not rest:
        return None
    return QuotedText(" ".join(rest), quote.title, quote.whole)


# A question of IIRC's train split taken apart: its paragraph, its quotes, its typed answers.
#
# Two files hold the split. IIRC's own has the paragraphs and, as evidence, offsets in them and
# quotes of the linked articles. The snippet file has each question by itself with two short texts,
# which are read as documents; few of its questions have their paragraph.


CONTEXT = "passage"
"""The title of every question's own paragraph."""


@dataclass(frozen=True, slots=True)
class QuotedQuestion:
    """A question with its evidence. ``own`` is the evidence in its context, ``quote`` that of a
    linked article, None where there is none."""

    question: Question
    context: Document
    own: Evidence
    quote: QuotedText | None
    answers: tuple[Answer, ...]

    @property
    def whole(self) -> bool:
        """True if the context is the whole paragraph."""
        return self.question.context is not None

    @property
    def own_text(self) -> str:
        """The evidence in the context."""
        return self.context.text[self.own.start : self.own.end]

    @property
    def answerable(self) -> bool:
        """True if there is an answer."""
        return self.answers[0].kind is not AnswerKind.NONE

    @property
    def answered_by_context(self) -> bool:
        """True if the context alone contains an answer."""
        return any(contains_answer(answer, self.context.text) for answer in self.answers)


def quoted_question(question: Question) -> QuotedQuestion:
    """Take a question apart; without answers where its texts do not contain them."""
    own, linked = _evidence_texts(question)
    context = Document(CONTEXT, question.context.text if question.context else own)
    start = max(context.text.find(own), 0)
    own_place = Evidence(CONTEXT, start, min(start + len(own), len(context.text)))
    gold = question.gold or Gold((Answer.none(),))
    title = gold.links[0] if gold.links else quote_title(linked)
    none = gold.answers[0].kind is AnswerKind.NONE
    repeated = " ".join(linked.split()).rstrip(" .") in " ".join(context.text.split())
    quote = (
        None
        if none or not linked or repeated
        else QuotedText(linked, title, bool(question.context))
    )
    texts = (*((quote.text,) if quote else ()), own, context.text)
    answers = typed_answers(gold.answers[0], texts)
    if quote is None and not any(contains_answer(answer, context.text) for answer in answers):
        # Nothing at all gives this answer.
        answers = answers if none else ()
    return QuotedQuestion(question, context, own_place, quote, answers)


def _evidence_texts(question: Question) -> tuple[str, str]:
    """The evidence in a question's own paragraph, and that of linked articles."""
    texts = {document.title: document.text for document in question.documents}
    if question.context is None or texts.keys() & {OWN, LINKED}:
        return texts.get(OWN, ""), texts.get(LINKED, "").strip()
    context = question.context
    places = [
        piece
        for piece in (question.gold and question.gold.evidence) or ()
        if piece.document == context.title
    ]
    if not places:
        return context.text, " ".join(texts.values()).strip()
    # From the first to the last, so that it is one span of the paragraph.
    start, end = min(piece.start for piece in places), max(piece.end for piece in places)
    return context.text[start:end], " ".join(texts.values()).strip()


def quote_title(text: str) -> str:
    """The name that a quote is about, where it begins with it; "" otherwise.

    >>> quote_title("Ada Quill (born 1950) is a poet."), quote_title("The school is old.")
    ('Ada Quill', '')
    """
    title = opening_title(text)
    return title if NAME.fullmatch(title) and not NO_NAME.match(title) else ""


def contains_answer(answer: Answer, text: str) -> bool:
    """Tell if a text contains all parts of an answer."""
    return bool(answer.texts) and all(find_text(part, text) for part in answer.texts)


NO_LINK = "a gold link that is not in the passage"
NOT_GOLD = "\0"
"""The target of a link that is not a gold one; no title has this character."""


def link_questions(questions: Iterable[Question], left_out: Counter[str]) -> Iterator[Question]:
    """Questions with their whole paragraph; the gold link competes with all other names in it.

    A file's own candidates may be links of other paragraphs, which any model could tell apart.
    """
    for question in questions:
        context, gold = question.context, question.gold
        if context is None or gold is None or not gold.links:
            continue
        right = [(span, title) for title in gold.links for span in occurrences(context.text, title)]
        if not right:
            left_out[NO_LINK] += 1
            continue
        wrong = other_names(context.text, [span for span, _ in right])
        links = [Link(*span, title) for span, title in right]
        links += [Link(*span, NOT_GOLD) for span in wrong]
        yield replace(
            question,
            id=f"links/{question.id}",
            context=replace(context, links=tuple(links)),
            documents=(),
        )


# IIRC's training questions with evidence whose mere presence gives nothing away.
#
# The file quotes the linked article for answerable questions and nothing for the others, so a
# model would learn that no quote means no answer. Here both get hard negatives, as many and as
# long, and both come without any quote now and then. Some questions are asked again without the
# quote that answers them, or changed so that their own quote contradicts them.


NOT_IN_TEXT = "an answer that is not in the text"


@dataclass(frozen=True, slots=True)
class Shares:
    """The share of each form of a question."""

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
